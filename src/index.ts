// The library's public face. What is not named here may change without notice.

export { type Converted, type ConvertOptions, convert } from "../transforms/convert/convert.js";
export type { ConvertIssue, SourceFormat, TargetFormat } from "../transforms/convert/formats.js";
export { type Config, configSchema } from "./commands/options/config-file.js";
export {
  ArchiveError,
  type ArchiveFinding,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  EXIT,
  type ExitCode,
  FerryError,
  SafetyLimitError,
  SignInError,
  StatusError,
  StoppedError,
  UsageError,
  WorkspaceError,
} from "./core/errors.js";
export type { Transform, TransformContext, TransformSpec } from "./core/formats.js";
export type { Issue, Report } from "./core/model/issue.js";
export { type Item, type ItemOf, itemSchema } from "./core/model/item.js";
export type { ItemKind, Key, Kind } from "./core/model/key.js";
export {
  backup,
  extract,
  importTraining,
  load,
  migrate,
  plan,
  restore,
  undo,
  verify,
} from "./library/library.js";
export type * from "./library/library.js";
export type { ArchiveKeys, RunHooks, Site, Told } from "./library/operate.js";
export type { ChosenTransform, OptionValues } from "./library/option-values.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export type { ProgressEvent, Stage } from "./sync/control.js";
