import { SERVICE_LIMITS } from "../../../transforms/fit/limits.js";
import type { LimitQuestions } from "../../core/contracts.js";
import { isObject } from "../../core/util/json.js";
import type { Ask } from "../../service/check/ask.js";
import type { GuidePlacement } from "../../service/check/probe-items.js";
import { probeRate } from "../../service/check/probe-rate.js";
import { probeNames } from "../../service/check/probe-things.js";
import { probeWrite } from "../../service/check/probe-write.js";
import { readSite } from "../../service/check/read-site.js";
import type { Leftover, SiteFacts } from "../../service/check/site-facts.js";
import { readSiteInfo, type SiteInfo } from "../../service/wire/site.js";
import { placeOf } from "./check-line.js";

/** A site that is to be checked. */
export interface CheckedSite {
  readonly ask: Ask;
  readonly root: string;
  /** Requests a second at most; null: no limit. */
  readonly rate: number | null;
  readonly signedIn: boolean;
  readonly variables: string;
}

export interface CheckChoices {
  readonly probeWrite: boolean;
  readonly now: Date;
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  readonly onLeft: (left: Leftover) => void;
}

/**
 * Asks a site everything; nothing is written but by the probe, and only where somebody is signed
 * in. Rejects when stopped before the probe.
 */
export async function checkSite(site: CheckedSite, choices: CheckChoices): Promise<SiteFacts> {
  const { ask, root, rate, signedIn, variables } = site;
  const { stop, abort, onLeft, now } = choices;
  const read = await readSite(ask, root, signedIn, stop);
  const isOpen = read.counts.length > 0;
  const facts: SiteFacts = {
    root,
    signedIn,
    variables,
    ...read,
    rate: isOpen ? await probeRate(ask, rate, stop) : null,
    wantsWrites: choices.probeWrite,
    written: null,
  };
  if (!choices.probeWrite || !isOpen || !signedIn) return facts;
  const home = await homeFor(ask, facts, stop);
  const languages = infoOf(facts)?.languages ?? [];
  const parts = { ask, root, names: probeNames(now), home, languages, limits: LIMITS, stop, abort, onLeft };
  const written = await probeWrite(parts);
  return { ...facts, written };
}

/**
 * More than most content needs: a site that takes so much refuses nothing of it. Sizes of pictures
 * down to the least that can be uploaded (api-facts 5.2).
 */
const LIMITS: LimitQuestions = {
  lineLength: { known: SERVICE_LIMITS.lineLength, wanted: 2000 },
  linesPerStep: { known: SERVICE_LIMITS.linesPerStep, wanted: 20 },
  images: {
    known: SERVICE_LIMITS.minimumImage,
    wanted: [
      { width: 799, height: 599 },
      { width: 640, height: 480 },
      { width: 400, height: 300 },
      { width: 200, height: 150 },
      SERVICE_LIMITS.minimumUpload,
    ],
  },
};

function infoOf({ reads, root }: SiteFacts): SiteInfo | undefined {
  return reads.info?.status === 200 ? readSiteInfo(placeOf(reads.info, root)) : undefined;
}

/** The specification's first type, where a site does not tell its own. */
const USUAL_TYPE = "replacement";

/**
 * A category that is there, and a type that the site takes; null: there is no category, and none is
 * made for this.
 */
async function homeFor(ask: Ask, { reads, root }: SiteFacts, signal: AbortSignal): Promise<GuidePlacement | null> {
  const { json } = await ask({ path: "wikis/CATEGORY?limit=1" }, signal);
  const [first] = Array.isArray(json) ? json.filter(isObject) : [];
  const category = first?.["title"];
  if (typeof category !== "string") return null;
  const info = reads.info?.status === 200 ? placeOf(reads.info, root) : undefined;
  const types = info === undefined ? [] : (readSiteInfo(info).guideTypes ?? []);
  // A type with a prompt needs a subject (api-facts 3.8).
  const wantsSubject = (type: string): boolean => Boolean(info?.at("guide-types").at(type).at("prompt").value);
  const type = types.find((one) => !wantsSubject(one)) ?? types[0] ?? USUAL_TYPE;
  return { category, type, subject: wantsSubject(type) ? "guideferry probe" : null };
}
