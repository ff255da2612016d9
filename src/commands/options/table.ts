import type { z } from "zod";
import { BACKUP_OPTIONS } from "./backup-options.js";
import type { Option } from "./option.js";
import { OUTPUT_OPTIONS, RUN_OPTIONS } from "./run-options.js";
import { SOURCE_OPTIONS } from "./source-options.js";
import { TARGET_OPTIONS } from "./target-options.js";
import { TOOL_OPTIONS } from "./tool-options.js";

/** Every option that there is, in the order of the help. */
export const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...TARGET_OPTIONS,
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

/** The table's rows. */
export const OPTION_ROWS = Object.entries(OPTIONS) as readonly OptionRow[];

/** The rows of a command that names these options, with those that every command has. */
export function optionsOf({ options }: { readonly options: readonly OptionName[] }): readonly OptionRow[] {
  return OPTION_ROWS.filter(([name]) => name in OUTPUT_OPTIONS || options.includes(name));
}

/** Every option's default. */
export function defaultSettings(): Settings {
  // Every row's fallback is of its own schema's type, which fromEntries can't say.
  return Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, row.fallback])) as unknown as Settings;
}
