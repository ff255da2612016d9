import { SERVICE_LIMITS } from "../../../transforms/fit/limits.js";
import { ConnectionError, EXIT, type ExitCode, SignInError } from "../../core/errors.js";
import { isObject, listIn } from "../../core/util/json.js";
import type { Bound, LimitQuestions } from "../../core/writing.js";
import type { Ask } from "../../service/check/ask.js";
import type { GuidePlacement } from "../../service/check/probe-items.js";
import { probeNames } from "../../service/check/probe-things.js";
import { probeWrite } from "../../service/check/probe-write.js";
import { probeRate, readSite } from "../../service/check/read-site.js";
import type { Act, Leftover, SiteFacts } from "../../service/check/site-facts.js";
import { NOT_AVAILABLE } from "../../service/http/status-error.js";
import { readAccount } from "../../service/wire/people.js";
import { readDialect, readSiteInfo, type SiteInfo } from "../../service/wire/site.js";
import {
  answerText,
  type CheckLine,
  checkContent,
  checkLeftovers,
  checkPrivate,
  checkRate,
  cursorOf,
  failed,
  howToDelete,
  leftoverText,
  noAnswer,
  ok,
  unknown,
  type Verdict,
  warning,
} from "./check-line.js";

interface CheckedSite {
  readonly ask: Ask;
  readonly root: string;
  /** Requests a second; null: no limit. */
  readonly rate: number | null;
  readonly signedIn: boolean;
  readonly variables: string;
}

interface CheckChoices {
  readonly probeWrite: boolean;
  readonly now: Date;
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  readonly onLeft: (left: Leftover) => void;
}

/**
 * Asks a site everything. Only the probe writes, and only where somebody is signed in. Rejects when
 * stopped before the probe.
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
  const placement = await placementFor(ask, facts, stop);
  const languages = infoOf(facts)?.languages ?? [];
  const parts = { ask, root, names: probeNames(now), placement, languages, limits: LIMITS, stop, abort, onLeft };
  const written = await probeWrite(parts);
  return { ...facts, written };
}

/**
 * More than most content needs. Sizes of pictures down to the least that can be uploaded (api-facts
 * 5.2).
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
  return reads.info?.status === 200 ? readSiteInfo(cursorOf(reads.info, root)) : undefined;
}

/** The specification's first type, for sites that do not tell theirs. */
const USUAL_TYPE = "replacement";

/**
 * An existing category and a type that the site takes; null: there is no category, and none is made
 * for this.
 */
async function placementFor(ask: Ask, { reads, root }: SiteFacts, signal: AbortSignal): Promise<GuidePlacement | null> {
  const { json } = await ask({ path: "wikis/CATEGORY?limit=1" }, signal);
  const [first] = listIn(json).filter(isObject);
  const category = first?.["title"];
  if (typeof category !== "string") return null;
  const info = reads.info?.status === 200 ? cursorOf(reads.info, root) : undefined;
  const types = info === undefined ? [] : (readSiteInfo(info).guideTypes ?? []);
  // A type with a prompt needs a subject (api-facts 3.8).
  const wantsSubject = (type: string): boolean => Boolean(info?.at("guide-types").at(type).at("prompt").value);
  const type = types.find((one) => !wantsSubject(one)) ?? types[0] ?? USUAL_TYPE;
  return { category, type, subject: wantsSubject(type) ? "guideferry probe" : null };
}

/** Does the API answer at all? */
function checkReachable({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null) return unknown("not asked");
  const { status, error, took, headers } = guides;
  const { origin, protocol } = new URL(root);
  if (error instanceof ConnectionError)
    return failed(error.message, "Check the address, the network and the proxy.", "unreachable");
  // A site that refuses a sign-in is there.
  if (status === null && !(error instanceof SignInError))
    return failed(guides.message ?? "no answer came", "Run it again later.");
  if (status !== null && status >= 300 && status < 400) {
    return failed(
      `${origin} leads on to ${headers["location"] ?? "an address that it does not name"}`,
      "Give the address that it leads to.",
    );
  }
  if (status !== null && status >= 500)
    return failed(answerText(guides), "The site has a problem of its own: run it again later.");
  const how = protocol === "https:" ? "https with a trusted certificate" : "plain http";
  return ok(
    `${origin} answers over ${how}, without a redirect${status === null ? "" : `, the first time after ${took} ms`}`,
  );
}

