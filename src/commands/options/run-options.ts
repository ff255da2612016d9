import { z } from "zod";
import { option } from "./option.js";
import { durationSchema, switchSchema, textSchema } from "./values.js";

const EXPECTED = "expected a time of day from 00:00 to 23:59, such as 06:00";

/** Minutes after midnight, from `06:00` or `6:00`. */
const timeOfDaySchema = z
  .string(EXPECTED)
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, EXPECTED)
  .transform((text) => {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });

/** How a run is planned, watched and stopped. */
export const RUN_OPTIONS = {
  // How a plan is kept and shown.
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

  // When a command stops although there is more to do.
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

  // Which run is meant.
  run: option<string | null>({
    about: "the run to undo, or whose page is made, as `guideferry status` names it",
    value: "ID",
    schema: textSchema,
    fallback: null,
    fallbackText: "undo: the last one that wrote and is not undone; report: the last one",
    flagOnly: true,
  }),

  // Looking at a run while it is on.
  ui: option({
    about: "show the run as a page on this machine while it is on, where it can be paused and resumed",
    schema: switchSchema,
    fallback: false,
  }),
} as const;

/** What every command has. */
export const OUTPUT_OPTIONS = {
  // What is printed, and where the configuration lies. Every command has these.
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
