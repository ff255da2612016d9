// The library's public face. What is not named here may change without notice.

export { type Converted, type ConvertOptions, convert } from "../transforms/convert/convert.js";
export type { SourceFormat, TargetFormat } from "../transforms/convert/formats.js";
export type { ConvertIssue } from "../transforms/convert/setting.js";
export type { Credentials } from "./api/credentials.js";
export { type Location, parseLocation } from "./api/location.js";
export { type Redact, Secret } from "./api/secret.js";
export { createSource, type OpenMedia, type SourceParts } from "./api/source/source.js";
export type { SourceOptions } from "./api/source/source-settings.js";
export { createStack, type Stack, type StackOptions } from "./api/stack.js";
export { createTarget, type TargetOptions } from "./api/target/target.js";
export type { Goal, Rewritten, Texts } from "./api/target/texts.js";
export { type Config, configSchema } from "./commands/options/config-schema.js";
export { type ConnectedTarget, connectSource, connectTarget, type TargetChoices } from "./compose.js";
export type { Connected, Site, Talk } from "./compose-stack.js";
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
} from "./contracts.js";
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
} from "./errors.js";
export type { Call, CallOf, GuideFields, Verb, WikiFields } from "./model/call.js";
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
} from "./model/guide.js";
export { type Issue, issueSchema, type Report } from "./model/issue.js";
export { type GuideItem, type Item, type ItemOf, itemSchema, type MediaItem, type WikiItem } from "./model/item.js";
export { ITEM_KINDS, type ItemKind, type Key, type Kind, kindOf, NAMESPACES, type Namespace } from "./model/key.js";
export {
  type Content,
  contentSchema,
  type Media,
  type MediaUse,
  mediaSchema,
  mediaUseSchema,
} from "./model/media.js";
export { recordSchema, type ServiceRecord } from "./model/record.js";
export { keySchema, type Person, personSchema, type Team } from "./model/shared.js";
export { type Wiki, wikiSchema } from "./model/wiki.js";
export type { Control, ProgressEvent, Stage } from "./pipeline/control.js";
export { extract } from "./pipeline/extract.js";
export type { ExtractOptions, ExtractParts } from "./pipeline/extract-run.js";
export { describeExtract, type ExtractSummary } from "./pipeline/extract-summary.js";
export { DEFAULT_FAILURE_LIMIT, FailureBrake, type FailureLimit } from "./pipeline/failure-brake.js";
export { type LoadParts, type LoadSummary, load } from "./pipeline/load.js";
export type { LoadOptions } from "./pipeline/load-job.js";
export { type LossReport, writeLossReport } from "./pipeline/loss-report.js";
export { type Plan, type PlannedItem, type PlanParts, plan } from "./pipeline/plan.js";
export { EVERYTHING, type Selection } from "./pipeline/select.js";
export { type Difference, type VerifyParts, type VerifySummary, verify } from "./pipeline/verify/verify.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export { inspectWorkspace, type ReadonlyWorkspace } from "./workspace/inspect.js";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace/workspace.js";
