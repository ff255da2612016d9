import { keySchema } from "../../core/model/shared.js";
import { option } from "./option.js";
import { textSchema } from "./values.js";

/** What a comparison leaves behind, and how that is looked at. */
export const VERIFY_OPTIONS = {
  verifyReport: option<string | null>({
    about:
      "write what was compared, field by field, with a digest for each item and one over all, so that others can check it",
    flag: "report",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none is written",
    flagOnly: true,
    commands: ["verify"],
  }),
  reportItem: option<string | null>({
    about: "check this item of a report alone, and show what was found: guide/12",
    flag: "item",
    value: "KEY",
    schema: textSchema.refine((text) => keySchema.safeParse(text).success, "expected a key such as guide/12"),
    fallback: null,
    fallbackText: "the whole report",
    flagOnly: true,
    commands: ["verify"],
  }),
} as const;
