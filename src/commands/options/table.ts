import { z } from "zod";
import { BACKUP_OPTIONS } from "./backup-options.js";
import { type Option, option, switchOption, textOption } from "./option.js";
import { SITE_OPTIONS } from "./site-options.js";
import { TOOL_OPTIONS } from "./tool-options.js";
import { durationSchema } from "./values.js";

const EXPECTED = "expected a time of day from 00:00 to 23:59, such as 06:00";

/** Minutes after midnight, from `06:00` or `6:00`. */
const timeOfDaySchema = z
  .string(EXPECTED)
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, EXPECTED)
  .transform((text) => {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });

const RUN_OPTIONS = {
  // How a plan is kept and shown.
  planFile: textOption({
    about: "also write the plan into this file, for `guideferry apply`; one that is there is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    fallbackText: "none",
    flagOnly: true,
  }),
  planHtml: textOption({
    about: "also write a page that shows each text before and after, for people; one that is there is replaced",
    flag: "html",
    value: "FILE",
    fallbackText: "none",
    flagOnly: true,
  }),
  planText: switchOption({
    about: "also print each text before and after, line by line",
    flag: "text",
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
  run: textOption({
    about: "the run to undo, or whose page is made, as `guideferry status` names it",
    value: "ID",
    fallbackText: "undo: the last one that wrote and is not undone; report: the last one",
    flagOnly: true,
  }),

  // Looking at a run while it is on.
  ui: switchOption({
    about: "show the run as a page on this machine while it is on, where it can be paused and resumed",
  }),
} as const;

export const OUTPUT_OPTIONS = {
  json: switchOption({
    about:
      "print one JSON object a line on stdout and nothing else there; convert, cat, api and training check print them on stderr",
  }),
  quiet: switchOption({
    about: "print warnings and errors only",
  }),
  verbose: switchOption({
    about: "print every request",
  }),
  debug: switchOption({
    about: "print stack traces with errors",
  }),
  progress: switchOption({
    about: "no progress: neither bars on a terminal nor lines in a log",
    fallback: true,
  }),
  config: textOption({
    about: "the configuration file",
    value: "FILE",
    fallbackText: "guideferry.config.json or .mjs in the working directory, if there",
    flagOnly: true,
  }),
} as const;

/** Every option that there is, in the order of the help. */
export const OPTIONS = {
  ...SITE_OPTIONS,
  ...RUN_OPTIONS,
  ...BACKUP_OPTIONS,
  ...TOOL_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const;
export type OptionName = keyof typeof OPTIONS;

/**
 * The value of every option, whichever command runs: flag before environment before file before
 * default.
 */
export type Settings = { readonly [Name in OptionName]: z.output<(typeof OPTIONS)[Name]["schema"]> };

type OptionRow = readonly [OptionName, Option<unknown>];

export const OPTION_ROWS = Object.entries(OPTIONS) as readonly OptionRow[];

export function optionsOf({ options }: { readonly options: readonly OptionName[] }): readonly OptionRow[] {
  return OPTION_ROWS.filter(([name]) => name in OUTPUT_OPTIONS || options.includes(name));
}

export function defaultSettings(): Settings {
  // Every row's fallback is of its own schema's type, which fromEntries can't say.
  return Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, row.fallback])) as unknown as Settings;
}