/** Does it answer JSON? */
function checkVersion({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null || guides.status === null) return unknown("no answer to tell by");
  if (guides.status === 404)
    return failed(`${root} has no list of guides, which every site has`, "Give the site's address, or its API root.");
  if (guides.status >= 300 && guides.status !== 401 && guides.status !== 403)
    return unknown(`no answer to tell by: ${answerText(guides)}`);
  const type = guides.headers["content-type"] ?? "nothing";
  if (guides.json === undefined)
    return failed(
      /\bjson\b/i.test(type) ? `the answer says that it is ${type}, and is none` : `the answer is no JSON but ${type}`,
      "Is the root right, and does a proxy or a sign-in page stand in between?",
    );
  if (guides.status === 200 && !Array.isArray(guides.json))
    return failed("the list of guides is no list", "Give the site's address, or its API root.");
  return ok(`${root} answers JSON`);
}

/** A whole guide tells; rows of lists have `revisionid` on both kinds of sites. */
function checkDialect({ root, reads }: SiteFacts): Verdict {
  if (reads.own === null) return unknown("not asked, since an earlier question failed");
  const dialect = reads.guide?.status === 200 ? readDialect(cursorOf(reads.guide, root)) : "unknown";
  if (dialect !== "unknown") return ok(`it speaks as ${dialect} does`);
  return unknown(
    "the site shows no guide to tell the dialect by",
    "Nothing depends on it: what the site takes is asked or tried, one thing after the other.",
  );
}

/** Who asks, as the site sees it? */
function checkAccount(facts: SiteFacts): Verdict {
  const { reads, variables, signedIn, root } = facts;
  const { user, guides } = reads;
  const setToken = `Set ${variables}_TOKEN to a token of an account of this site.`;
  const refusal = [guides, user].find((told) => told?.error instanceof SignInError);
  if (refusal?.message != null) return failed(refusal.message, setToken, "sign-in");
  if (signedIn && user?.status === 401) return failed("the site refuses the sign-in", setToken, "sign-in");
  if (!signedIn && guides?.status === 401)
    return failed("the site is private, and nobody is signed in", setToken, "sign-in");
  if (!signedIn)
    return facts.written === null && !facts.wantsWrites
      ? warning("nobody is signed in: only what is public is seen", setToken)
      : failed("nobody is signed in, so that nothing could be tried", setToken, "sign-in");
  const none = noAnswer(user);
  if (none !== undefined || user === null) return none ?? unknown("not asked");
  const place = cursorOf(user, root);
  const account = readAccount(place);
  if (account === null) return unknown("the site names nobody in GET user");
  const privileges = place.at("privileges").texts();
  const rights = privileges.length === 0 ? "the site tells no privileges" : `privileges ${privileges.join(", ")}`;
  const who = `${account.name} (user ${account.id}), ${rights}`;
  if (account.admin) return ok(`${who}: an admin`);
  return warning(
    `${who}: no admin, as far as the site tells`,
    "Private guides of others are not seen, and not everything can be written. Use an admin's token for a migration.",
  );
}

const SWITCHED_OFF: ReadonlySet<number | null> = new Set(NOT_AVAILABLE);
const REFUSED: ReadonlySet<number | null> = new Set([401, 403]);

function checkFamilies({ families }: SiteFacts): Verdict {
  if (families.length === 0) return unknown("not asked, since an earlier question failed");
  const off = families.filter(({ told }) => SWITCHED_OFF.has(told.status)).map(({ family }) => family);
  const unclear = families.filter(({ told }) => isUnclear(told.status));
  const there = `${families.length - off.length - unclear.length} of ${families.length} families that have a list are there`;
  if (unclear[0] !== undefined)
    return warning(
      `${there}; ${unclear.map(({ family }) => family).join(", ")}: ${answerText(unclear[0].told)}`,
      "Run it again later.",
    );
  return off.length === 0
    ? ok(there)
    : warning(`${there}; not ${off.join(", ")}`, "What belongs to these is neither read nor written.");
}

/** Says nothing about the family: the site has a problem of its own. */
function isUnclear(status: number | null): boolean {
  return status === null || status === 429 || (status >= 500 && !SWITCHED_OFF.has(status));
}

