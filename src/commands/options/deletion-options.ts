import { type CommandName, option } from "./option.js";
import { choiceSchema, switchSchema } from "./values.js";

const LOADING: readonly CommandName[] = ["migrate", "load", "plan", "retry"];

/** What was deleted at one end, and how the target is looked at and shown meanwhile. */
export const DELETION_OPTIONS = {
  deleteGone: option({
    about:
      "delete at the target what the source has no more; only what guideferry made there and nobody edited since. Without it that is listed",
    schema: switchSchema,
    fallback: false,
    commands: LOADING,
  }),
  hideWhileUpdating: option({
    about: "make a public guide private while it is changed, and publish it again when all of it is there",
    schema: switchSchema,
    fallback: false,
    commands: LOADING,
  }),
  verify: option<"full" | "changed" | "none">({
    about: "what is read back after the load: all, what this run wrote and the target's lists, or nothing",
    value: "full|changed|none",
    schema: choiceSchema(["full", "changed", "none"]),
    fallback: "changed",
    commands: ["migrate", "retry"],
  }),
} as const;
