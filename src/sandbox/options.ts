import { type Answer, isAnswer, numberAt, textAt, textsAt } from "./site/answer.js";
import {
  DIALECTS,
  type Dialect,
  type FamilyName,
  type GuideType,
  IMAGE_EXTENSIONS,
  type Settings,
  type StepLimits,
  type TrainingSettings,
  VIDEO_EXTENSIONS,
} from "./site/settings.js";

/** Every field has a default. */
export interface SandboxOptions {
  /** A folder of API answers (docs/design/sandbox.md); without it the site is empty. */
  readonly site?: string;
  /** The port on 127.0.0.1; 0, the default, uses a free one. */
  readonly port?: number;
  /** The form of the answers. Default: from `site.json`, else `specification`. */
  readonly dialect?: Dialect;
  /** A token that is signed in from the start; default 32 random hexadecimal digits. */
  readonly token?: string;
  readonly name?: string;
  /** A folder of API answers, of which only people and teams are loaded too. Default: none. */
  readonly people?: string;
  /** A private site answers 401 to every anonymous read. Default false. */
  readonly private?: boolean;
  /** The account of the token, for `POST /user/token` too. */
  readonly account?: {
    readonly email?: string;
    readonly password?: string;
    readonly username?: string;
    /** Default: one above the highest userid of the loaded site. */
    readonly userid?: number;
    /** Default true. Others see no private guides except their own. */
    readonly admin?: boolean;
  };
  /** The application id that a login needs. Default: `sandbox-app` on ifixit, else none. */
  readonly appId?: string | null;
  /** Milliseconds that a token is valid; default: until logout or `expireTokens()`. */
  readonly tokenLifetime?: number;
  /** Accepted guide types; default: `site.json`, else all eight. */
  readonly guideTypes?: readonly string[];
  /** Guide flags that the account may set; default: `site.json`, else a usual set. */
  readonly flags?: readonly string[];
  /** Accepted file extensions; default: `site.json`, else images, PDF, 3D models and videos. */
  readonly extensions?: readonly string[];
  /** Language ids, the default language first; default: `site.json`, else `["en"]`. */
  readonly languages?: readonly string[];
  /**
   * The effect of a PATCH of a guide or step with `langid` (facts, 4.1: unknown). `no`, the
   * default: `langid` is ignored, so the write replaces the source text. `refused`: 422. `yes`: it
   * starts or edits a translation.
   */
  readonly guideTranslations?: "no" | "refused" | "yes";
  /**
   * The effect of a PATCH of a page with `langid`. `yes`, the default: it starts or edits a
   * translation (facts, 8.1). `ignored`: the write replaces the source text, and the answer shows
   * it.
   */
  readonly pageTranslations?: "yes" | "ignored";
  /**
   * Limits of steps that the specification does not state: characters of a line, lines of a step,
   * least pixels of an image. Default: from `site.json`, else `usual`: 350 characters, 8 lines, 800
   * x 600 (facts, 4.4 and 4.5). `none`: no limit.
   */
  readonly stepLimits?: "usual" | "none" | Partial<StepLimits>;
  /** An attached image gets a new id, with the old one in `srcid` (facts, 4.5). Default true. */
  readonly reencodes?: boolean;
  /**
   * The revision field that guide writes need, for a guide with both (facts, 3.10: unknown on
   * dozuki). Default `guide_revisionid`.
   */
  readonly revisionField?: "guide_revisionid" | "revisionid";
  /** A read of a CATEGORY answers `revisionid: null` (facts, 8.2). Default: true on dozuki. */
  readonly categoryRevisionNull?: boolean;
  /** How many times a new video answers `isReady: false`. Default 1. */
  readonly videoPolls?: number;
  /** Families that this site does not have. Default: none. */
  readonly disabled?: readonly FamilyName[];
  /** The answer of a disabled family. Default 404. */
  readonly disabledStatus?: 404 | 405 | 501;
  /** Disables the six viewer endpoints: they answer 405 (specification, Guides). Default false. */
  readonly granularPermissions?: boolean;
  /**
   * Further completions of a person in an hour get 420 (no number is public). Default: no limit.
   */
  readonly completionsPerHour?: number;
  /** Lists whose paging is unknown answer all rows. Default false: they page. */
  readonly wholeLists?: boolean;
  /** Settings of external training modules; each field has its default. */
  readonly training?: Partial<TrainingSettings>;
  /** `other-port` serves media from their own origin, like a real CDN. Default `same`. */
  readonly mediaOrigin?: "same" | "other-port";
  /** Further API requests in any window of `perMs` milliseconds get 429. Default: no limit. */
  readonly rateLimit?: {
    readonly requests: number;
    readonly perMs: number;
    /** Also send `Retry-After`, in whole seconds. Default true. */
    readonly retryAfter?: boolean;
  };
  /** UNIX milliseconds for the dates of the site, and for `rateLimit`; default: the real clock. */
  readonly now?: () => number;
}

