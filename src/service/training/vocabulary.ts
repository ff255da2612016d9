import type { ImportPhase } from "../../core/training.js";

// All words of external training modules. None is documented (training modules, 1.3 and 7): if a
// site differs, `guideferry training probe` shows it, and this file has to change.

/** Below the API root (specification, other families). */
export const ROUTES = {
  modules: "external_training_modules/current",
  drafts: "external_training_modules/drafts",
  draft: (module: string) => `external_training_modules/${module}/draft`,
  current: (module: string) => `external_training_modules/${module}/current`,
  usage: (module: string) => `external_training_modules/${module}/usage`,
  imports: (module: string) => `external_training_modules/${module}/imports`,
  newImport: "external_training_modules/imports",
  byUrl: (id: string) => `external_training_modules/imports/${id}/start/byUrl`,
  byUpload: (id: string) => `external_training_modules/imports/${id}/start/byUpload`,
  cancel: (id: string) => `external_training_modules/imports/${id}/cancel`,
  progress: (id: string) => `external_training_modules/imports/${id}/progress`,
  preview: (id: string) => `external_training_modules/imports/${id}/preview`,
} as const;

export const SENT = {
  title: "title",
  module: "moduleid",
  url: "url",
  /** The form field of the package, by the engine's clients (training modules, 1.2). */
  file: "file",
} as const;

/** The engine accepts no other type of archive. */
export const PACKAGE_TYPE = "application/zip";

/** The first name with a value counts. `plainWord` ignores case, `_`, `-` and blanks. */
export const FIELDS = {
  moduleId: ["externaltrainingmoduleid", "trainingmoduleid", "moduleid", "id"],
  // The engine's job has its own id, which counts only if the answer has no other.
  importId: ["importid", "externaltrainingmoduleimportid", "id", "importjobid", "jobid"],
  title: ["title", "name", "displaytitle", "label"],
  currentImport: ["currentimportid", "currentimport", "publishedimportid", "publishedimport"],
  state: ["status", "state", "phase", "importstatus", "jobstatus"],
  message: ["message", "errormessage", "statusmessage", "failurereason", "reason", "error", "detail", "details"],
  errors: ["errors"],
  warnings: ["parserwarnings", "importwarnings", "warnings"],
  source: [
    "filename",
    "uploadedfilename",
    "originalfilename",
    "originalname",
    "sourcename",
    "sourceurl",
    "url",
    "file",
  ],
  link: ["launchlink", "previewlink", "previewurl", "launchurl", "link", "url", "href", "preview"],
  kind: ["type", "kind", "datatype", "documenttype", "doctype", "context"],
} as const;

/** Fields that only wrap the answer. */
const ENVELOPES = ["data", "response", "payload"] as const;

/** `inside`: the thing itself; `beside`: more about it. */
export const PLACES = {
  module: {
    inside: ["externaltrainingmodule", "trainingmodule", "module", "modules", ...ENVELOPES],
    beside: ["result", "current", "currentversion", "draft"],
  },
  import: {
    inside: ["moduleimport", "importrecord", "import", "imports", ...ENVELOPES],
    beside: ["progress", "job", "importjob", "result", "importresult", "source"],
  },
} as const satisfies Readonly<Record<string, Place>>;

export interface Place {
  readonly inside: readonly string[];
  readonly beside: readonly string[];
}

/** Fields with the list in an answer about the use of a module. */
export const USAGE_PLACES = ["usage", "usages", "usedin", "usedby", ...ENVELOPES] as const;

/** The field of a module with the version that learners see. */
export const CURRENT_VERSION = ["current", "currentversion", "published", "publishedversion"] as const;

/**
 * State words without case, blanks and signs, also after `import` or `job` (`IMPORT_COMPLETE`). Any
 * other word is `running`: an unknown word never starts or ends an import.
 */
export const PHASES: Readonly<Record<string, ImportPhase>> = {
  // Nothing was sent yet, so it may be started (again): only words with no other meaning.
  created: "created",
  new: "created",
  initial: "created",
  initialized: "created",
  initialised: "created",
  notstarted: "created",
  awaitingupload: "created",
  waitingforupload: "created",
  // They usually mean accepted work; as `created`, a lost answer would upload it twice.
  pending: "running",
  queued: "running",
  waiting: "running",
  scheduled: "running",
  started: "running",
  running: "running",
  inprogress: "running",
  uploading: "running",
  uploaded: "running",
  downloading: "running",
  processing: "running",
  importing: "running",
  // Without "ready" and "completed with errors": a person has to check these.
  complete: "complete",
  completed: "complete",
  completedwithwarnings: "complete",
  done: "complete",
  success: "complete",
  successful: "complete",
  succeeded: "complete",
  finished: "complete",
  imported: "complete",
  error: "failed",
  errored: "failed",
  fail: "failed",
  failed: "failed",
  failure: "failed",
  invalid: "failed",
  rejected: "failed",
  timeout: "failed",
  timedout: "failed",
  // Ended by somebody; "cancelling" is not the end yet.
  cancelled: "cancelled",
  canceled: "cancelled",
  aborted: "cancelled",
  discarded: "cancelled",
};

/** The prefix of a state in some spellings: `JOB_FAILED`. */
export const STATE_PREFIX = /^(?:import|job)(?=[a-z])/;

/** The engine's two sets of names (training modules, 1.2, 9), as `plainWord` writes them. */
export const STANDARD_WORDS = [
  "unknown",
  "scorm11",
  "scorm12",
  "scorm20042ndedition",
  "scorm20043rdedition",
  "scorm20044thedition",
  "aicc",
  "xapi",
  "cmi5",
  "lti13",
] as const;

/** The form in which names and words are compared. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
