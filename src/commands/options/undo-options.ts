import { option } from "./option.js";
import { textSchema } from "./values.js";

/** Which run is meant. */
export const UNDO_OPTIONS = {
  run: option<string | null>({
    about: "the run to undo, or whose page is made, as `guideferry status` names it",
    value: "ID",
    schema: textSchema,
    fallback: null,
    fallbackText: "undo: the last one that wrote and is not undone; report: the last one",
    flagOnly: true,
    commands: ["undo", "report"],
  }),
} as const;
