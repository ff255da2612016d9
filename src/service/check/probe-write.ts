import { crc32, deflateSync } from "node:zlib";
import { messageOf } from "../../core/errors.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import type { Bound, LimitQuestions, Pixels } from "../../core/writing.js";
import { plainRows } from "../wire/compared-fields.js";
import type { Ask, AskResult } from "./ask.js";
import { type GuidePlacement, probeGuide, removeProbe } from "./probe-items.js";
import { fileNames, idIn, isRefusal, note, type ProbeNames, type ProbeThing, saysOf, thingOf } from "./probe-things.js";
import { probeTranslation } from "./probe-translation.js";
import { uploadAddress } from "./read-site.js";
import type { Act, Leftover, LimitFacts, WriteFacts } from "./site-facts.js";

interface ProbeParts {
  readonly ask: Ask;
  readonly root: string;
  readonly names: ProbeNames;
  /** null: the site has no category for a guide, so none is created. */
  readonly placement: GuidePlacement | null;
  /** Languages for a translation, until the site accepts one; default: none. */
  readonly languages?: readonly string[];
  /** Default: none. */
  readonly limits?: LimitQuestions;
  /** Default: yes. */
  readonly uploads?: boolean;
  /** When aborted: create nothing more, delete what was created. */
  readonly stop: AbortSignal;
  /** When aborted: stop everything. What was created stays and is reported. */
  readonly abort: AbortSignal;
  /** Called at once, since a person who stops the run may not see the end. */
  readonly onLeft: (left: Leftover) => void;
  /** Milliseconds for an active create after a stop; default 8000. */
  readonly grace?: number;
}

const GRACE = 8000;

/** Creates a private guide with a step and an upload, reads them back, and always deletes them. */
export async function probeWrite(parts: ProbeParts): Promise<WriteFacts> {
  const made: ProbeThing[] = [];
  const facts: Facts = {
    guide: null,
    step: null,
    limits: null,
    translation: null,
    upload: null,
    deleted: [],
    left: [],
  };
  const making = makingSignal(parts);
  try {
    if (parts.placement === null) facts.guide = NO_CATEGORY;
    else await tryGuide(parts, parts.placement, made, facts, making.signal);
    if (parts.uploads !== false) await probeUpload(parts, made, facts, making.signal);
    if (facts.upload?.isDone === true) await tryPictures(parts, made, facts, making.signal);
  } catch (error) {
    if (!parts.stop.aborted && !parts.abort.aborted) throw error;
  } finally {
    making.close();
    for (const thing of made.filter(({ isRefused }) => !isRefused).toReversed()) await clean(parts, thing, facts);
  }
  return facts;
}

const NO_CATEGORY: Act = { isDone: null, says: "not tried: the site has no category for the trial guide" };

type Facts = { -readonly [Name in keyof WriteFacts]: WriteFacts[Name] } & { deleted: Act[]; left: Leftover[] };

