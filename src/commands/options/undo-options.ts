import { option } from "./option.js";
import { textSchema } from "./values.js";

/** What is undone. */
export const UNDO_OPTIONS = {
  run: option<string | null>({
    about: "the run to undo, as `guideferry status` names it",
    value: "ID",
    schema: textSchema,
    fallback: null,
    fallbackText: "the last one that wrote and is not undone",
    flagOnly: true,
    commands: ["undo"],
  }),
} as const;
