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
export type { Call, CallOf, GuideFields, Verb, WikiFields } from "./core/model/call.js";
export { keySchema, type Person, personSchema, type SiteIdentity, type Team } from "./core/model/identity.js";
export { type Issue, issueSchema, type Report } from "./core/model/issue.js";
export {
  type Comment,
  type Content,
  commentSchema,
  contentSchema,
  type Guide,
  type GuideItem,
  guideSchema,
  type Item,
  type ItemOf,
  itemSchema,
  type Line,
  lineSchema,
  type Media,
  type MediaItem,
  type MediaUse,
  mediaSchema,
  mediaUseSchema,
  type Part,
  partSchema,
  recordSchema,
  type ServiceRecord,
  type Step,
  type StepMedia,
  stepMediaSchema,
  stepSchema,
  type Wiki,
  type WikiItem,
  wikiSchema,
} from "./core/model/item.js";
export {
  ITEM_KINDS,
  type ItemKind,
  type Key,
  type Kind,
  kindOf,
  NAMESPACES,
  type Namespace,
} from "./core/model/key.js";
export {
  type BackupOptions,
  type BackupResult,
  type BundlePlanResult,
  type BundleResult,
  backup,
  type ExtractOptions,
  type ExtractResult,
  extract,
  type LoadOptions,
  load,
  type MigrateOptions,
  type MigrateResult,
  migrate,
  type PlanOptions,
  type PlanResult,
  plan,
  type UndoOptions,
  type UndoResult,
  undo,
  type VerifyOptions,
  type VerifyResult,
  verify,
} from "./library/library.js";
export type { ArchiveKeys, RunHooks, Site, Told } from "./library/operate.js";
export type { ChosenTransform, OptionValues } from "./library/option-values.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export { inspectWorkspace, type ReadonlyWorkspace } from "./storage/workspace/inspect.js";
export type { ProgressEvent, Stage } from "./sync/control.js";
