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
  NOT_ASKED,
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
 * Collects the facts about a site. Only the probe writes, and only when an account is signed in.
 * Rejects when stopped before the probe.
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
 * More than most content needs. Image sizes down to the smallest that can be uploaded (api-facts
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

const USE_ROOT = "Use the address of the site, or its API root.";

function infoOf({ reads, root }: SiteFacts): SiteInfo | undefined {
  return reads.info?.status === 200 ? readSiteInfo(cursorOf(reads.info, root)) : undefined;
}

/** The specification's first type, for sites that do not name their types. */
const USUAL_TYPE = "replacement";

/**
 * An existing category and a type that the site takes; null: the site has no category, and the
 * probe creates none.
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

function checkReachable({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null) return unknown("not checked");
  const { status, error, took, headers } = guides;
  const { origin, protocol } = new URL(root);
  if (error instanceof ConnectionError)
    return failed(error.message, "Check the address, the network and the proxy.", "unreachable");
  if (status === null && !(error instanceof SignInError))
    return failed(guides.message ?? "the site did not answer", "Run the check again later.");
  if (status !== null && status >= 300 && status < 400) {
    return failed(
      `${origin} redirects to ${headers["location"] ?? "an unknown address"}`,
      "Use the address that it redirects to.",
    );
  }
  if (status !== null && status >= 500)
    return failed(answerText(guides), "The site has a problem. Run the check again later.");
  const how = protocol === "https:" ? "https with a trusted certificate" : "plain http";
  return ok(
    `${origin} answers over ${how}, without a redirect${status === null ? "" : `; first answer after ${took} ms`}`,
  );
}

function checkVersion({ root, reads: { guides } }: SiteFacts): Verdict {
  if (guides === null || guides.status === null) return unknown("the site did not answer");
  if (guides.status === 404) return failed(`${root} has no list of guides, which every site has`, USE_ROOT);
  if (guides.status >= 300 && guides.status !== 401 && guides.status !== 403)
    return unknown(`unknown: ${answerText(guides)}`);
  const type = guides.headers["content-type"] ?? "nothing";
  if (guides.json === undefined)
    return failed(
      /\bjson\b/i.test(type)
        ? `the answer has the type ${type}, but is not JSON`
        : `the answer is not JSON but ${type}`,
      "Check the API root. A proxy or a sign-in page may have answered in place of the site.",
    );
  if (guides.status === 200 && !Array.isArray(guides.json)) return failed("the list of guides is not a list", USE_ROOT);
  return ok(`${root} answers JSON`);
}

/** A whole guide shows the dialect; rows of lists have `revisionid` on both kinds of sites. */
function checkDialect({ root, reads }: SiteFacts): Verdict {
  if (reads.own === null) return unknown(NOT_ASKED);
  const dialect = reads.guide?.status === 200 ? readDialect(cursorOf(reads.guide, root)) : "unknown";
  if (dialect !== "unknown") return ok(`the site answers like ${dialect}`);
  return unknown(
    "unknown, since the site shows no guide",
    "No action needed: the other checks find out what the site takes.",
  );
}

function checkAccount(facts: SiteFacts): Verdict {
  const { reads, variables, signedIn, root } = facts;
  const { user, guides } = reads;
  const setToken = `Set ${variables}_TOKEN to a token of an account of this site.`;
  const refusal = [guides, user].find((reply) => reply?.error instanceof SignInError);
  if (refusal?.message != null) return failed(refusal.message, setToken, "sign-in");
  if (signedIn && user?.status === 401) return failed("the site refuses the sign-in", setToken, "sign-in");
  if (!signedIn && guides?.status === 401)
    return failed("the site is private, and no account is signed in", setToken, "sign-in");
  if (!signedIn)
    return facts.written === null && !facts.wantsWrites
      ? warning("no account is signed in, so only public content is visible", setToken)
      : failed("no account is signed in, so --probe-write could not write", setToken, "sign-in");
  const none = noAnswer(user);
  if (none !== undefined || user === null) return none ?? unknown("not checked");
  const place = cursorOf(user, root);
  const account = readAccount(place);
  if (account === null) return unknown("GET user names no account");
  const privileges = place.at("privileges").texts();
  const rights = privileges.length === 0 ? "the site names no privileges" : `privileges ${privileges.join(", ")}`;
  const who = `${account.name} (user ${account.id}), ${rights}`;
  if (account.admin) return ok(`${who}; an admin`);
  return warning(
    `${who}; not an admin, according to the site`,
    "The account cannot see private guides of others, and cannot write everything. Use the token of an admin for a migration.",
  );
}

const SWITCHED_OFF: ReadonlySet<number | null> = new Set(NOT_AVAILABLE);
const REFUSED: ReadonlySet<number | null> = new Set([401, 403]);

function checkFamilies({ families }: SiteFacts): Verdict {
  if (families.length === 0) return unknown(NOT_ASKED);
  const off = families.filter(({ reply }) => SWITCHED_OFF.has(reply.status)).map(({ family }) => family);
  const unclear = families.filter(({ reply }) => isUnclear(reply.status));
  const there = `${families.length - off.length - unclear.length} of ${families.length} families with a list exist`;
  if (unclear[0] !== undefined)
    return warning(
      `${there}; unclear: ${unclear.map(({ family }) => family).join(", ")} (${answerText(unclear[0].reply)})`,
      "Run the check again later.",
    );
  return off.length === 0
    ? ok(there)
    : warning(`${there}; missing: ${off.join(", ")}`, "guideferry neither reads nor writes data of these families.");
}

/** The answer does not show whether the family exists: the site has a problem. */
function isUnclear(status: number | null): boolean {
  return status === null || status === 429 || (status >= 500 && !SWITCHED_OFF.has(status));
}

function checkReads({ families, reads }: SiteFacts): Verdict {
  const { guides } = reads;
  if (families.length === 0 && guides?.status != null && guides.status !== 200) {
    return failed(
      `no: even the list of guides failed: ${answerText(guides)}`,
      `The check read nothing else.${REFUSED.has(guides.status) ? " Use an account that may see the site." : ""}`,
    );
  }
  if (families.length === 0) return unknown(NOT_ASKED);
  const all = [...families.map(({ reply }) => reply), ...Object.values(reads).filter((reply) => reply !== null)];
  const named = (codes: ReadonlySet<number | null>): string =>
    [
      ...new Set(
        all
          .filter(({ status }) => codes.has(status))
          .map(({ path, status }) => `${path.replace(/\?.*/, "")} ${status}`),
      ),
    ].join(", ");
  const [refused, absent] = [named(REFUSED), named(SWITCHED_OFF)];
  const good = `${all.filter(({ status }) => status === 200).length} of ${all.length} reads are allowed`;
  const missing = absent === "" ? "" : `; missing: ${absent}`;
  if (refused === "") return ok(`${good}${missing}`);
  return warning(
    `${good}; refused: ${refused}${missing}`,
    "guideferry cannot read what is refused. Use an account that may see it.",
  );
}

function checkGuideTypes({ reads: { info }, root }: SiteFacts): Verdict {
  const none = noAnswer(info);
  if (none !== undefined || info === null) return none ?? unknown("not checked");
  const { guideTypes } = readSiteInfo(cursorOf(info, root));
  if (guideTypes === null) return unknown("sites/info has no guide-types");
  if (guideTypes.length === 0)
    return warning("sites/info names no guide type", "A guide needs a type: allow types in the settings of the site.");
  return ok(guideTypes.join(", "));
}

function checkFlags({ reads: { flags }, root }: SiteFacts): Verdict {
  const none = noAnswer(flags);
  if (none !== undefined || flags === null) return none ?? unknown("not checked");
  const names = cursorOf(flags, root)
    .at("guide")
    .fields()
    .map(([name]) => name);
  return names.length === 0
    ? warning("this account may not set flags of guides", "A load into this site loses the flags of guides.")
    : ok(names.join(", "));
}

/**
 * The shape of the answer is not documented (api-facts 5.1): finds lists with `extension` or `type`
 * in their names, and numbers with names of limits.
 */
function checkUploads({ reads: { constraints } }: SiteFacts): Verdict {
  const none = noAnswer(constraints);
  if (none !== undefined || constraints === null) return none ?? unknown("not checked");
  const found: Found = { extensions: undefined, limits: [] };
  collect(constraints.json, "", found);
  const limits = found.limits.length === 0 ? "no limits named" : found.limits.join(", ");
  if (found.extensions === undefined) return unknown(`the answer names no extensions; ${limits}`);
  if (found.extensions.length === 0) {
    return failed(
      "the site allows no extension, so it will refuse every upload",
      "Ask an admin of the site to save the list of allowed file types (security settings).",
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

/** In seconds. */
const HARMLESS = 30;

/** The site's clock decides about the expiry of tokens and about `modifiedSince`. */
function checkClock({ reads }: SiteFacts): Verdict {
  const skews = Object.values(reads).flatMap((reply) => (reply?.skew == null ? [] : [reply.skew]));
  const middle = skews.toSorted((one, other) => one - other)[Math.floor(skews.length / 2)];
  if (middle === undefined) return unknown("no answer has a valid Date header");
  const seconds = Math.round(Math.abs(middle) / 1000);
  const what =
    seconds === 0
      ? "the clocks agree to the second"
      : `the site's clock is ${seconds < 300 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`} ${middle > 0 ? "ahead of" : "behind"} this machine's`;
  if (seconds <= HARMLESS) return ok(what);
  return warning(what, "Correct the wrong clock. Otherwise sign-ins end early, and scheduled runs may miss changes.");
}

type Tried = "guide" | "step" | "upload";

const RIGHT =
  "If the site refuses it, give the account the right or use another account. Otherwise run the check again later.";

function checkAct(name: Tried): (facts: SiteFacts) => Verdict {
  return ({ written, wantsWrites }) => {
    if (!wantsWrites)
      return unknown(
        "not tried",
        "Run the check with --probe-write. It creates and deletes one private guide and one upload.",
      );
    const act: Act | null = written?.[name] ?? null;
    if (act?.isDone === null)
      return warning(act.says, "Create a category on the site, or run the check after the first one is loaded.");
    if (act !== null) return act.isDone ? ok(act.says) : failed(act.says, RIGHT);
    if (written === null) return unknown("not tried, since an earlier check failed");
    return name === "upload" ? unknown("not tried: the check was stopped before") : unknown(UNTRIED);
  };
}

function checkLimits({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites)
    return unknown(
      "not checked",
      "Run the check with --probe-write. It finds the limits with edits of the guide that it creates.",
    );
  const limits = written?.limits ?? null;
  if (limits === null) return unknown(UNTRIED, BY_NEED);
  const { lineLength, linesPerStep, imageWidth, imageHeight, trouble } = limits;
  const most = (bound: Bound | undefined, what: string): readonly string[] =>
    bound === undefined ? [] : [`${bound.refuses === null ? "at least" : "at most"} ${bound.takes} ${what}`];
  const small =
    imageWidth === undefined || imageHeight === undefined
      ? []
      : [`images of ${imageWidth.takes} x ${imageHeight.takes} pixels${imageWidth.refuses === null ? "" : " or more"}`];
  const known = [...most(lineLength, "characters in a line"), ...most(linesPerStep, "lines in a step"), ...small];
  const says = [`the site takes ${known.join(", ")}`, ...(trouble === null ? [] : [trouble])].join("; ");
  return trouble === null ? ok(says) : unknown(known.length === 0 ? trouble : says, BY_NEED);
}

const BY_NEED = "A load with content beyond the usual limits makes its own probe.";

/**
 * Does not check translations of pages, since a page can't be private. A load that has some makes
 * its own probe.
 */
function checkTranslation({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites)
    return unknown("not tried", "Run the check with --probe-write. It translates the guide that it creates.");
  const act = written?.translation ?? null;
  if (act === null) return unknown(written?.guide?.isDone === true ? NO_LANGUAGE : UNTRIED, BY_LOADING);
  if (act.isDone === null) return unknown(act.says, BY_LOADING);
  return act.isDone ? ok(act.says) : warning(act.says, "A load reports each translation of a guide as a loss.");
}

const NO_LANGUAGE = "not tried: the site does not name its languages";
const BY_LOADING = "A load with translations of guides makes its own probe.";
const UNTRIED = "not tried: the probe has no guide, or the check was stopped before";

function checkDeleted({ written, wantsWrites, root }: SiteFacts): Verdict {
  if (!wantsWrites || written === null) return unknown("nothing was created");
  const { left, deleted } = written;
  if (left.length > 0) {
    return failed(
      `still on the site: ${left.map(leftoverText).join("; ")}`,
      left.map((one) => howToDelete(one, root)).join(" "),
    );
  }
  return deleted.length === 0 ? ok("nothing was created") : ok(deleted.map(({ says }) => says).join("; "));
}

const QUESTIONS: readonly (readonly [question: string, check: (facts: SiteFacts) => Verdict])[] = [
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
  return QUESTIONS.map(([question, check]) => ({ question, ...check(facts) }));
}

/** Warnings and unknown answers do not change exit code 0. */
export function exitCodeOf(lines: readonly CheckLine[]): ExitCode {
  if (lines.some(({ because }) => because === "unreachable")) return EXIT.unreachable;
  if (lines.some(({ because }) => because === "sign-in")) return EXIT.signInRefused;
  return lines.some(({ state }) => state === "failed") ? EXIT.someFailed : EXIT.ok;
}
