import { isObject } from "../wire/place.js";
import type { Ask, Told } from "./ask.js";
import { probeImage } from "./probe-image.js";
import type { ProbeNames } from "./probe-names.js";
import { isRefusal, type ProbeThing, saysOf } from "./probe-thing.js";
import { guideAddress, uploadAddress } from "./read-site.js";
import { removeProbe } from "./remove-probe.js";
import type { Act, Leftover, WriteFacts } from "./site-facts.js";

/** What a guide must have: a category that is there, and a type that the site takes. */
export interface Home {
  readonly category: string;
  readonly type: string;
  /** Some types want one (api-facts 3.8). */
  readonly subject: string | null;
}

export interface ProbeParts {
  readonly ask: Ask;
  readonly root: string;
  readonly names: ProbeNames;
  /** null: there is no category that a guide could be in, so none is made. */
  readonly home: Home | null;
  /** When aborted: make nothing new, delete what was made. */
  readonly stop: AbortSignal;
  /** When aborted: drop everything. What was made stays, and is told. */
  readonly abort: AbortSignal;
  /** Told at once: whoever is in a hurry may not see the end. */
  readonly onLeft: (left: Leftover) => void;
  /** Milliseconds that a create under way is given after a stop; default 8000, so that most of the time to end is left for the deletions. */
  readonly grace?: number;
}

const GRACE = 8000;

/** Makes a private guide with a step, and an upload; reads them back; deletes all that it made, whatever goes wrong in between. */
export async function probeWrite(parts: ProbeParts): Promise<WriteFacts> {
  const made: ProbeThing[] = [];
  const facts: Facts = { guide: null, step: null, upload: null, deleted: [], left: [] };
  const making = makingSignal(parts);
  try {
    if (parts.home === null) facts.guide = NO_CATEGORY;
    else await probeGuide(parts, parts.home, made, facts, making.signal);
    await probeUpload(parts, made, facts, making.signal);
  } catch (error) {
    if (!parts.stop.aborted && !parts.abort.aborted) throw error;
  } finally {
    making.close();
    for (const thing of made.filter(({ isRefused }) => !isRefused).toReversed()) await clean(parts, thing, facts);
  }
  return facts;
}

const NO_CATEGORY: Act = { isDone: null, says: "not tried: the site has no category that a guide could be in" };

type Facts = { -readonly [Name in keyof WriteFacts]: WriteFacts[Name] } & { deleted: Act[]; left: Leftover[] };

async function clean({ ask, root, abort, onLeft }: ProbeParts, thing: ProbeThing, facts: Facts): Promise<void> {
  const removal = await removeProbe(ask, root, thing, abort).catch((error: unknown) => ({
    left: error instanceof Error ? error.message : String(error),
  }));
  if (removal.left === null) {
    facts.deleted.push({ isDone: true, says: removal.says });
    return;
  }
  const { what, id, title, address } = thing;
  const left = { what, id, title, address, why: removal.left };
  facts.left.push(left);
  onLeft(left);
}

async function probeGuide(
  parts: ProbeParts,
  home: Home,
  made: ProbeThing[],
  facts: Facts,
  signal: AbortSignal,
): Promise<void> {
  const { ask, root, names, stop } = parts;
  stop.throwIfAborted();
  const guide = thingOf("guide", names.title, root);
  made.push(guide);
  const { category, type, subject } = home;
  const json = { category, type, title: names.title, public: false, ...(subject === null ? {} : { subject }) };
  const told = await ask({ method: "POST", path: "guides", json, tries: 1 }, signal);
  note(guide, told, idIn(told, "guideid"), (id) => guideAddress(root, id));
  if (guide.id === null) {
    facts.guide = { isDone: false, says: `a private guide in ${category} could not be made: ${saysOf(told)}` };
    return;
  }
  facts.guide = { isDone: false, says: `guide ${guide.id} was made, and not read back` };
  facts.step = null;
  stop.throwIfAborted();
  facts.step = await addStep(ask, guide, signal);
  stop.throwIfAborted();
  facts.guide = readBack(guide, await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal), facts);
}

