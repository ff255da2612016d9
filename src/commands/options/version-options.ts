import { option } from "./option.js";
import { choiceSchema } from "./values.js";

/** Which version of the source's content is taken. */
export const VERSION_OPTIONS = {
  contentVersion: option<"latest" | "released" | "pending">({
    about:
      "which version is read: what people see, what was released last (what never was is left out and named), or the newest edit, approved or not",
    flag: "version",
    value: "latest|released|pending",
    schema: choiceSchema(["latest", "released", "pending"]),
    fallback: "latest",
    commands: ["migrate", "extract", "plan", "apply", "verify", "retry"],
  }),
} as const;
