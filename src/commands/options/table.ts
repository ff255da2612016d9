import { z } from "zod";
import { BACKUP_OPTIONS } from "./backup-options.js";
import { choiceOption, type Option, option, switchOption, textOption } from "./option.js";
import { type Receiver, receiversSchema } from "./receivers.js";
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
  // Plans.
  planFile: textOption({
    about: "also write the plan into this file, for `guideferry apply`; an existing file is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    fallbackText: "none",
    flagOnly: true,
  }),
  planHtml: textOption({
    about: "also write an HTML page that shows each text before and after; an existing file is replaced",
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

  // Time limits.
  maxDuration: option<number | null>({
    about:
      "after this time, start nothing new, finish what runs, and end with 4; run the same command again to continue",
    value: "TIME",
    schema: durationSchema,
    fallback: null,
    fallbackText: "no limit",
  }),
  stopAt: option<number | null>({
    about: "stop in the same way at this local time; with --max-duration, the earlier one counts",
    value: "HH:MM",
    schema: timeOfDaySchema,
    fallback: null,
    fallbackText: "never",
  }),

  run: textOption({
    about: "undo: the run to undo; report: the run of the report; `guideferry status` shows its id",
    value: "ID",
    fallbackText: "undo: the last run that wrote and is not undone; report: the last run",
    flagOnly: true,
  }),

  // Runs that nobody watches.
  notify: option<readonly Receiver[]>({
    about:
      "send a message to this address when the run starts and ends, also if it fails at once or a signal ends it; may be given several times. The address is a secret: use the variable",
    value: "URL",
    schema: receiversSchema,
    fallback: [],
    fallbackText: "none",
    single: "notify",
    flagOnly: true,
  }),
  metrics: textOption({
    about:
      "write metrics (Prometheus text format) into this file at the end of the run, even if it failed. A run that finds a lock writes none. Use one file for each job",
    value: "FILE",
    fallbackText: "none",
  }),

  ui: switchOption({
    about: "show a live page of the run on this machine, where you can pause and resume it",
  }),
} as const;

export const OUTPUT_OPTIONS = {
  json: switchOption({
    about:
      "print JSON objects, one a line, and nothing else on stdout; commands with content on stdout print them on stderr",
  }),
  quiet: switchOption({
    about: "print only warnings and errors",
  }),
  verbose: switchOption({
    about: "print every request",
  }),
  logFormat: choiceOption(["text", "json"], {
    about:
      "json: print each message on stderr as one JSON object with time, level, run and item; stdout stays as it is",
    fallback: "text",
  }),
  debug: switchOption({
    about: "print stack traces with errors",
  }),
  progress: switchOption({
    about: "print no progress: no bars on a terminal, no lines in a log",
    fallback: true,
  }),
  config: textOption({
    about: "the configuration file",
    value: "FILE",
    fallbackText: "guideferry.config.json or .mjs in the working directory, if it exists",
    flagOnly: true,
  }),
} as const;

/** Every option, in the order of the help. */
export const OPTIONS = {
  ...SITE_OPTIONS,
  ...RUN_OPTIONS,
  ...BACKUP_OPTIONS,
  ...TOOL_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const;
export type OptionName = keyof typeof OPTIONS;

/** The values of all options, from the flag, else the variable, else the file, else the default. */
export type Settings = { readonly [Name in OptionName]: z.output<(typeof OPTIONS)[Name]["schema"]> };

type OptionRow = readonly [OptionName, Option<unknown>];

export const OPTION_ROWS = Object.entries(OPTIONS) as readonly OptionRow[];

/** What an option means to one command, where that is less than what it means to all of them. */
export type OptionTexts = Readonly<
  Partial<Record<OptionName, Partial<Pick<Option<unknown>, "about" | "fallbackText">>>>
>;

interface OptionsOfCommand {
  readonly options: readonly OptionName[];
  readonly optionTexts?: OptionTexts;
}

export function optionsOf({ options, optionTexts = {} }: OptionsOfCommand): readonly OptionRow[] {
  const taken = OPTION_ROWS.filter(([name]) => name in OUTPUT_OPTIONS || options.includes(name));
  return taken.map(([name, row]) => [name, { ...row, ...optionTexts[name] }]);
}

export function defaultSettings(): Settings {
  // Every row's fallback is of its own schema's type, which fromEntries can't say.
  return Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, row.fallback])) as unknown as Settings;
}
