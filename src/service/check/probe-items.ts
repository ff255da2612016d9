import { isObject, type JsonObject, listIn } from "../../core/util/json.js";
import { segment } from "../http/client.js";
import { revisionIn, tokensIn } from "../wire/revision.js";
import type { Ask, AskResult } from "./ask.js";
import { idIn, isNamed, isRefusal, note, type ProbeThing, saysOf } from "./probe-things.js";
import { countRows, guideAddress, uploadAddress, uploadName } from "./read-site.js";
import type { Act } from "./site-facts.js";

/** What a guide needs: an existing category, and a type that the site accepts. */
export interface GuidePlacement {
  readonly category: string;
  readonly type: string;
  /** Some types need one (api-facts 3.8). */
  readonly subject: string | null;
}

interface GuideParts {
  readonly ask: Ask;
  readonly root: string;
  readonly stop: AbortSignal;
}

interface GuideFacts {
  guide: Act | null;
  step: Act | null;
}

/** Creates a guide and a step and reads both back; `guide` and `made` get what it created. */
export async function probeGuide(
  { ask, root, stop }: GuideParts,
  placement: GuidePlacement,
  guide: ProbeThing,
  made: ProbeThing[],
  facts: GuideFacts,
  signal: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  made.push(guide);
  const { category, type, subject } = placement;
  const json = { category, type, title: guide.title, public: false, ...(subject === null ? {} : { subject }) };
  const reply = await ask({ method: "POST", path: "guides", json, tries: 1 }, signal);
  note(guide, reply, idIn(reply, "guideid"), (id) => guideAddress(root, id));
  if (guide.id === null) {
    facts.guide = { isDone: false, says: `a private guide in ${category} could not be created: ${saysOf(reply)}` };
    return;
  }
  facts.guide = { isDone: false, says: `guide ${guide.id} was created, but not read back` };
  facts.step = null;
  stop.throwIfAborted();
  facts.step = await addStep(ask, guide, signal);
  stop.throwIfAborted();
  facts.guide = readBack(guide, await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal), facts);
}

const LINE = "guideferry probe";

async function addStep(ask: Ask, guide: ProbeThing, signal: AbortSignal): Promise<Act> {
  const json = { orderby: 1, lines: [{ text: LINE, bullet: "black", level: 0 }] };
  // The step is sent once, so the first answer of the site counts.
  const reply = await ask({ method: "POST", path: `guides/${guide.id}/steps`, json, tries: 1 }, signal);
  if (reply.status === null || reply.status >= 300 || !isObject(reply.json))
    return { isDone: false, says: `a step could not be added: ${saysOf(reply)}` };
  guide.json = reply.json;
  return { isDone: true, says: "a step was added" };
}

function readBack(guide: ProbeThing, reply: AskResult, facts: GuideFacts): Act {
  const { json, status } = reply;
  if (status !== 200 || !isObject(json))
    return { isDone: false, says: `guide ${guide.id} was created, but could not be read back: ${saysOf(reply)}` };
  guide.json = json;
  if (json["public"] !== false)
    return {
      isDone: false,
      says: `guide ${guide.id} was created as a public guide, although a private one was requested`,
    };
  const steps = listIn(json["steps"]);
  if (facts.step?.isDone === true && !JSON.stringify(steps).includes(LINE))
    facts.step = { isDone: false, says: "a step was added, but is missing when the guide is read back" };
  const isSame = json["title"] === guide.title;
  return {
    isDone: isSame,
    says: isSame ? "a private guide was created and read back" : `guide ${guide.id} came back with another title`,
  };
}

/** A page of a probe. Pages can't be private: it is visible until the probe deletes it. */
export interface ProbePage {
  readonly namespace: "INFO" | "WIKI" | "CATEGORY";
  readonly title: string;
}

export function pagePath({ namespace, title }: ProbePage): string {
  return `wikis/${namespace}/${segment(title)}`;
}

export function makeProbePage(ask: Ask, page: ProbePage, contents: string, signal: AbortSignal): Promise<AskResult> {
  return ask({ method: "POST", path: "wikis", json: { ...page, contents }, tries: 1 }, signal);
}

export function readProbePage(ask: Ask, page: ProbePage, signal: AbortSignal, language?: string): Promise<AskResult> {
  const query = language === undefined ? "" : `?langid=${encodeURIComponent(language)}`;
  return ask({ path: `${pagePath(page)}${query}` }, signal);
}

/** A category's read answer may have no revision (api-facts 8.2): then that of a write counts. */
export function revisionQuery(...answers: readonly unknown[]): string {
  const known = answers.map((json) => tokensIn(revisionIn(json))[0]?.value);
  return `revisionid=${known.find((value) => value !== undefined) ?? 0}`;
}

/** A revision that changed during the deletion, and one more. */
const PAGE_TRIES = 3;

/**
 * Deletes a page by its title, which is unique, and checks that it is deleted.
 *
 * @param written the answer to the last write, undefined if there is none
 *
 * @returns why it still exists; null: it does not
 */
