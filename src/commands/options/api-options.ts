import { option } from "./option.js";
import { choiceSchema, switchSchema, textSchema } from "./values.js";

/** A single call to a site. */
export const API_OPTIONS = {
  data: option<string | null>({
    about: "the body, which is JSON: the text itself, @FILE, or - for stdin",
    value: "JSON",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
    commands: ["api"],
  }),
  write: option({
    about: "allow a call that is no GET: it may change or delete things at the site",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
    commands: ["api"],
  }),
  signInAs: option<"source" | "target" | null>({
    about: "whose sign-in is used: GUIDEFERRY_SOURCE_… or GUIDEFERRY_TARGET_…",
    value: "source|target",
    flag: "as",
    schema: choiceSchema(["source", "target"]),
    fallback: null,
    fallbackText: "the one that is set; has to be given where both are",
    flagOnly: true,
    commands: ["check", "api"],
  }),
  pretty: option({
    about: "indent JSON; done on a terminal anyway, unless --no-pretty is given",
    schema: switchSchema,
    fallback: false,
    commands: ["api"],
  }),
} as const;
