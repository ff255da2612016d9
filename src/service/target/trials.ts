import type { Survey } from "../../core/contracts.js";
import { type JsonObject, objectIn, textIn } from "../../core/util/json.js";
import type { LimitsProbe, LimitsTrial, PageTrial, TranslationProbe, TranslationTrial } from "../../core/writing.js";
import type { Ask, AskResult } from "../check/ask.js";
import {
  type GuidePlacement,
  makeProbePage,
  type ProbePage,
  pagePath,
  readProbePage,
  removeProbe,
  removeProbePage,
  revisionQuery,
} from "../check/probe-items.js";
import { fileNames, isRefusal, MOST_FILES, probeNames, saysOf, thingOf } from "../check/probe-things.js";
import { probeWrite } from "../check/probe-write.js";
import { countRows, uploadAddress, uploadName } from "../check/read-site.js";
import type { Client } from "../http/client.js";

interface Trial {
  readonly trial: TranslationTrial;
  readonly takesTranslations: () => boolean;
}

/** `ask`: undefined if no probe is possible. */
export function createTrial(client: Client, ask: Ask | undefined): Trial {
  let takes = false;
  const trial: TranslationTrial = {
    decide: (isTaken) => {
      takes = isTaken;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, like, languages }, { stop, abort }) => {
      if (ask === undefined) return NO_WAY;
      const query = { excludePrerequisiteSteps: true } as const;
      const placement = placementOf((await client.get(`guides/${like}`, { query }, abort)).json);
      const names = { ...titles, file: "" };
      const signals = { stop, abort, onLeft: () => undefined };
      const facts = await probeWrite({
        ask,
        root: client.root,
        names,
        placement,
        languages,
        uploads: false,
        ...signals,
      });
      const { guide, translation, left } = facts;
      const [thing] = left;
      return {
        isTaken: translation?.isDone ?? null,
        says: translation?.says ?? guide?.says ?? "the probe was stopped before the trial",
        left: thing === undefined ? null : leftGuideText(thing.title, thing.address, thing.why),
      };
    },
    clear: async (titles, signal) => {
      if (ask === undefined) return null;
      const thing = { ...thingOf("guide", titles.title, client.root), otherTitle: titles.translated };
      const removal = await removeProbe(ask, client.root, thing, signal);
      return removal.left === null ? null : leftGuideText(thing.title, thing.address, removal.left);
    },
  };
  return { trial, takesTranslations: () => takes };
}

const NO_WAY: TranslationProbe = {
  isTaken: null,
  says: "this target has no way to send a request of a probe",
  left: null,
};

function leftGuideText(title: string, address: string, why: string | null): string {
  return `guide «${title}» at ${address} (${why ?? "it was not deleted"})`;
}

function placementOf(guide: unknown): GuidePlacement {
  const { category, type, subject } = objectIn(guide);
  const text = (value: unknown): string => textIn(value);
  return { category: text(category), type: text(type), subject: text(subject) === "" ? null : text(subject) };
}

/** Memo with the decision on translations of pages, as JSON. */
export const PAGE_TRANSLATIONS_MEMO = "page-translations";

/** The trial of translations of pages, and its decision; null: unknown. */
export interface Pages {
  readonly trial: PageTrial;
  readonly taken: () => boolean | null;
}

/** `ask`: undefined if no probe is possible. */
export function createPageTrial(root: string, ask: Ask | undefined): Pages {
  let taken: boolean | null = null;
  const trial: PageTrial = {
    decide: (isTaken) => {
      taken = isTaken;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, languages }, { stop, abort }) => {
      if (ask === undefined)
        return { isTaken: null, says: "this target has no way to send a request of a probe", left: null };
      for (const namespace of NAMESPACES) {
        stop.throwIfAborted();
        const page = { namespace, title: titles.title };
        const made = await makeProbePage(ask, page, CONTENTS, abort);
        if (isRefusal(made)) continue;
        // `ask` rejects only on abort: then the next run deletes the page by its noted title.
        const verdict = await checkPageTranslation({ ask, page, made, signal: abort }, languages);
        const why = await removeProbePage(ask, page, made.json, abort);
        return { ...verdict, left: why === null ? null : leftPageText(root, page, why) };
      }
      return { isTaken: null, says: "the account is not allowed to create a page there for the trial", left: null };
    },
    clear: async ({ title }, signal) => {
      if (ask === undefined) return null;
      for (const namespace of NAMESPACES) {
        const page = { namespace, title };
        const why = await removeProbePage(ask, page, undefined, signal);
        if (why !== null) return leftPageText(root, page, why);
      }
      return null;
    },
  };
  return { trial, taken: () => taken };
}

