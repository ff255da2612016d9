import type { LimitQuestions } from "../../core/contracts.js";
import { isObject } from "../wire/place.js";
import type { Ask } from "./ask.js";
import { type Home, probeGuide } from "./probe-guide.js";
import { probeImage } from "./probe-image.js";
import { probeLimits } from "./probe-limits.js";
import { fileNames, type ProbeNames } from "./probe-names.js";
import { idIn, note, type ProbeThing, saysOf, thingOf } from "./probe-thing.js";
import { probeTranslation } from "./probe-translation.js";
import { uploadAddress } from "./read-site.js";
import { removeProbe } from "./remove-probe.js";
import type { Act, Leftover, WriteFacts } from "./site-facts.js";

export interface ProbeParts {
  readonly ask: Ask;
  readonly root: string;
  readonly names: ProbeNames;
  /** null: there is no category that a guide could be in, so none is made. */
  readonly home: Home | null;
  /** Languages that the guide is tried to be translated into, one after the other until the site takes one; default: none. */
  readonly languages?: readonly string[];
  /** Limits of steps that are asked for. Default: none. */
  readonly limits?: LimitQuestions;
  /** Is an upload tried? Default: yes. */
  readonly uploads?: boolean;
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
    if (parts.home === null) facts.guide = NO_CATEGORY;
    else await tryGuide(parts, parts.home, made, facts, making.signal);
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

async function tryGuide(
  parts: ProbeParts,
  home: Home,
  made: ProbeThing[],
  facts: Facts,
  signal: AbortSignal,
): Promise<void> {
  const { ask, root, names, stop, languages = [] } = parts;
  const guide: ProbeThing = { ...thingOf("guide", names.title, parts.root), otherTitle: names.translated };
  await probeGuide(parts, home, guide, made, facts, signal);
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

/** Sizes of pictures cost uploads: where one is tried by itself, they are asked for once that went well. */
function withoutImages(limits: LimitQuestions | undefined): LimitQuestions | undefined {
  if (limits === undefined) return undefined;
  const { images: _later, ...others } = limits;
  return others;
}

/** Which sizes of pictures a step of the probe's guide takes. */
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