export async function removeProbePage(
  ask: Ask,
  page: ProbePage,
  written: unknown,
  signal: AbortSignal,
): Promise<string | null> {
  const path = pagePath(page);
  let look = await readProbePage(ask, page, signal);
  let last = written;
  for (let tries = 1; ; tries += 1) {
    if (look.status === 404 || look.status === 410) return null;
    if (look.status !== 200) return saysOf(look);
    const reply = await ask({ method: "DELETE", path: `${path}?${revisionQuery(look.json, last)}`, json: {} }, signal);
    last = isObject(reply.json) ? reply.json : last;
    look = await readProbePage(ask, page, signal);
    if (look.status === 404 || look.status === 410) return null;
    if (tries === PAGE_TRIES || reply.status !== 409)
      return isRefusal(reply) || reply.status === null
        ? saysOf(reply)
        : "the site reported the deletion, but still shows it";
  }
}

/** `left`: why it still exists, or may. */
type Removal = { readonly left: string } | { readonly left: null; readonly says: string };

/** Deletes an item of a probe and checks it. Without an id, looks for it by name. */
export async function removeProbe(ask: Ask, root: string, thing: ProbeThing, signal: AbortSignal): Promise<Removal> {
  if (thing.id === null) {
    const lost = await findProbe(ask, root, thing, signal);
    if (lost !== undefined) return lost;
  }
  return thing.what === "guide" ? removeGuide(ask, thing, signal) : removeUpload(ask, thing, signal);
}

const NAMELESS = "its answer was lost, and the lists of the site do not show whether it exists";

/** Sets the id; returns a result if there is nothing to delete, or no way to know. */
async function findProbe(ask: Ask, root: string, thing: ProbeThing, signal: AbortSignal): Promise<Removal | undefined> {
  let allNamed = true;
  const isGuide = thing.what === "guide";
  const list = isGuide
    ? { list: "guides", path: "user/guides", query: "order=DESC&", id: (row: JsonObject) => row["guideid"] }
    : { list: "images", path: "user/media/images", id: imageId };
  const { isWhole } = await countRows(
    ask,
    list,
    (row) => {
      const name = isGuide ? row["title"] : uploadName(row);
      if (typeof name !== "string") allNamed = false;
      const id = list.id(row);
      if (!isNamed(thing, name) || typeof id !== "number") return;
      thing.id = id;
      thing.json = undefined;
      thing.address = isGuide
        ? typeof row["url"] === "string"
          ? row["url"]
          : guideAddress(root, id)
        : uploadAddress(root, id);
    },
    signal,
  );
  if (thing.id !== null) return undefined;
  return isWhole && allNamed ? { left: null, says: `the ${thing.what} was never created` } : { left: NAMELESS };
}

function imageId(row: JsonObject): unknown {
  return isObject(row["image"]) ? row["image"]["id"] : (row["imageid"] ?? row["id"]);
}

/** Both tokens, each once more for a revision that changed. */
const GUIDE_TRIES = 4;

/** Either revision may be needed (api-facts 3.10): a 409 names the current ones. */
async function removeGuide(ask: Ask, thing: ProbeThing, signal: AbortSignal): Promise<Removal> {
  const path = `guides/${thing.id}`;
  if (thing.json === undefined) thing.json = (await ask({ path }, signal)).json;
  const refused = new Set<number>();
  for (let tries = 1; ; tries += 1) {
    const tokens = tokensIn(revisionIn(thing.json)).map(({ value }) => value);
    const revision = tokens.find((value) => !refused.has(value)) ?? 0;
    const reply = await ask({ method: "DELETE", path: `${path}?revisionid=${revision}` }, signal);
    if (reply.status !== 409 || tries === GUIDE_TRIES)
      return removalAfter(ask, reply, path, `guide ${thing.id}`, signal);
    // Somebody uses the guide for something else: the probe must not delete it.
    if (isObject(reply.json) && !isNamed(thing, reply.json["title"]))
      return { left: "somebody changed its title meanwhile" };
    refused.add(revision);
    thing.json = reply.json;
  }
}

async function removeUpload(ask: Ask, { id }: ProbeThing, signal: AbortSignal): Promise<Removal> {
  const reply = await ask({ method: "DELETE", path: `user/media/images/${id}` }, signal);
  const done = reply.status !== null && reply.status < 300;
  if (done || reply.status === 404) return { left: null, says: `the upload ${id} was removed from the media manager` };
  return { left: saysOf(reply) };
}

async function removalAfter(
  ask: Ask,
  reply: AskResult,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<Removal> {
  const look = await ask({ path }, signal);
  if (look.status === 404 || look.status === 410) return { left: null, says: `${name} was deleted` };
  const done = reply.status !== null && reply.status < 300;
  // A deleted guide may look forbidden (api-facts 11.15); the probe's own is never forbidden.
  if (done && look.status !== 200) return { left: null, says: `${name} was deleted` };
  return { left: done ? "the site reported the deletion, but still shows it" : saysOf(reply) };
}