const LINE = "guideferry probe";

async function addStep(ask: Ask, guide: ProbeThing, signal: AbortSignal): Promise<Act> {
  const json = { orderby: 1, lines: [{ text: LINE, bullet: "black", level: 0 }] };
  // A step sent twice would be two steps of a guide that goes anyway; sent once, the site says what it thinks of it.
  const told = await ask({ method: "POST", path: `guides/${guide.id}/steps`, json, tries: 1 }, signal);
  if (told.status === null || told.status >= 300 || !isObject(told.json))
    return { isDone: false, says: `no good answer to adding a step: ${saysOf(told)}` };
  guide.json = told.json;
  return { isDone: true, says: "a step was added" };
}

function readBack(guide: ProbeThing, told: Told, facts: Facts): Act {
  const { json, status } = told;
  if (status !== 200 || !isObject(json))
    return { isDone: false, says: `guide ${guide.id} was made, but reading it back: ${saysOf(told)}` };
  guide.json = json;
  if (json["public"] !== false)
    return { isDone: false, says: `guide ${guide.id} was made as a public one, though it was to be private` };
  const steps = Array.isArray(json["steps"]) ? json["steps"] : [];
  if (facts.step?.isDone === true && !JSON.stringify(steps).includes(LINE))
    facts.step = { isDone: false, says: "a step was added, and is not there" };
  const isSame = json["title"] === guide.title;
  return {
    isDone: isSame,
    says: isSame ? "a private guide was made and read back" : `guide ${guide.id} came back with another title`,
  };
}

async function probeUpload(parts: ProbeParts, made: ProbeThing[], facts: Facts, signal: AbortSignal): Promise<void> {
  const { ask, root, names, stop } = parts;
  stop.throwIfAborted();
  const upload = thingOf("upload", names.file, root);
  made.push(upload);
  const path = `user/media/images?file=${names.file}`;
  const told = await ask({ method: "POST", path, bytes: probeImage(), tries: 1 }, signal);
  const image = isObject(told.json) && isObject(told.json["image"]) ? told.json["image"]["id"] : idIn(told, "imageid");
  note(upload, told, image, (id) => uploadAddress(root, id));
  if (upload.id === null) {
    facts.upload = { isDone: false, says: `a PNG could not be uploaded: ${saysOf(told)}` };
    return;
  }
  facts.upload = { isDone: false, says: `image ${upload.id} was uploaded, and not read back` };
  stop.throwIfAborted();
  const look = await ask({ path: `user/media/GuideImage/${upload.id}` }, signal);
  const isThere = look.status === 200;
  facts.upload = {
    isDone: isThere,
    says: isThere ? "a PNG was uploaded and read back" : `a PNG was uploaded; reading it back: ${saysOf(look)}`,
  };
}

function thingOf(what: ProbeThing["what"], title: string, root: string): ProbeThing {
  return { what, title, id: null, address: new URL(root).origin, json: undefined, isRefused: false };
}

function note(thing: ProbeThing, told: Told, id: unknown, address: (id: number) => string): void {
  thing.isRefused = isRefusal(told);
  if (told.status === null || told.status >= 300 || typeof id !== "number") return;
  const url = isObject(told.json) ? told.json["url"] : undefined;
  Object.assign(thing, { id, json: told.json, address: typeof url === "string" ? url : address(id) });
}

function idIn({ json }: Told, name: string): unknown {
  return isObject(json) ? (json[name] ?? json["id"]) : undefined;
}

/** Ends with `abort`, or a while after `stop`: a create under way may still tell what it made. */
function makingSignal({ stop, abort, grace = GRACE }: ProbeParts): {
  readonly signal: AbortSignal;
  readonly close: () => void;
} {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => controller.abort(abort.aborted ? abort.reason : stop.reason);
  const soon = () => {
    timer = setTimeout(end, grace);
  };
  stop.addEventListener("abort", soon, { once: true });
  abort.addEventListener("abort", end, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", soon);
      abort.removeEventListener("abort", end);
    },
  };
}
