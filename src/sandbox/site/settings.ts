/** The specification's tables, or the answers of one of the real sites (facts, 0.3). */
export const DIALECTS = ["specification", "dozuki", "ifixit"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A guide type of the site; with a prompt, guides of the type need a subject (facts, 3.8). */
export interface GuideType {
  readonly title: string;
  readonly prompt?: string;
}

export interface StepLimits {
  readonly line: number;
  readonly lines: number;
  readonly imageWidth: number;
  readonly imageHeight: number;
}

/** The settings for rules and views, fixed at the start. */
export interface Settings {
  readonly dialect: Dialect;
  readonly name: string;
  readonly title: string;
  /** The host name of the loaded answers, served by `GET /sites/info`. */
  readonly domain: string;
  readonly private: boolean;
  readonly languages: readonly [string, ...string[]];
  readonly guideTypes: Readonly<Record<string, GuideType>>;
  readonly settableFlags: readonly string[];
  readonly extensions: readonly string[];
  readonly appId: string | null;
  readonly tokenLifetime: number | null;
  readonly guideTranslations: "no" | "refused" | "yes";
  readonly pageTranslations: "yes" | "ignored";
  /** May change while the site runs. */
  stepLimits: StepLimits;
  readonly reencodes: boolean;
  readonly revisionField: "guide_revisionid" | "revisionid";
  readonly categoryRevisionNull: boolean;
  readonly videoPolls: number;
  readonly disabled: ReadonlyMap<FamilyName, 404 | 405 | 501>;
  readonly granularPermissions: boolean;
  readonly wholeLists: boolean;
  readonly completionsPerHour: number;
  readonly training: TrainingSettings;
}

export const IMAGE_EXTENSIONS: readonly string[] = [
  "jpeg",
  "jpg",
  "gif",
  "png",
  "bmp",
  "tiff",
  "tif",
  "heic",
  "webp",
  "avif",
];
export const VIDEO_EXTENSIONS: readonly string[] = ["mp4", "mov", "webm", "m4v", "avi", "mkv", "ogv"];

/** Families that a site can disable (option `disabled`). */
export const FAMILY_NAMES = [
  "approvals",
  "badges",
  "comments",
  "collections",
  "completions",
  "external_training_modules",
  "favorites",
  "periodic_review",
  "quizzes",
  "releases",
  "search",
  "step_forms",
  "teams",
  "user_flags",
  "user_view_history",
  "users",
  "viewers",
  "work_log",
] as const;

export type FamilyName = (typeof FAMILY_NAMES)[number];

/** What is unknown about training modules can be set both ways. */
export interface TrainingSettings {
  /** `GET current` leaves out modules that were never published. Default false. */
  readonly hidesDrafts: boolean;
  /** Imports don't show their file name or address. Default false. */
  readonly hidesSources: boolean;
  /** Requests for its progress that find a job running. Default 3, one for each stage. */
  readonly looks: number;
  /** Instead of `looks`: a job's milliseconds by the clock of the site. Default null. */
  readonly milliseconds: number | null;
  /** A larger package gets 413. Default: no limit. */
  readonly maxBytes: number;
  /** For a second start, and a cancel after the end. 409 has the import. Default 422. */
  readonly wrongState: 409 | 422;
  /** Publishing without a draft gets `wrongState`. Default false: 200 without a change. */
  readonly publishesOnce: boolean;
  /**
   * The form of answers: `flat` is `{importid, status: "running"}`, `nested` is `{data: {importId,
   * state: "RUNNING"}}`. Default `flat`.
   */
  readonly dialect: "flat" | "nested";
}
