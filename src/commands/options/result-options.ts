import { z } from "zod";
import { keySchema } from "../../core/model/identity.js";
import { option } from "./option.js";
import { durationSchema, switchSchema, textSchema } from "./values.js";

/** What is printed, and where the configuration lies. Every command has these. */
export const OUTPUT_OPTIONS = {
  json: option({
    about:
      "print one JSON object a line on stdout and nothing else there; convert, cat, api and training check print them on stderr",
    schema: switchSchema,
    fallback: false,
  }),
  quiet: option({
    about: "print warnings and errors only",
    schema: switchSchema,
    fallback: false,
  }),
  verbose: option({
    about: "print every request",
    schema: switchSchema,
    fallback: false,
  }),
  debug: option({
    about: "print stack traces with errors",
    schema: switchSchema,
    fallback: false,
  }),
  progress: option({
    about: "no progress: neither bars on a terminal nor lines in a log",
    schema: switchSchema,
    fallback: true,
  }),
  config: option<string | null>({
    about: "the configuration file",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "guideferry.config.json or .mjs in the working directory, if there",
    flagOnly: true,
  }),
} as const;

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
  }),
  planHtml: option<string | null>({
    about: "also write a page that shows each text before and after, for people; one that is there is replaced",
    flag: "html",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "none",
    flagOnly: true,
  }),
  planText: option({
    about: "also print each text before and after, line by line",
    flag: "text",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
} as const;

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
  }),
  reportItem: option<string | null>({
    about: "check this item of a report alone, and show what was found: guide/12",
    flag: "item",
    value: "KEY",
    schema: textSchema.refine((text) => keySchema.safeParse(text).success, "expected a key such as guide/12"),
    fallback: null,
    fallbackText: "the whole report",
    flagOnly: true,
  }),
} as const;

/** Which run is meant. */
export const UNDO_OPTIONS = {
  run: option<string | null>({
    about: "the run to undo, or whose page is made, as `guideferry status` names it",
    value: "ID",
    schema: textSchema,
    fallback: null,
    fallbackText: "undo: the last one that wrote and is not undone; report: the last one",
    flagOnly: true,
  }),
} as const;

/** How a map of old and new addresses is written. */
export const MAP_OPTIONS = {
  nginx: option({
    about: "print a file that nginx includes, which leads old addresses to the new pages, and nothing else on stdout",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
  mapSteps: option({
    about: "also each step, whose address is its place on the guide's page",
    flag: "steps",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
  }),
} as const;

const EXPECTED = "expected a time of day from 00:00 to 23:59, such as 06:00";

/** Minutes after midnight, from `06:00` or `6:00`. */
const timeOfDaySchema = z
  .string(EXPECTED)
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, EXPECTED)
  .transform((text) => {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });

/** When a command stops although there is more to do. */
export const TIME_OPTIONS = {
  maxDuration: option<number | null>({
    about: "begin nothing new after this time, finish what runs, and end with 4; the same command goes on",
    value: "TIME",
    schema: durationSchema,
    fallback: null,
    fallbackText: "as long as it takes",
  }),
  stopAt: option<number | null>({
    about: "the same when the clock of this machine next shows this time; with both, what comes first counts",
    value: "HH:MM",
    schema: timeOfDaySchema,
    fallback: null,
    fallbackText: "never",
  }),
} as const;

/** Looking at a run while it is on. */
export const UI_OPTIONS = {
  ui: option({
    about: "show the run as a page on this machine while it is on, where it can be paused and resumed",
    schema: switchSchema,
    fallback: false,
  }),
} as const;
