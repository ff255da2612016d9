import type { Bound, LimitQuestions, Pixels } from "../../core/contracts.js";
import { isObject } from "../wire/place.js";
import type { Ask, Told } from "./ask.js";
import { probeImage } from "./probe-image.js";
import { idIn, isRefusal, note, type ProbeThing, saysOf, thingOf } from "./probe-thing.js";
import { uploadAddress } from "./read-site.js";
import type { LimitFacts } from "./site-facts.js";

export interface LimitParts {
  readonly ask: Ask;
  readonly root: string;
  /** The probe's guide with one step, as it was read back. */
  readonly guide: ProbeThing;
  /** Other file names with each call. */
  readonly nextFile: () => string;
  /** Takes what is uploaded, to be deleted. */
  readonly made: ProbeThing[];
  readonly signal: AbortSignal;
}

/**
 * Asks a site for the limits of steps that the specification does not state, by edits of the one step of a probe's guide: a number counts as taken if
 * the edit was answered with all that was sent. A search by halves finds a limit in between.
 */
export async function probeLimits(parts: LimitParts, questions: LimitQuestions): Promise<LimitFacts> {
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
  // The edits moved the guide's revision, which its deletion sends.
  const { ask, guide, signal } = parts;
  const now = await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal);
  if (now.status === 200) guide.json = now.json;
  return facts;
}

/** An answer that says nothing of the limit. */
class Unclear extends Error {}

type Takes = (count: number) => Promise<boolean>;

/** The most that is taken: all that is wanted, what is known, or what a search by halves finds in between. */
async function most(
  takes: Takes,
  { known, wanted }: { readonly known: number; readonly wanted: number },
): Promise<Bound> {
  if (await takes(wanted)) return { takes: wanted, refuses: null };
  // Most sites that refuse it have the usual limit: it is asked for before the search.
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

/** Width and height apart: the smallest of all first, which settles both where it is taken. */
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

/** @param falling sizes below what is known, the largest first */
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

type Json = Readonly<Record<string, unknown>>;
const WORD = "probe ";
/** A revision that moved, and an answer that was lost. */
const TRIES = 4;

/** The one step of the probe's guide, which is edited again and again. */
class ProbeStep {
  readonly #parts: LimitParts;
  #step: Json | undefined;

  constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** Words, since a site may have a limit of its own for what has no blank in it. */
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
    const now = answer === undefined ? [] : rows(answer["lines"]).map((line) => line["text_raw"]);
    return now.length === texts.length && now.every((text, index) => text === texts[index]);
  }

  async takesImage(size: Pixels): Promise<boolean> {
    const { ask, root, nextFile, made, signal } = this.#parts;
    const upload = thingOf("upload", nextFile(), root);
    made.push(upload);
    const path = `user/media/images?file=${upload.title}`;
    const told = await ask({ method: "POST", path, bytes: probeImage(size), tries: 1 }, signal);
    const image =
      isObject(told.json) && isObject(told.json["image"]) ? told.json["image"]["id"] : idIn(told, "imageid");
    note(upload, told, image, (id) => uploadAddress(root, id));
    if (upload.isRefused && !isOpen(told)) return false;
    if (upload.id === null) throw new Unclear(`uploading a picture of ${size.width} x ${size.height}: ${saysOf(told)}`);
    const answer = await this.#patch({ media: { type: "image", data: [upload.id] } });
    return answer !== undefined;
  }

  /** The step as it is then; undefined: the site refused the edit. */
  async #patch(json: Json): Promise<Json | undefined> {
    const { ask, guide, signal } = this.#parts;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const step = this.#step ?? (await this.#read());
      const path = `guides/${guide.id}/steps/${String(step["stepid"])}?revisionid=${String(step["revisionid"] ?? 0)}`;
      const told = await ask({ method: "PATCH", path, json, tries: 1 }, signal);
      if (told.status === 409 || told.status === null || told.status >= 500) {
        this.#step = undefined;
        continue;
      }
      if (isOpen(told)) throw new Unclear(`an edit of a step: ${saysOf(told)}`);
      if (isRefusal(told)) return undefined;
      this.#step = isObject(told.json) && Array.isArray(told.json["lines"]) ? told.json : await this.#read();
      return this.#step;
    }
    throw new Unclear("an edit of a step was not answered, or its revision changed with every look at it");
  }

  async #read(): Promise<Json> {
    const { ask, guide, signal } = this.#parts;
    const told = await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal);
    if (told.status !== 200) throw new Unclear(`reading the guide: ${saysOf(told)}`);
    guide.json = told.json;
    const [step] = rows(isObject(told.json) ? told.json["steps"] : undefined);
    if (step === undefined) throw new Unclear("the guide has no step to try it with");
    return step;
  }
}

/** A refusal of the account or of the pace is none of the content. */
function isOpen({ status }: Told): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429;
}

function rows(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
