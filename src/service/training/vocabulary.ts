import type { ImportPhase } from "../../core/training.js";

// Every word of the service's external training modules that guideferry knows. None of them is
// documented (training modules,
// 1.3 and 7): where a real site says otherwise, `guideferry training probe` shows how, and this
// file is what has to change.

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

/** The fields that are sent. */
export const SENT = {
  title: "title",
  module: "moduleid",
  url: "url",
  /**
   * Of the part of a form that holds the package; the engine's own clients call it so (training
   * modules, 1.2).
   */
  file: "file",
} as const;

/** What the package is sent as; the engine takes no other kind of archive. */
export const PACKAGE_TYPE = "application/zip";

/**
 * Names of fields in answers, of which the first that holds something is taken. Letter case, `_`,
 * `-` and blanks don't count: `importid` stands for `importId` and `import_id` too.
 */
export const FIELDS = {
  moduleId: ["externaltrainingmoduleid", "trainingmoduleid", "moduleid", "id"],
  // The engine's job has an id of its own, which is the import's only where there is no other.
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

/**
 * Fields that hold nothing but the answer proper: what stands inside counts before what stands
 * beside it.
 */
const ENVELOPES = ["data", "response", "payload"] as const;

/**
 * Where an answer about a module, or an import, keeps it. `inside`: the thing itself; `beside`:
 * more that is said of it.
 */
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

/** Where an answer about the use of a module keeps its list. */
export const USAGE_PLACES = ["usage", "usages", "usedin", "usedby", ...ENVELOPES] as const;

/** The field of a module that holds the version which learners see. */
export const CURRENT_VERSION = ["current", "currentversion", "published", "publishedversion"] as const;

/**
 * What a site's word says of an import; compared without letter case, blanks and signs, also behind
 * `import` or `job` (`IMPORT_COMPLETE`). Any other word is `running`: an import is never sent
 * twice, nor called done, for a word that nobody knows.
 */
export const PHASES: Readonly<Record<string, ImportPhase>> = {
  // Nothing was sent to it yet, so it may be started (again). Only words that can't mean anything
  // else stand here.
  created: "created",
  new: "created",
  initial: "created",
  initialized: "created",
  initialised: "created",
  notstarted: "created",
  awaitingupload: "created",
  waitingforupload: "created",
  // The engine's own word is RUNNING. "Pending" and "queued" are what most job systems call work
  // that was accepted and waits its turn; read as `created`, a lost answer would lead to a second
  // upload of it.
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
  // No "ready" (to be started? to be seen?) and no "completed with errors": a person has to look.
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

/** What stands before a state in some spellings: `JOB_FAILED`. */
export const STATE_PREFIX = /^(?:import|job)(?=[a-z])/;

/**
 * The learning standards by the engine's two sets of names (training modules, 1.2, 9), as
 * `plainWord` writes them.
 */
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

/** How names and words are compared. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