async function clean({ ask, root, abort, onLeft }: ProbeParts, thing: ProbeThing, facts: Facts): Promise<void> {
  const removal = await removeProbe(ask, root, thing, abort).catch((error: unknown) => ({
    left: messageOf(error),
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

async function tryGuide(
  parts: ProbeParts,
  placement: GuidePlacement,
  made: ProbeThing[],
  facts: Facts,
  signal: AbortSignal,
): Promise<void> {
  const { ask, root, names, stop, languages = [] } = parts;
  const guide: ProbeThing = { ...thingOf("guide", names.title, parts.root), otherTitle: names.translated };
  await probeGuide(parts, placement, guide, made, facts, signal);
  if (facts.guide?.isDone !== true) return;
  const limits = parts.uploads === false ? parts.limits : withoutImages(parts.limits);
  if (limits !== undefined && facts.step?.isDone === true) {
    stop.throwIfAborted();
    const nextFile = fileNames(names);
    facts.limits = await probeLimits({ ask, root, guide, nextFile, made, signal }, limits);
  }
  if (languages.length === 0) return;
  stop.throwIfAborted();
  facts.translation = await probeTranslation(ask, guide, languages, signal);
}

/** The limits of pictures need uploads, so they are probed after the first upload succeeded. */
function withoutImages(limits: LimitQuestions | undefined): LimitQuestions | undefined {
  if (limits === undefined) return undefined;
  const { images: _later, ...others } = limits;
  return others;
}

async function tryPictures(
  { ask, root, names, stop, limits }: ProbeParts,
  made: ProbeThing[],
  facts: Facts,
  signal: AbortSignal,
): Promise<void> {
  const guide = made.find(({ what }) => what === "guide");
  if (limits?.images === undefined || guide === undefined || facts.limits === null || facts.limits.trouble !== null)
    return;
  stop.throwIfAborted();
  const nextFile = fileNames(names);
  const found = await probeLimits({ ask, root, guide, nextFile, made, signal }, { images: limits.images });
  facts.limits = { ...facts.limits, ...found };
}

async function probeUpload(parts: ProbeParts, made: ProbeThing[], facts: Facts, signal: AbortSignal): Promise<void> {
  const { ask, root, names, stop } = parts;
  stop.throwIfAborted();
  const upload = thingOf("upload", names.file, root);
  made.push(upload);
  const path = `user/media/images?file=${names.file}`;
  const reply = await ask({ method: "POST", path, bytes: probeImage(), tries: 1 }, signal);
  const image =
    isObject(reply.json) && isObject(reply.json["image"]) ? reply.json["image"]["id"] : idIn(reply, "imageid");
  note(upload, reply, image, (id) => uploadAddress(root, id));
  if (upload.id === null) {
    facts.upload = { isDone: false, says: `a PNG could not be uploaded: ${saysOf(reply)}` };
    return;
  }
  facts.upload = { isDone: false, says: `image ${upload.id} was uploaded, but not read back` };
  stop.throwIfAborted();
  const look = await ask({ path: `user/media/GuideImage/${upload.id}` }, signal);
  const isThere = look.status === 200;
  facts.upload = {
    isDone: isThere,
    says: isThere
      ? "a PNG was uploaded and read back"
      : `a PNG was uploaded, but could not be read back: ${saysOf(look)}`,
  };
}

/** Ends with `abort`, or a while after `stop`, since an active create may still answer. */
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

interface LimitParts {
  readonly ask: Ask;
  readonly root: string;
  readonly guide: ProbeThing;
  readonly nextFile: () => string;
  readonly made: ProbeThing[];
  readonly signal: AbortSignal;
}

/**
 * Probes the limits of steps by edits of the one step of a probe's guide: a size is accepted if the
 * answer shows all that was sent. A binary search finds a limit in between.
 */
async function probeLimits(parts: LimitParts, questions: LimitQuestions): Promise<LimitFacts> {
  const step = new ProbeStep(parts);
  const { lineLength, linesPerStep, images } = questions;
  const facts: { -readonly [Name in keyof LimitFacts]: LimitFacts[Name] } = { trouble: null };
  try {
    if (lineLength !== undefined) facts.lineLength = await most((count) => step.takesLine(count), lineLength);
    if (linesPerStep !== undefined) facts.linesPerStep = await most((count) => step.takesLines(count), linesPerStep);
    if (images !== undefined) Object.assign(facts, await leastImage(step, images));
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    facts.trouble = error.message;
  }
  // The edits changed the guide's revision, which its deletion sends.
  const { ask, guide, signal } = parts;
  const now = await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal);
  if (now.status === 200) guide.json = now.json;
  return facts;
}

class Unclear extends Error {}

type Takes = (count: number) => Promise<boolean>;

/** The highest accepted number: the wanted one, the known one, or the result of a binary search. */
async function most(
  takes: Takes,
  { known, wanted }: { readonly known: number; readonly wanted: number },
): Promise<Bound> {
  if (await takes(wanted)) return { takes: wanted, refuses: null };
  // Most sites that refuse it have the usual limit, so that is tried before the search.
  const isMore = wanted > known + 1 && (await takes(known + 1));
  const isKnown = isMore || (await takes(known));
  if (isKnown && !isMore) return { takes: known, refuses: known + 1 };
  if (!isKnown && !(await takes(1))) throw new Unclear("the site refuses every edit of a step");
  let [low, high] = isMore ? [known + 1, wanted] : [1, known];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await takes(middle)) low = middle;
    else high = middle;
  }
  return { takes: low, refuses: high };
}

/** Width and height separately; the smallest of all first. */
async function leastImage(
  step: ProbeStep,
  { known, wanted }: NonNullable<LimitQuestions["images"]>,
): Promise<Pick<LimitFacts, "imageWidth" | "imageHeight">> {
  const widths = distinct(wanted.map(({ width }) => width).filter((width) => width < known.width));
  const heights = distinct(wanted.map(({ height }) => height).filter((height) => height < known.height));
  const smallest = { width: widths.at(-1) ?? known.width, height: heights.at(-1) ?? known.height };
  if (await step.takesImage(smallest)) {
    return {
      imageWidth: { takes: smallest.width, refuses: null },
      imageHeight: { takes: smallest.height, refuses: null },
    };
  }
  const imageWidth = await least(widths, known.width, (width) => step.takesImage({ width, height: known.height }));
  const imageHeight = await least(heights, known.height, (height) => step.takesImage({ width: known.width, height }));
  return { imageWidth, imageHeight };
}

/** `falling`: sizes below the known one, the largest first. */
async function least(falling: readonly number[], known: number, takes: Takes): Promise<Bound> {
  const [largest] = falling;
  if (largest === undefined) return { takes: known, refuses: null };
  if (!(await takes(largest))) return { takes: known, refuses: largest };
  let [low, high] = [0, falling.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await takes(falling[middle] ?? known)) low = middle;
    else high = middle;
  }
  return { takes: falling[low] ?? known, refuses: falling[high] ?? null };
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((one, other) => other - one);
}
const WORD = "probe ";
const TRIES = 4;

