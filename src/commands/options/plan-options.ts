import { option } from "./option.js";
import { switchSchema, textSchema } from "./values.js";

/** How a plan is kept and shown. */
export const PLAN_OPTIONS = {
  planFile: option<string | null>({
    about: "also write the plan into this file, for `guideferry apply`; one that is there is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
    commands: ["plan"],
  }),
  planHtml: option<string | null>({
    about: "also write a page that shows each text before and after, for people; one that is there is replaced",
    flag: "html",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
    commands: ["plan"],
  }),
  planText: option({
    about: "also print each text before and after, line by line",
    flag: "text",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
    commands: ["plan"],
  }),
} as const;
