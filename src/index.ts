// The library's public face. What is not named here may change without notice.

export { type Converted, type ConvertOptions, convert } from "../transforms/convert/convert.js";
export type { ConvertIssue, SourceFormat, TargetFormat } from "../transforms/convert/formats.js";
export type { TextContext } from "../transforms/wiki/tree.js";
export type { FillSummary } from "./backup/restore/fill-workspace.js";
export type { ResultEnd, RunEnd } from "./commands/command.js";
export { type Config, configSchema } from "./commands/options/config-file.js";
export type { LoadFacts } from "./commands/results.js";
export {
  ArchiveError,
  type ArchiveFinding,
  type ClashTexts,
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
export type { SiteIdentity } from "./core/model/identity.js";
export type { Issue, IssueCode, Report } from "./core/model/issue.js";
export { type Item, type ItemOf, itemSchema } from "./core/model/item.js";
export type { ItemKind, Key, Kind } from "./core/model/key.js";
export type { BundleLosses, PlannedFile, WrittenBundle } from "./documents/load-bundles.js";
export type * from "./library/library.js";
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
export type { ArchiveKeys, RunHooks, Site, Told } from "./library/operate.js";
export type { ChosenTransform, OptionValues } from "./library/option-values.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export type { Failure, FailureStage } from "./storage/workspace/failure-list.js";
export type { ProgressEvent, Stage } from "./sync/control.js";
export type { ExtractSummary } from "./sync/extract/summary.js";
export type { PlannedAction, PlannedItem, PlannedOperation, PlannedPlace } from "./sync/load/planned-item.js";
export type { PlanCounts } from "./sync/plan/plan.js";
export type { Refusal, UndoCounts, UndoOutcome } from "./sync/undo/undo-job.js";
export type { Difference, VerifySummary } from "./sync/verify/verify.js";
export type { Action } from "./training/package.js";
export type { ReportLine } from "./training/report/report-line.js";
