import type { z } from "zod";
import { API_OPTIONS } from "./api-options.js";
import { BACKUP_OPTIONS } from "./backup-options.js";
import { CHECK_OPTIONS } from "./check-options.js";
import { COMMENT_OPTIONS } from "./comment-options.js";
import { CONVERT_OPTIONS } from "./convert-options.js";
import { DELETION_OPTIONS } from "./deletion-options.js";
import { MAP_OPTIONS } from "./map-options.js";
import { MAPPING_OPTIONS } from "./mapping-options.js";
import type { CommandName, Option } from "./option.js";
import { OUTPUT_OPTIONS } from "./output-options.js";
import { PLAN_OPTIONS } from "./plan-options.js";
import { RECORD_OPTIONS } from "./record-options.js";
import { REPOSITORY_OPTIONS } from "./repository-options.js";
import { RESTORE_OPTIONS } from "./restore-options.js";
import { SANDBOX_OPTIONS } from "./sandbox-options.js";
import { SELECTION_OPTIONS } from "./selection-options.js";
import { SITE_OPTIONS } from "./site-options.js";
import { TIME_OPTIONS } from "./time-options.js";
import { TRAINING_OPTIONS } from "./training-options.js";
import { TRANSFORM_OPTIONS } from "./transform-option.js";
import { UI_OPTIONS } from "./ui-options.js";
import { UNDO_OPTIONS } from "./undo-options.js";
import { VERIFY_OPTIONS } from "./verify-options.js";
import { VERSION_OPTIONS } from "./version-options.js";
import { WRITING_OPTIONS } from "./writing-options.js";

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

/** The value of every option, whichever command runs: flag before environment before file before default. */
export type Settings = { readonly [Name in OptionName]: z.output<(typeof OPTIONS)[Name]["schema"]> };

/** The table's rows, those of one command or all. */
export function optionsOf(command?: CommandName): readonly (readonly [OptionName, Option<unknown>])[] {
  const rows = Object.entries(OPTIONS) as [OptionName, Option<unknown>][];
  return command === undefined ? rows : rows.filter(([, row]) => row.commands.includes(command));
}

/** Every option's default. */
export function defaultSettings(): Settings {
  // Every row's fallback is of its own schema's type, which fromEntries can't say.
  return Object.fromEntries(optionsOf().map(([name, row]) => [name, row.fallback])) as unknown as Settings;
}
