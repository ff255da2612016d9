import type { z } from "zod";
import { BACKUP_OPTIONS, REPOSITORY_OPTIONS, RESTORE_OPTIONS } from "./backup-options.js";
import type { Option } from "./option.js";
import {
  MAP_OPTIONS,
  OUTPUT_OPTIONS,
  PLAN_OPTIONS,
  TIME_OPTIONS,
  UI_OPTIONS,
  UNDO_OPTIONS,
  VERIFY_OPTIONS,
} from "./result-options.js";
import { COMMENT_OPTIONS, RECORD_OPTIONS, SELECTION_OPTIONS, SITE_OPTIONS, VERSION_OPTIONS } from "./source-options.js";
import { DELETION_OPTIONS, MAPPING_OPTIONS, TRANSFORM_OPTIONS, WRITING_OPTIONS } from "./target-options.js";
import { API_OPTIONS, CHECK_OPTIONS, CONVERT_OPTIONS, SANDBOX_OPTIONS } from "./tool-options.js";
import { TRAINING_OPTIONS } from "./training-options.js";

/** Every option that there is, in the order of the help. */
export const OPTIONS = {
  ...SITE_OPTIONS,
  ...SELECTION_OPTIONS,
  ...RECORD_OPTIONS,
  ...VERSION_OPTIONS,
  ...WRITING_OPTIONS,
  ...DELETION_OPTIONS,
  ...COMMENT_OPTIONS,
  ...TRANSFORM_OPTIONS,
  ...MAPPING_OPTIONS,
  ...PLAN_OPTIONS,
  ...TIME_OPTIONS,
  ...UNDO_OPTIONS,
  ...BACKUP_OPTIONS,
  ...REPOSITORY_OPTIONS,
  ...RESTORE_OPTIONS,
  ...VERIFY_OPTIONS,
  ...CONVERT_OPTIONS,
  ...TRAINING_OPTIONS,
  ...MAP_OPTIONS,
  ...CHECK_OPTIONS,
  ...API_OPTIONS,
  ...SANDBOX_OPTIONS,
  ...UI_OPTIONS,
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
