import { z } from "zod";
import { BACKUP_OPTIONS, PROOF_OPTIONS, READING_OPTIONS, RETENTION_OPTIONS } from "./backup-options.js";
import { FLEET_OPTIONS } from "./fleet-options.js";
import { choiceOption, type Option, option, switchOption, textOption } from "./option.js";
import { type Receiver, receiversSchema } from "./receivers.js";
import { CHOICE_OPTIONS, LIMIT_OPTIONS, MAP_OPTIONS, WRITE_OPTIONS } from "./site-options.js";
import { CONVERSION_OPTIONS, TOOL_OPTIONS, TRAINING_OPTIONS } from "./tool-options.js";
import { durationSchema, wholeSchema } from "./values.js";

const EXPECTED = "expected a time of day from 00:00 to 23:59, such as 06:00";

/** Minutes after midnight, from `06:00` or `6:00`. */
const timeOfDaySchema = z
  .string(EXPECTED)
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, EXPECTED)
  .transform((text) => {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });

const PLAN_OPTIONS = {
  dryRun: switchOption({
    usual: true,
    about: "show what would be done, as plan does, and write nothing to the target",
  }),
  strict: switchOption({
    about: "end with 12 if any content was lost, also content that the service cannot take",
  }),
  detailedExitcode: switchOption({
    about: "end with 7 if the plan has changes, and with 0 if it has none",
  }),
  verify: choiceOption(["full", "changed", "none"], {
    about:
      "what to read back after the load: everything (full), the items that this run wrote and the target's lists (changed), or nothing (none)",
    fallback: "changed",
  }),
  planFile: textOption({
    usual: true,
    about: "also write the plan into this file, for `guideferry apply`; an existing file is replaced",
    flag: "output",
    short: "-o",
    value: "FILE",
    fallbackText: "none",
    flagOnly: true,
  }),
  planHtml: textOption({
    usual: true,
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
} as const;

const RUN_OPTIONS = {
  maxDuration: option<number | null>({
    about:
      "after this time, start nothing new, finish what runs, and end with 4; run the same command again to continue",
    value: "TIME",
    schema: durationSchema,
    fallback: null,
    fallbackText: "no limit",
  }),
  stopAt: option<number | null>({
    about: "stop as with --max-duration, at this local time; the earlier one counts",
    value: "HH:MM",
    schema: timeOfDaySchema,
    fallback: null,
    fallbackText: "never",
  }),

  run: textOption({
    usual: true,
    about: "undo: the run to undo; report: the run of the report; `guideferry status` shows its id",
    value: "ID",
    fallbackText: "undo: the last run that wrote and is not undone; report: the last run",
    flagOnly: true,
  }),
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
    usual: true,
    about: "show a live page of the run on this machine, where you can pause and resume it",
  }),
  port: option({
    about: "the port on this machine; with --ui: the port of the live page",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: 0,
    fallbackText: "a free port",
  }),
} as const;

export const OUTPUT_OPTIONS = {
  json: switchOption({
    usual: true,
    about: "print JSON objects, one a line, and nothing else on stdout",
  }),
  quiet: switchOption({
    usual: true,
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
  profile: textOption({
    usual: true,
    about: "the profile of the configuration file: its keys have priority over those of the top level",
    value: "NAME",
    fallbackText: "the file's key `profile`, else none",
  }),
} as const;

/** The options by the headings of the help, in its order. */
const GROUPS = [
  ["Run and limits", { ...LIMIT_OPTIONS, ...RUN_OPTIONS }],
  ["Choice of content", CHOICE_OPTIONS],
  ["Writes to the target", WRITE_OPTIONS],
  ["Transforms and maps", MAP_OPTIONS],
  ["Plans and checks", { ...PLAN_OPTIONS, ...PROOF_OPTIONS }],
  ["Backups", { ...BACKUP_OPTIONS, ...READING_OPTIONS }],
  ["Retention", RETENTION_OPTIONS],
  ["Conversion", CONVERSION_OPTIONS],
  ["Training packages", TRAINING_OPTIONS],
  ["Fleet", FLEET_OPTIONS],
  ["Tools", TOOL_OPTIONS],
  ["Output", OUTPUT_OPTIONS],
] as const;
type OptionGroup = (typeof GROUPS)[number][0];

/** Every option, in the order of the help. */
export const OPTIONS = {
  ...LIMIT_OPTIONS,
  ...RUN_OPTIONS,
  ...CHOICE_OPTIONS,
  ...WRITE_OPTIONS,
  ...MAP_OPTIONS,
  ...PLAN_OPTIONS,
  ...PROOF_OPTIONS,
  ...BACKUP_OPTIONS,
  ...READING_OPTIONS,
  ...RETENTION_OPTIONS,
  ...CONVERSION_OPTIONS,
  ...TRAINING_OPTIONS,
  ...FLEET_OPTIONS,
  ...TOOL_OPTIONS,
  ...OUTPUT_OPTIONS,
} as const;
export type OptionName = keyof typeof OPTIONS;

/** The values of all options, from the flag, else the variable, else the file, else the default. */
export type Settings = { readonly [Name in OptionName]: z.output<(typeof OPTIONS)[Name]["schema"]> };

type OptionRow = readonly [OptionName, Option<unknown>, OptionGroup];

export const OPTION_ROWS: readonly OptionRow[] = GROUPS.flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, row]) => [name as OptionName, row, group] as const),
);

/** What an option means to one command, where that is less than what it means to all of them. */
export type OptionTexts = Readonly<
  Partial<Record<OptionName, Partial<Pick<Option<unknown>, "about" | "fallbackText" | "usual">>>>
>;

interface OptionsOfCommand {
  readonly options: readonly OptionName[];
  readonly optionTexts?: OptionTexts;
}

export function optionsOf({ options, optionTexts = {} }: OptionsOfCommand): readonly OptionRow[] {
  const taken = OPTION_ROWS.filter(([name]) => name in OUTPUT_OPTIONS || options.includes(name));
  return taken.map(([name, row, group]) => [name, { ...row, ...optionTexts[name] }, group]);
}

/** A command with at most so many options shows all of them in its short help. */
const FEW = 16;

/** The options in the short help of a command: the usual ones, or all if they are few. */
export function usualOptionsOf(command: OptionsOfCommand): readonly OptionRow[] {
  const rows = optionsOf(command);
  return rows.length <= FEW ? rows : rows.filter(([, { usual }]) => usual);
}

export function defaultSettings(): Settings {
  // Every row's fallback is of its own schema's type, which fromEntries can't say.
  return Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, row.fallback])) as unknown as Settings;
}