function checkReads({ families, reads }: SiteFacts): Verdict {
  const { guides } = reads;
  if (families.length === 0 && guides?.status != null && guides.status !== 200) {
    return failed(
      `not even the list of guides: ${answerText(guides)}`,
      // Other faults are in the lines above.
      `Nothing else was asked.${REFUSED.has(guides.status) ? " Use an account that may see the site." : ""}`,
    );
  }
  if (families.length === 0) return unknown("not asked, since an earlier question failed");
  const all = [...families.map(({ told }) => told), ...Object.values(reads).filter((told) => told !== null)];
  const named = (codes: ReadonlySet<number | null>): string =>
    [
      ...new Set(
        all
          .filter(({ status }) => codes.has(status))
          .map(({ path, status }) => `${path.replace(/\?.*/, "")} ${status}`),
      ),
    ].join(", ");
  const [refused, absent] = [named(REFUSED), named(SWITCHED_OFF)];
  const good = `${all.filter(({ status }) => status === 200).length} of ${all.length} reads are answered`;
  const missing = absent === "" ? "" : `; not there: ${absent}`;
  if (refused === "") return ok(`${good}${missing}`);
  return warning(
    `${good}; refused: ${refused}${missing}`,
    "What is refused is not read. Use an account that may see it.",
  );
}

function checkGuideTypes({ reads: { info }, root }: SiteFacts): Verdict {
  const none = noAnswer(info);
  if (none !== undefined || info === null) return none ?? unknown("not asked");
  const { guideTypes } = readSiteInfo(cursorOf(info, root));
  if (guideTypes === null) return unknown("sites/info has no guide-types");
  if (guideTypes.length === 0)
    return warning("sites/info names no guide type", "Guides need one: allow some in the site's settings.");
  return ok(guideTypes.join(", "));
}

function checkFlags({ reads: { flags }, root }: SiteFacts): Verdict {
  const none = noAnswer(flags);
  if (none !== undefined || flags === null) return none ?? unknown("not asked");
  const names = cursorOf(flags, root)
    .at("guide")
    .fields()
    .map(([name]) => name);
  return names.length === 0
    ? warning("this account may set no flag of a guide", "Flags of guides are lost on the way to this site.")
    : ok(names.join(", "));
}

/**
 * The shape of the answer is not public (api-facts 5.1): looks for what is called extensions, and
 * for numbers that are called most or least.
 */
function checkUploads({ reads: { constraints } }: SiteFacts): Verdict {
  const none = noAnswer(constraints);
  if (none !== undefined || constraints === null) return none ?? unknown("not asked");
  const found: Found = { extensions: undefined, limits: [] };
  collect(constraints.json, "", found);
  const limits = found.limits.length === 0 ? "no limits are named" : found.limits.join(", ");
  if (found.extensions === undefined) return unknown(`the answer names no extensions; ${limits}`);
  if (found.extensions.length === 0) {
    return failed(
      "no extension is allowed, so that every upload will be refused",
      "Let an admin of the site save its list of allowed file types (security settings).",
    );
  }
  return ok(`${found.extensions.join(", ")}; ${limits}`);
}

interface Found {
  extensions: string[] | undefined;
  readonly limits: string[];
}

function collect(value: unknown, name: string, found: Found): void {
  if (Array.isArray(value)) {
    if (/extension|type/i.test(name))
      found.extensions = [...(found.extensions ?? []), ...value.filter((one) => typeof one === "string")];
    return;
  }
  if (typeof value === "number" && /max|min|size|limit|width|height/i.test(name)) found.limits.push(`${name} ${value}`);
  if (!isObject(value)) return;
  const isGroup = /extension|type/i.test(name);
  for (const [field, inner] of Object.entries(value)) {
    const below = name === "" ? field : `${name}.${field}`;
    collect(inner, isGroup ? name : below, found);
  }
}

/** Seconds between the clocks. */
const HARMLESS = 30;

/** Tokens expire and `modifiedSince` works by the site's clock. */
function checkClock({ reads }: SiteFacts): Verdict {
  const skews = Object.values(reads).flatMap((told) => (told?.skew == null ? [] : [told.skew]));
  const middle = skews.toSorted((one, other) => one - other)[Math.floor(skews.length / 2)];
  if (middle === undefined) return unknown("no answer has a Date header that can be read");
  const seconds = Math.round(Math.abs(middle) / 1000);
  const what =
    seconds === 0
      ? "the clocks agree to the second"
      : `the site's clock is ${seconds < 300 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`} ${middle > 0 ? "ahead of" : "behind"} this machine's`;
  if (seconds <= HARMLESS) return ok(what);
  return warning(
    what,
    "Set the clock that is wrong: sign-ins end early, and nightly runs may pass over what was changed meanwhile.",
  );
}

type Tried = "guide" | "step" | "upload";

const RIGHT = "Where the site refuses it, give the account the right or use another one; else run it again later.";

