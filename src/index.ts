// The library's public face. What is not named here may change without notice.

export { type Converted, type ConvertOptions, convert } from "../transforms/convert/convert.js";
export type { ConvertIssue, SourceFormat, TargetFormat } from "../transforms/convert/formats.js";
export { type ConnectedTarget, connectSource, connectTarget, type TargetChoices } from "./commands/compose.js";
export type { Connected, Site, Talk } from "./commands/compose-stack.js";
export { type Config, configSchema } from "./commands/options/settings.js";
export type { Context, Ledger, Listed, ListOptions, Opened, Source, Survey, Target } from "./core/contracts.js";
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
export type {
  Directory,
  Loaded,
  Operation,
  OperationState,
  PeopleMaps,
  PeopleRow,
  Phase,
  Receipt,
  Written,
} from "./core/writing.js";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/index.js";
export { type Location, parseLocation } from "./service/http/address.js";
export { type Redact, Secret } from "./service/http/secret.js";
export type { Credentials } from "./service/http/sign-in.js";
export { createStack, type Stack, type StackOptions } from "./service/http/stack.js";
export type { SourceOptions } from "./service/source/session.js";
export { createSource, type OpenMedia, type SourceParts } from "./service/source/source.js";
export { createTarget, type TargetOptions } from "./service/target/target.js";
export { SiteTexts, type TextSites } from "./service/target/texts.js";
export { inspectWorkspace, type ReadonlyWorkspace } from "./storage/workspace/inspect.js";
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./storage/workspace/workspace.js";
export type { Control, ProgressEvent, Stage } from "./sync/control.js";
export { CircuitBreaker, DEFAULT_FAILURE_LIMIT, type FailureLimit } from "./sync/control.js";
export { extract } from "./sync/extract/extract.js";
export type { ExtractOptions, ExtractParts } from "./sync/extract/run.js";
export { describeExtract, type ExtractSummary } from "./sync/extract/summary.js";
export { type LoadParts, load } from "./sync/load/load.js";
export type { LoadOptions } from "./sync/load/load-job.js";
export type { LoadSummary } from "./sync/load/load-summary.js";
export { type LossReport, writeLossReport } from "./sync/load/loss-report.js";
export { type Plan, type PlannedItem, type PlanParts, plan } from "./sync/plan/plan.js";
export { EVERYTHING, type Selection } from "./sync/selection.js";
export { type Difference, type VerifyParts, type VerifySummary, verify } from "./sync/verify/verify.js";
