// The library's public face. What is not named here may change without notice.

export { type Converted, type ConvertOptions, convert } from "../transforms/convert/convert.js";
export type { SourceFormat, TargetFormat } from "../transforms/convert/formats.js";
export type { ConvertIssue } from "../transforms/convert/setting.js";
export type { Credentials } from "./service/credentials.js";
export { type Location, parseLocation } from "./service/location.js";
export { type Redact, Secret } from "./service/secret.js";
export { createSource, type OpenMedia, type SourceParts } from "./service/source/source.js";
export type { SourceOptions } from "./service/source/source-settings.js";
export { createStack, type Stack, type StackOptions } from "./service/stack.js";
export { createTarget, type TargetOptions } from "./service/target/target.js";
export type { Goal, Rewritten, Texts } from "./service/target/texts.js";
export { type Config, configSchema } from "./commands/options/config-schema.js";
export { type ConnectedTarget, connectSource, connectTarget, type TargetChoices } from "./commands/compose.js";
export type { Connected, Site, Talk } from "./commands/compose-stack.js";
export type {
  Context,
  Directory,
  Ledger,
  Listed,
  ListOptions,
  Loaded,
  Opened,
  Operation,
  OperationState,
  PeopleMaps,
  PeopleRow,
  Phase,
  Receipt,
  SiteIdentity,
  Source,
  Survey,
  Target,
  Transform,
  TransformContext,
  TransformSpec,
  Written,
} from "./core/contracts.js";
export {
  ArchiveError,
  type ArchiveFinding,
  BrakeError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  EXIT,
  type ExitCode,
  FerryError,
  SignInError,
  StatusError,
  StoppedError,
  UsageError,
  WorkspaceError,
} from "./core/errors.js";
export type { Call, CallOf, GuideFields, Verb, WikiFields } from "./core/model/call.js";
export {
  type Comment,
  commentSchema,
  type Guide,
  guideSchema,
  type Line,
  lineSchema,
  type Part,
  partSchema,
  type Step,
  type StepMedia,
  stepMediaSchema,
  stepSchema,
} from "./core/model/guide.js";
export { type Issue, issueSchema, type Report } from "./core/model/issue.js";
export { type GuideItem, type Item, type ItemOf, itemSchema, type MediaItem, type WikiItem } from "./core/model/item.js";
export { ITEM_KINDS, type ItemKind, type Key, type Kind, kindOf, NAMESPACES, type Namespace } from "./core/model/key.js";
export {
  type Content,
  contentSchema,
  type Media,
  type MediaUse,
  mediaSchema,
  mediaUseSchema,
} from "./core/model/media.js";
export { recordSchema, type ServiceRecord } from "./core/model/record.js";
export { keySchema, type Person, personSchema, type Team } from "./core/model/shared.js";
export { type Wiki, wikiSchema } from "./core/model/wiki.js";
export type { Control, ProgressEvent, Stage } from "./sync/control.js";
export { extract } from "./sync/extract.js";
export type { ExtractOptions, ExtractParts } from "./sync/extract-run.js";
export { describeExtract, type ExtractSummary } from "./sync/extract-summary.js";
export { DEFAULT_FAILURE_LIMIT, FailureBrake, type FailureLimit } from "./sync/failure-brake.js";
export { type LoadParts, type LoadSummary, load } from "./sync/load.js";
export type { LoadOptions } from "./sync/load-job.js";
export { type LossReport, writeLossReport } from "./sync/loss-report.js";
export { type Plan, type PlannedItem, type PlanParts, plan } from "./sync/plan.js";
export { EVERYTHING, type Selection } from "./sync/select.js";
export { type Difference, type VerifyParts, type VerifySummary, verify } from "./sync/verify/verify.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export { inspectWorkspace, type ReadonlyWorkspace } from "./storage/workspace/inspect.js";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./storage/workspace/workspace.js";
