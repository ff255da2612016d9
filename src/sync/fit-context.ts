import type { FitContext } from "../../transforms/fit/context.js";
import { SERVICE_LIMITS } from "../../transforms/fit/limits.js";
import { resizedOf } from "../../transforms/fit/resized-key.js";
import type { Resolution } from "../../transforms/references/rewrite-options.js";
import { type Key, type Kind, wikiOf } from "../core/model/key.js";
import type { CheckedMedia } from "./checked-media.js";
import { isAtSource } from "./context.js";
import type { LoadJob } from "./load-job.js";
import type { Moving } from "./moving.js";
import { notResizable } from "./resize-image.js";
import { measure } from "./texts.js";

type FittingMedia = Pick<CheckedMedia, "refused" | "sizeOf" | "extensionOf" | "addressOf">;

/** What the rules of what a site takes may ask, answered for one target and one set of items that move. */
export function fitContext(job: LoadJob, moving: Moving, media: FittingMedia): FitContext {
  const { guideTypes, subjectTypes, flags } = job.survey;
  const sites = { source: () => job.source, target: () => job.survey.identity, dangling: job.options.dangling };
  const resolve = (key: Key): Resolution => {
    if (moving.has(key)) return { later: true };
    return isAtSource(job, key) ? { never: true } : { absent: true };
  };
  return {
    limits: { ...SERVICE_LIMITS, ...job.stepLimits, guideTypes, subjectTypes, flags },
    policy: job.options.fit,
    measure: measure(sites, "line", { resolve, addressOf: media.addressOf }, (kind) => DIGITS[kind]),
    imageSize: (key) => resizedOf(key)?.size ?? media.sizeOf(key),
    smallImages: job.options.smallImages ?? "enlarge",
    notResizable: (key) => notResizable(media.extensionOf(key)),
    mediaRefused: (key) => resizedOf(key) === undefined && media.refused.has(key),
    isThere: (key) => job.people.pages.has(key),
    isNobody: (key) => {
      const { namespace, title } = wikiOf(key);
      const known = namespace === "TEAM" ? job.people.teams : job.people.users;
      return known.get(Number(title))?.given === "nobody";
    },
  };
}

/** Digits that an id may have at any target: fixed, so that a text is divided in the same way in every run. */
const DIGITS: Readonly<Record<Kind, number>> = {
  guide: 7,
  step: 8,
  image: 8,
  video: 8,
  document: 8,
  category: 0,
  wiki: 0,
  record: 0,
};
