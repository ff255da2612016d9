import type { FamilyName } from "./state/family.js";
import type { Dialect, StepLimits } from "./state/settings.js";
import type { TrainingSettings } from "./state/training-settings.js";

/** How a sandbox starts. Every field has a default. */
export interface SandboxOptions {
  /** A folder of API answers (README, "The folder of a site"); without it the site is empty. */
  readonly site?: string;
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** What its answers look like. Default: what `site.json` says, else `specification`. */
  readonly dialect?: Dialect;
  /** The token that is signed in from the start; default 32 random hexadecimal digits. */
  readonly token?: string;
  /** The site's name. */
  readonly name?: string;
  /** A folder of API answers whose people and teams, and nothing else of it, are at the site too. Default: nobody is. */
  readonly people?: string;
  /** A private site answers 401 to every anonymous read. Default false. */
  readonly private?: boolean;
  /** The account that the token belongs to and that `POST /user/token` signs in. */
  readonly account?: {
    readonly email?: string;
    readonly password?: string;
    readonly username?: string;
    /** Default: one above the highest userid of the loaded site. */
    readonly userid?: number;
    /** Default true. Others see no private guides but their own. */
    readonly admin?: boolean;
  };
  /** The application id that a login must bring. Default: `sandbox-app` on ifixit, none needed elsewhere. */
  readonly appId?: string | null;
  /** How long a token lives, in milliseconds; default: until logout or `expireTokens()`. */
  readonly tokenLifetime?: number;
  /** Guide types that the site takes; default: `site.json`, else all eight. */
  readonly guideTypes?: readonly string[];
  /** Guide flags that the account may set; default: `site.json`, else a usual set. */
  readonly flags?: readonly string[];
  /** File extensions that uploads may have; default: `site.json`, else images, PDF, 3D models and videos. */
  readonly extensions?: readonly string[];
  /** Language ids, the default language first; default: `site.json`, else `["en"]`. */
  readonly languages?: readonly string[];
  /**
   * What a PATCH of a guide or step with `langid` does (facts, 4.1: none is known). `no`, the default: `langid` is not looked at, so the text of the source
   * language is written over. `refused`: 422. `yes`: it starts a translation, or changes it.
   */
  readonly guideTranslations?: "no" | "refused" | "yes";
  /**
   * What a PATCH of a page with `langid` does. `yes`, the default: it starts a translation, or changes it (facts, 8.1). `ignored`: `langid` of a
   * write is not looked at, so the text of the source language is written over, and the answer shows it.
   */
  readonly pageTranslations?: "yes" | "ignored";
  /**
   * Limits of steps that the specification does not state: characters of a line, lines of a step, least pixels of an image of a step.
   * Default: what `site.json` says, else `usual`: 350 characters, 8 lines, 800 x 600 (facts, 4.4 and 4.5). `none`: no limit.
   */
  readonly stepLimits?: "usual" | "none" | Partial<StepLimits>;
  /** An image that is attached gets a new id, with `srcid` the old one (facts, 4.5). Default true. */
  readonly reencodes?: boolean;
  /** Which field's value guide writes must send where a guide has both (facts, 3.10: open on dozuki). Default `guide_revisionid`. */
  readonly revisionField?: "guide_revisionid" | "revisionid";
  /** A read of a CATEGORY answers `revisionid: null` (facts, 8.2). Default: true on dozuki. */
  readonly categoryRevisionNull?: boolean;
  /** How many times a new video answers `isReady: false`. Default 1. */
  readonly videoPolls?: number;
  /** Families that are switched off on this site. Default: none. */
  readonly disabled?: readonly FamilyName[];
  /** What a family that is switched off answers. Default 404. */
  readonly disabledStatus?: 404 | 405 | 501;
  /** Switches the six viewer endpoints off: they answer 405 (specification, Guides). Default false. */
  readonly granularPermissions?: boolean;
  /** More completions than so many in an hour by one person get 420 (specification: rate limited, no number). Default: no limit. */
  readonly completionsPerHour?: number;
  /** Lists whose paging nobody knows take no notice of `offset` and `limit` and answer all. Default false: they page. */
  readonly wholeLists?: boolean;
  /** How the site deals with external training modules; each field has its default. */
  readonly training?: Partial<TrainingSettings>;
  /** `other-port` serves media from an origin of their own, as a real CDN does. Default `same`. */
  readonly mediaOrigin?: "same" | "other-port";
  /** More than so many API requests in any window of `perMs` milliseconds get 429. Default: no limit. */
  readonly rateLimit?: {
    readonly requests: number;
    readonly perMs: number;
    /** Also send `Retry-After`, in whole seconds. Default true. */
    readonly retryAfter?: boolean;
  };
  /** Milliseconds since 1970 for the dates that the site writes, and for `rateLimit`; default: the real clock. */
  readonly now?: () => number;
}