class ProbeStep {
  readonly #parts: LimitParts;
  #step: JsonObject | undefined;

  constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** Uses words, since a site may limit text without blanks differently. */
  takesLine(length: number): Promise<boolean> {
    const text = WORD.repeat(Math.ceil(length / WORD.length)).slice(0, length - 1);
    return this.#takesLines([`${text}x`]);
  }

  takesLines(count: number): Promise<boolean> {
    return this.#takesLines(Array.from({ length: count }, (_, index) => `${WORD}${index + 1}`));
  }

  async #takesLines(texts: readonly string[]): Promise<boolean> {
    const lines = texts.map((text) => ({ text, bullet: "black", level: 0 }));
    const answer = await this.#patch({ title: "", lines });
    const now = answer === undefined ? [] : plainRows(answer["lines"]).map((line) => line["text_raw"]);
    return now.length === texts.length && now.every((text, index) => text === texts[index]);
  }

  async takesImage(size: Pixels): Promise<boolean> {
    const { ask, root, nextFile, made, signal } = this.#parts;
    const upload = thingOf("upload", nextFile(), root);
    made.push(upload);
    const path = `user/media/images?file=${upload.title}`;
    const reply = await ask({ method: "POST", path, bytes: probeImage(size), tries: 1 }, signal);
    const image =
      isObject(reply.json) && isObject(reply.json["image"]) ? reply.json["image"]["id"] : idIn(reply, "imageid");
    note(upload, reply, image, (id) => uploadAddress(root, id));
    if (upload.isRefused && !isOpen(reply)) return false;
    if (upload.id === null)
      throw new Unclear(`uploading a picture of ${size.width} x ${size.height}: ${saysOf(reply)}`);
    const answer = await this.#patch({ media: { type: "image", data: [upload.id] } });
    return answer !== undefined;
  }

  /** The step after the edit; undefined: the site refused it. */
  async #patch(json: JsonObject): Promise<JsonObject | undefined> {
    const { ask, guide, signal } = this.#parts;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const step = this.#step ?? (await this.#read());
      const path = `guides/${guide.id}/steps/${String(step["stepid"])}?revisionid=${String(step["revisionid"] ?? 0)}`;
      const reply = await ask({ method: "PATCH", path, json, tries: 1 }, signal);
      if (reply.status === 409 || reply.status === null || reply.status >= 500) {
        this.#step = undefined;
        continue;
      }
      if (isOpen(reply)) throw new Unclear(`an edit of a step: ${saysOf(reply)}`);
      if (isRefusal(reply)) return undefined;
      this.#step = isObject(reply.json) && Array.isArray(reply.json["lines"]) ? reply.json : await this.#read();
      return this.#step;
    }
    throw new Unclear("an edit of a step was not answered, or its revision changed each time guideferry read it");
  }

  async #read(): Promise<JsonObject> {
    const { ask, guide, signal } = this.#parts;
    const reply = await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal);
    if (reply.status !== 200) throw new Unclear(`reading the guide: ${saysOf(reply)}`);
    guide.json = reply.json;
    const [step] = plainRows(isObject(reply.json) ? reply.json["steps"] : undefined);
    if (step === undefined) throw new Unclear("the guide has no step for the trial");
    return step;
  }
}

/** A refusal of the account or of the rate shows nothing about the content. */
function isOpen({ status }: AskResult): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429;
}

/** Pixels of a side: twice the minimum of sites (api-facts 5.2). */
const SIDE = 100;

/** A grey PNG. Default: a square of 100 pixels. */
function probeImage({ width, height } = { width: SIDE, height: SIDE }): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per pixel, grey.
  head.set([8, 0], 8);
  // A byte before each row names its filter; 0: none.
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