/** INFO first: visitors of a site see no list of it. */
const NAMESPACES = ["INFO", "WIKI"] as const;
const CONTENTS = "guideferry probe";
const TRANSLATED = "guideferry probe, translated";

interface Probe {
  readonly ask: Ask;
  readonly page: ProbePage;
  readonly made: AskResult;
  readonly signal: AbortSignal;
}

type Verdict = Omit<TranslationProbe, "left">;

async function checkPageTranslation(probe: Probe, languages: readonly string[]): Promise<Verdict> {
  const { ask, page, made, signal } = probe;
  const before = await readProbePage(ask, page, signal);
  if (before.status !== 200) return undecided(`reading the page: ${saysOf(before)}`);
  const own = objectIn(before.json)["langid"];
  const refusals: string[] = [];
  for (const language of languages.filter((one) => one !== own)) {
    const query = `langid=${encodeURIComponent(language)}&${revisionQuery(before.json, made.json)}`;
    const json = { contents: TRANSLATED };
    const reply = await ask({ method: "PATCH", path: `${pagePath(page)}?${query}`, json, tries: 1 }, signal);
    if (isRefusal(reply)) refusals.push(`${language}: ${saysOf(reply)}`);
    else if (reply.status === null || reply.status >= 300)
      return undecided(`a translation into ${language}: ${saysOf(reply)}`);
    else return readBack(probe, language);
  }
  if (refusals.length === 0) return undecided("the site has no second language for the trial");
  // A refusal overwrites nothing: each translation is sent, and its own refusal is reported.
  return { isTaken: true, says: `the site refuses languages that it does not have (${refusals.join("; ")})` };
}

async function readBack({ ask, page, signal }: Probe, language: string): Promise<Verdict> {
  const own = await readProbePage(ask, page, signal);
  const there = await readProbePage(ask, page, signal, language);
  if (own.status !== 200) return undecided(`reading the page back: ${saysOf(own)}`);
  if (there.status !== 200) return undecided(`reading a translation back: ${saysOf(there)}`);
  if (objectIn(own.json)["contents_raw"] !== CONTENTS)
    return { isTaken: false, says: "the site ignores the language of a write: a translation replaces the page" };
  const { langid, contents_raw: contents } = objectIn(there.json);
  const isThere = langid === language && contents === TRANSLATED;
  return {
    isTaken: isThere,
    says: isThere
      ? `a page was translated into ${language} and read back`
      : `a translation into ${language} was answered 200, but is missing when it is read back`,
  };
}

function leftPageText(root: string, { namespace, title }: ProbePage, why: string): string {
  return `page «${title}» in the namespace ${namespace} at ${new URL(root).origin} (${why})`;
}

function undecided(says: string): Verdict {
  return { isTaken: null, says };
}

/** Default (api-facts 4.4). */
const LINE_LENGTH = 350;

export interface Limits {
  readonly trial: LimitsTrial;
  readonly lineLength: () => number;
}

