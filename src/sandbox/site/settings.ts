/**
 * What a site's answers look like: as the specification's tables, or as those of the two kinds of
 * real sites (facts, 0.3).
 */
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
  /** Least pixels of an image. */
  readonly imageWidth: number;
  readonly imageHeight: number;
}

/** What rules and views ask about, decided at the start. */
export interface Settings {
  readonly dialect: Dialect;
  readonly name: string;
  readonly title: string;
  /** The host name that the loaded answers lived at, served by `GET /sites/info`. */
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
  /** Families that are switched off, and what they answer. */
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

/** Families of endpoints that a site can have switched off (option `disabled`). */
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

/**
 * How a site deals with external training modules. What nobody knows of the service can be set both
 * ways.
 */
export interface TrainingSettings {
  /** `GET current` leaves out modules that were never published. Default false. */
  readonly hidesDrafts: boolean;
  /** Imports don't tell the file name or the address that they were started with. Default false. */
  readonly hidesSources: boolean;
  /**
   * How many looks at its progress find a job running before it ends. Default 3, one for each
   * stage.
   */
  readonly looks: number;
  /**
   * In place of looks: how long a job runs, in milliseconds by the clock of the site. Default null.
   */
  readonly milliseconds: number | null;
  /** A larger package gets 413. Default: no limit. */
  readonly maxBytes: number;
  /**
   * What a second start, and a cancel after the end, get. With 409 the body is the import. Default
   * 422.
   */
  readonly wrongState: 409 | 422;
  /**
   * Publishing again, with no draft, gets `wrongState`. Default false: it answers 200 and changes
   * nothing.
   */
  readonly publishesOnce: boolean;
  /**
   * How answers are spelt: `flat` is `{importid, status: "running"}`, `nested` is
   * `{data: {importId, state: "RUNNING"}}`. Default `flat`.
   */
  readonly dialect: "flat" | "nested";
}