/** One of the probe's creates. */
function checkAct(name: Tried): (facts: SiteFacts) => Verdict {
  return ({ written, wantsWrites }) => {
    if (!wantsWrites) return unknown("not tried", "--probe-write makes and deletes one private guide and one upload.");
    const act: Act | null = written?.[name] ?? null;
    if (act?.isDone === null)
      return warning(act.says, "Make a category at the site, or try it after the first one was loaded.");
    if (act !== null) return act.isDone ? ok(act.says) : failed(act.says, RIGHT);
    if (written === null) return unknown("not tried, since an earlier question failed");
    return name === "upload" ? unknown("not tried: it was stopped before") : unknown(UNTRIED);
  };
}

/** Limits of steps, of which the specification states none. */
function checkLimits({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites) return unknown("not asked", "--probe-write asks by edits of the guide that it makes.");
  const limits = written?.limits ?? null;
  if (limits === null) return unknown(UNTRIED, BY_NEED);
  const { lineLength, linesPerStep, imageWidth, imageHeight, trouble } = limits;
  const most = (bound: Bound | undefined, what: string): readonly string[] =>
    bound === undefined ? [] : [`${bound.refuses === null ? "at least" : "at most"} ${bound.takes} ${what}`];
  const small =
    imageWidth === undefined || imageHeight === undefined
      ? []
      : [`pictures of ${imageWidth.takes} x ${imageHeight.takes}${imageWidth.refuses === null ? "" : " or more"}`];
  const known = [...most(lineLength, "characters a line"), ...most(linesPerStep, "lines a step"), ...small];
  const says = [`takes ${known.join(", ")}`, ...(trouble === null ? [] : [trouble])].join("; ");
  return trouble === null ? ok(says) : unknown(known.length === 0 ? trouble : says, BY_NEED);
}

const BY_NEED = "A load whose content goes beyond the usual limits finds out by a probe of its own.";

/**
 * Translations of pages are not asked here: a page can't be private, so only a load that has some
 * probes it.
 */
function checkTranslation({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites) return unknown("not tried", "--probe-write translates the guide that it makes.");
  const act = written?.translation ?? null;
  if (act === null) return unknown(written?.guide?.isDone === true ? NO_LANGUAGE : UNTRIED, BY_LOADING);
  if (act.isDone === null) return unknown(act.says, BY_LOADING);
  return act.isDone ? ok(act.says) : warning(act.says, "Translations of guides are told as lost, one line each.");
}

const NO_LANGUAGE = "not tried: the site does not say which languages it has";
const BY_LOADING = "A load that has translations of guides finds out by a probe of its own.";
const UNTRIED = "not tried: there is no guide that it could be tried with, or it was stopped before";

/** Did the probe delete everything again? */
function checkDeleted({ written, wantsWrites, root }: SiteFacts): Verdict {
  if (!wantsWrites || written === null) return unknown("nothing was made");
  const { left, deleted } = written;
  if (left.length > 0) {
    return failed(
      `still there: ${left.map(leftoverText).join("; ")}`,
      left.map((one) => howToDelete(one, root)).join(" "),
    );
  }
  return deleted.length === 0 ? ok("nothing was made") : ok(deleted.map(({ says }) => says).join("; "));
}

/** In the order of the table; each is answered by the facts alone. */
const QUESTIONS: readonly (readonly [question: string, judge: (facts: SiteFacts) => Verdict])[] = [
  ["reachable", checkReachable],
  ["version", checkVersion],
  ["dialect", checkDialect],
  ["families", checkFamilies],
  ["account", checkAccount],
  ["may read", checkReads],
  ["guide types", checkGuideTypes],
  ["settable flags", checkFlags],
  ["uploads allowed", checkUploads],
  ["clock", checkClock],
  ["content", checkContent],
  ["private guides", checkPrivate],
  ["leftovers", checkLeftovers],
  ["rate", checkRate],
  ["write guides", checkAct("guide")],
  ["write steps", checkAct("step")],
  ["step limits", checkLimits],
  ["write translations", checkTranslation],
  ["write uploads", checkAct("upload")],
  ["deleted again", checkDeleted],
];

export function checkLinesOf(facts: SiteFacts): readonly CheckLine[] {
  return QUESTIONS.map(([question, judge]) => ({ question, ...judge(facts) }));
}

/** Warnings and unknown answers keep it at 0. */
export function exitCodeOf(lines: readonly CheckLine[]): ExitCode {
  if (lines.some(({ because }) => because === "unreachable")) return EXIT.unreachable;
  if (lines.some(({ because }) => because === "sign-in")) return EXIT.signInRefused;
  return lines.some(({ state }) => state === "failed") ? EXIT.someFailed : EXIT.ok;
}