/** `ask`: undefined if no probe is possible. */
export function createLimitsTrial(root: string, ask: Ask | undefined, survey: () => Survey): Limits {
  let lineLength = LINE_LENGTH;
  const trial: LimitsTrial = {
    lineLength: () => lineLength,
    decide: (characters) => {
      lineLength = characters;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, questions }, { stop, abort }) => {
      if (ask === undefined) return unknown("this target has no way to send a request of a probe");
      const place = await placeFor(ask, titles.title, abort);
      if ("says" in place) return unknown(place.says);
      const names = { ...titles, file: "" };
      const placement = placementIn(place.category, survey());
      const signals = { stop, abort, onLeft: () => undefined };
      const written = await probeWrite({ ask, root, names, placement, limits: questions, uploads: false, ...signals });
      const { guide, step, limits, left } = written;
      const found = left.map(({ what, title, address, why }) => `${what} «${title}» at ${address} (${why})`);
      const page = place.made === null ? null : await removePage(ask, root, place.category, place.made, abort);
      const failed = [guide, step].find((act) => act !== null && act.isDone !== true);
      const says =
        limits?.trouble ??
        (limits === null
          ? (failed?.says ?? "the probe was stopped before the trial")
          : "the probe measured the limits");
      return { facts: limits, says, left: [...found, ...(page ?? [])].join("; ") || null };
    },
    clear: async (titles, signal) => {
      if (ask === undefined) return null;
      const guide = { ...thingOf("guide", titles.title, root), otherTitle: titles.translated };
      const removal = await removeProbe(ask, root, guide, signal);
      const left = removal.left === null ? [] : [`guide «${guide.title}» at ${guide.address} (${removal.left})`];
      left.push(...(await clearUploads(ask, root, titles.title, signal)));
      left.push(...((await removePage(ask, root, titles.title, undefined, signal)) ?? []));
      return left.join("; ") || null;
    },
  };
  return { trial, lineLength: trial.lineLength };
}

function unknown(says: string): LimitsProbe {
  return { facts: null, says, left: null };
}

type Place = { readonly category: string; readonly made: unknown } | { readonly says: string };

/** A category for the guide, which needs one. `made`: the answer to the create of one. */
async function placeFor(ask: Ask, title: string, signal: AbortSignal): Promise<Place> {
  const listed = await ask({ path: "wikis/CATEGORY?limit=1" }, signal);
  const first = Array.isArray(listed.json) ? objectIn(listed.json[0])["title"] : undefined;
  if (typeof first === "string") return { category: first, made: null };
  const reply = await makeProbePage(ask, { namespace: "CATEGORY", title }, "guideferry probe", signal);
  if (reply.status === null || reply.status >= 300)
    return {
      says: `the site has no category for the trial guide, and a category could not be created: ${saysOf(reply)}`,
    };
  return { category: title, made: reply.json };
}

async function removePage(
  ask: Ask,
  root: string,
  title: string,
  made: unknown,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const why = await removeProbePage(ask, { namespace: "CATEGORY", title }, made, signal);
  return why === null ? null : [`category «${title}» at ${new URL(root).origin} (${why})`];
}

/** The specification's first type. */
const USUAL_TYPE = "replacement";

function placementIn(category: string, { guideTypes, subjectTypes }: Survey): GuidePlacement {
  const types = guideTypes ?? [];
  const type = types.find((one) => !subjectTypes.includes(one)) ?? types[0] ?? USUAL_TYPE;
  return { category, type, subject: subjectTypes.includes(type) ? "guideferry probe" : null };
}

/** Deletes a killed probe's uploads by name. Returns those that remain, with the reason. */
async function clearUploads(ask: Ask, root: string, title: string, signal: AbortSignal): Promise<readonly string[]> {
  const next = fileNames({ title });
  const names = new Set(Array.from({ length: MOST_FILES }, next));
  const found = new Map<number, string>();
  const list = { list: "images", path: "user/media/images", id: imageId };
  const { isWhole, reply } = await countRows(
    ask,
    list,
    (row) => {
      const [id, name] = [imageId(row), uploadName(row)];
      if (typeof id === "number" && typeof name === "string" && names.has(name)) found.set(id, name);
    },
    signal,
  );
  const left: string[] = [];
  for (const [id, name] of found) {
    const removal = await removeProbe(ask, root, { ...thingOf("upload", name, root), id }, signal);
    if (removal.left !== null) left.push(`upload «${name}» at ${uploadAddress(root, id)} (${removal.left})`);
  }
  // Without the list the uploads are unknown; the next load reads a list that broke off again.
  if (!isWhole && !isRefusal(reply)) left.push("perhaps uploads of the probe: the list of images could not be read");
  return left;
}

function imageId(row: JsonObject): unknown {
  return objectIn(row["image"])["id"] ?? row["imageid"] ?? row["id"];
}