/** The settings of a site: options win over `site.json`, which wins over defaults. */
export function settingsFrom(options: SandboxOptions, file: Answer, firstGuide: Answer): Settings {
  const dialect = options.dialect ?? DIALECTS.find((one) => one === file["dialect"]) ?? "specification";
  const name = options.name ?? textAt(file, "name", "sandbox");
  const languages = options.languages ?? textsAt(file, "languages");
  return {
    dialect,
    name,
    title: textAt(file, "title", name),
    domain: textAt(file, "domain", hostOf(textAt(file, "url", textAt(firstGuide, "url")))),
    private: options.private ?? file["private"] === true,
    languages: [languages[0] ?? "en", ...languages.slice(1)],
    guideTypes: guideTypes(options.guideTypes ?? file["guideTypes"], dialect === "ifixit"),
    settableFlags: listFrom(options.flags, file, "flags", SETTABLE_FLAGS),
    extensions: listFrom(options.extensions, file, "extensions", [
      ...IMAGE_EXTENSIONS,
      ...DOCUMENT_EXTENSIONS,
      ...VIDEO_EXTENSIONS,
    ]),
    appId: options.appId === undefined ? (dialect === "ifixit" ? "sandbox-app" : null) : options.appId,
    tokenLifetime: options.tokenLifetime ?? null,
    guideTranslations: options.guideTranslations ?? "no",
    pageTranslations: options.pageTranslations ?? "yes",
    stepLimits: stepLimits(options.stepLimits ?? file["stepLimits"]),
    reencodes: options.reencodes ?? true,
    revisionField: options.revisionField ?? "guide_revisionid",
    categoryRevisionNull: options.categoryRevisionNull ?? dialect === "dozuki",
    videoPolls: options.videoPolls ?? 1,
    disabled: new Map([
      ...(options.disabled ?? []).map((name) => [name, options.disabledStatus ?? 404] as const),
      ...(options.granularPermissions === true ? [["viewers", 405] as const] : []),
    ]),
    granularPermissions: options.granularPermissions ?? false,
    wholeLists: options.wholeLists ?? false,
    completionsPerHour: options.completionsPerHour ?? Number.POSITIVE_INFINITY,
    training: { ...USUAL_TRAINING, ...options.training },
  };
}

function stepLimits(value: unknown): StepLimits {
  if (value === "none") return NO_STEP_LIMITS;
  const given = isAnswer(value) ? value : {};
  const number = (name: keyof StepLimits): number => numberAt(given, name) ?? USUAL_STEP_LIMITS[name];
  return {
    line: number("line"),
    lines: number("lines"),
    imageWidth: number("imageWidth"),
    imageHeight: number("imageHeight"),
  };
}

/** Names, or `{title, prompt}` by name; with names only, some iFixit types need a subject. */
function guideTypes(value: unknown, prompts: boolean): Readonly<Record<string, GuideType>> {
  if (isAnswer(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, type]) => {
        const facts = isAnswer(type) ? type : {};
        const prompt = textAt(facts, "prompt");
        return [name, { title: textAt(facts, "title", titleOf(name)), ...(prompt === "" ? {} : { prompt }) }];
      }),
    );
  }
  const names: readonly string[] = Array.isArray(value)
    ? value.filter((name) => typeof name === "string")
    : GUIDE_TYPES;
  return Object.fromEntries(
    names.map((name) => {
      const prompt = prompts && TYPES_WITH_SUBJECT.includes(name) ? { prompt: "Which part?" } : {};
      return [name, { title: titleOf(name), ...prompt }];
    }),
  );
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** An empty list in the file counts; a new site can allow nothing at all (facts, 5.2). */
function listFrom(
  option: readonly string[] | undefined,
  file: Answer,
  field: string,
  usual: readonly string[],
): readonly string[] {
  return option ?? (Array.isArray(file[field]) ? textsAt(file, field) : usual);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "sandbox.example";
}

/** Facts, 4.4 and 4.5. */
const USUAL_STEP_LIMITS: StepLimits = { line: 350, lines: 8, imageWidth: 800, imageHeight: 600 };

const NO_STEP_LIMITS: StepLimits = {
  line: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
  imageWidth: 0,
  imageHeight: 0,
};

const GUIDE_TYPES = [
  "replacement",
  "installation",
  "repair",
  "disassembly",
  "teardown",
  "technique",
  "maintenance",
  "how-to",
] as const;

/** Types of guides about a part of the category on iFixit (facts, 3.8). */
const TYPES_WITH_SUBJECT: readonly string[] = ["repair", "installation", "replacement", "disassembly"];

/** Guide flags that a usual account may set, without those that only the server sets. */
const SETTABLE_FLAGS = [
  "GUIDE_STARRED",
  "GUIDE_FEATURED_STUDENT",
  "GUIDE_PREREQ_ONLY",
  "GUIDE_IN_PROGRESS",
  "GUIDE_ARCHIVED",
  "GUIDE_DELETE",
  "GUIDE_MISSING_STEPS",
  "GUIDE_MISSING_IMAGES",
  "GUIDE_MISSING_PREREQUISITES",
  "GUIDE_LOUSY_PICTURES",
  "GUIDE_INCONSISTENT_IMAGES",
  "GUIDE_MARKUP_PROBLEMS",
  "GUIDE_GRAMMAR_ERRORS",
  "GUIDE_INCORRECT_TEXT",
  "GUIDE_INCORRECT_TOOLS",
  "GUIDE_INCORRECT_BULLETS",
  "GUIDE_INCORRECT_PROCEDURE",
  "GUIDE_INCORRECT_PREREQUISITES",
  "GUIDE_UNNECESSARY_STEPS",
  "GUIDE_SPLIT_PREREQ",
  "GUIDE_IMPROPER_ACTION",
] as const;

const DOCUMENT_EXTENSIONS: readonly string[] = ["pdf", "stl", "step", "stp", "obj", "3mf"];

const USUAL_TRAINING: TrainingSettings = {
  hidesDrafts: false,
  hidesSources: false,
  looks: 3,
  milliseconds: null,
  maxBytes: Number.POSITIVE_INFINITY,
  wrongState: 422,
  publishesOnce: false,
  dialect: "flat",
};
