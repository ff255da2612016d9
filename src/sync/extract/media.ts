import { extname } from "node:path";
import type { Size } from "../../../transforms/fit/limits.js";
import { EXIT, FerryError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Content, Item, MediaItem, MediaUse } from "../../core/model/item.js";
import { isMediaItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { ReceivedFile } from "../../storage/workspace/media-store.js";
import { endsRun } from "../remedies.js";
import { isChosen } from "../selection.js";
import { pixelsIn } from "../stored-media.js";
import { type Counters, type ExtractRun, readStored } from "./run.js";

export interface MediaFailure {
  readonly use: MediaUse;
  readonly error: unknown;
  readonly unknown: boolean;
  readonly early: boolean;
}

interface Fetched {
  readonly needs: readonly MediaUse[];
  /** Fulfilled when the medium is durable; throws why not. Absent: it was stored before. */
  readonly stored?: Promise<void>;
}

/** What the workspace has of a medium. */
interface Before {
  readonly isNew: boolean;
  readonly content: Content | null;
}

const NOTHING_MORE: Fetched = { needs: [] };

export class MediaFetcher {
  readonly #run: ExtractRun;
  readonly #underWay = new Map<Key, Promise<Fetched>>();
  /** Incomplete media of this run, and what is missing. The next run fetches them again. */
  readonly #early = new Map<Key, string>();
  /** Items finished before the first medium: pages, with few media, are read first. */
  #finishedBefore: number | undefined;

  constructor(run: ExtractRun) {
    this.#run = run;
  }

  /** Fulfilled when the media are durable, with those that are not stored. */
  async fetchAll(item: Item): Promise<readonly MediaFailure[]> {
    const outcomes: Promise<MediaFailure | undefined>[] = [];
    const waiting = item.media.filter(({ key }) => this.#takes(key));
    const seen = new Set(waiting.map(({ key }) => key));
    // One after the other, since items are read in parallel. They become durable together.
    for (let use = waiting.shift(); use !== undefined; use = waiting.shift()) {
      const fetched = await this.#fetchOnce(use);
      outcomes.push(failureIn(use, fetched));
      for (const need of fetched.needs) {
        if (!seen.has(need.key)) waiting.push({ ...need, path: use.path });
        seen.add(need.key);
      }
    }
    const failures = (await Promise.all(outcomes)).filter((failure) => failure !== undefined);
    for (const { error } of failures) if (endsRun(error, this.#run.control)) throw error;
    return failures;
  }

  #takes(key: Key): boolean {
    const { selection } = this.#run;
    return selection.dependencies || isChosen(selection, { key, category: null, modified: null }, () => []);
  }

  #fetchOnce(use: MediaUse): Promise<Fetched> {
    const running = this.#underWay.get(use.key);
    if (running !== undefined) return running;
    const started = this.#attempt(use);
    this.#underWay.set(use.key, started);
    // Until then the store does not have it. Who asked for it gets the error.
    const forget = () => void this.#underWay.delete(use.key);
    started.then(({ stored }) => stored).then(forget, forget);
    return started;
  }

  async #attempt(use: MediaUse): Promise<Fetched> {
    try {
      return await this.#fetch(use);
    } catch (error) {
      if (endsRun(error, this.#run.control)) throw error;
      return { needs: [], stored: Promise.reject(error) };
    }
  }

  async #fetch(use: MediaUse): Promise<Fetched> {
    const { source, control, startedAt, workspace } = this.#run;
    const entry = workspace.items.entry(use.key);
    const early = this.#early.get(use.key);
    if (early !== undefined) throw new EarlyEnd(use.key, early);
    // Stored for another item of this run. In the first second of the run, or with a wrong clock,
    // that is unknown: then it is compared.
    const isOfThisRun = entry !== undefined && entry.readAt > startedAt && entry.readAt <= Date.now() / 1000;
    if (isOfThisRun && entry.state === "present" && entry.revision !== "") return NOTHING_MORE;
    const item = await source.readMedia(use, control.abort);
    if (item === undefined)
      throw new UnknownMedia(`The site does not have ${use.key}: it answered 404 for the detail.`);
    if (!isMediaItem(item))
      throw new FerryError(`${use.key} was read as ${item.kind}. This is a defect of guideferry; please report it.`);
    const before = entry === undefined ? undefined : await this.#stored(use.key);
    if (before === undefined || entry?.revision !== item.revision || !this.#hasBytes(before))
      return this.#store(use, item, { isNew: entry === undefined, content: before?.body.content ?? null });
    if (before.body.poster !== item.body.poster) await this.#storeBeside(item, before);
    // The image that this one was cropped or annotated from; the poster of a video.
    return { needs: item.media };
  }

  #hasBytes({ body: { content } }: MediaItem): boolean {
    return content !== null && content.endsEarly === undefined && this.#run.workspace.media.has(content.sha256);
  }

  async #stored(key: Key): Promise<MediaItem | undefined> {
    const stored = await readStored(this.#run.workspace.items, key);
    return stored !== undefined && isMediaItem(stored) ? stored : undefined;
  }

  /** A new poster does not change the bytes of the video. */
  async #storeBeside(item: MediaItem, stored: MediaItem): Promise<void> {
    const { content } = stored.body;
    await this.#run.workspace.items.put({
      ...item,
      issues: stored.issues,
      body: { ...item.body, content },
    } as MediaItem);
  }

  async #store(use: MediaUse, item: MediaItem, before: Before): Promise<Fetched> {
    const { content, toldSize, file, size } = await this.#receive(use, item, before.content);
    const lack = lackOf(content, toldSize);
    const issues = lack === undefined ? item.issues : [...item.issues, endingEarly(item.key, lack)];
    const announced = toldSize === undefined ? {} : { toldSize };
    const whole = { ...item, issues, body: { ...item.body, ...size, ...announced, content } } as MediaItem;
    const isEarly = content.endsEarly === "once" && lack !== undefined;
    // The store would ask its index whether a file has the text.
    const inFile = before.isNew ? false : undefined;
    const durable = async (): Promise<void> => {
      await this.#run.workspace.items.putWithOthers(whole, { content: file, inFile });
      this.#tell(whole, content);
      if (!isEarly) return;
      this.#early.set(item.key, lack);
      throw new EarlyEnd(item.key, lack);
    };
    return { needs: isEarly ? [] : item.media, stored: durable() };
  }

  #tell({ kind, key }: MediaItem, { size }: Content): void {
    const { counters, control } = this.#run;
    counters.count(kind, "read");
    counters.storeFile(size);
    const { files: done, bytes } = counters.media();
    this.#finishedBefore ??= counters.finished;
    const estimate = estimatedMedia(counters, this.#finishedBefore);
    const expected = estimate === undefined ? {} : { estimate };
    control.progress({ stage: "media", done, total: null, ...expected, key, bytes, failed: counters.failed() });
  }

  async #receive(use: MediaUse, item: MediaItem, before: Content | null): Promise<Received> {
    const { source, workspace, control } = this.#run;
    const open = (from: number) => source.open(item.body.url, from, control.abort);
    const check = (head: Buffer) => checkHead(item, head);
    let asked: Promise<number | undefined> | undefined;
    const askOnce = (): Promise<number | undefined> => (asked ??= this.#askSize(use, item));
    const {
      content: came,
      file,
      head,
    } = await workspace.media.receiveFile(open, control.abort, {
      check,
      reportedSize: askOnce,
    });
    const toldSize = (await asked) ?? item.body.toldSize;
    // The host announced exactly this length, so it has no more bytes.
    const isShort = came.endsEarly === undefined && toldSize !== undefined && came.size < toldSize;
    const content = isShort ? ({ ...came, endsEarly: "confirmed" } as const) : confirmed(came, before);
    return {
      content,
      toldSize,
      file,
      size: item.kind === "image" && item.body.width === null ? pixelsIn(head) : undefined,
    };
  }

  /** Only the detail of a document has its size. Some accounts may not read it (api-facts 5.1). */
  async #askSize(use: MediaUse, { kind, body }: MediaItem): Promise<number | undefined> {
    if (body.toldSize !== undefined || kind !== "document" || use.url === null) return body.toldSize;
    const { source, control } = this.#run;
    try {
      const detail = await source.readMedia({ ...use, url: null }, control.abort);
      return detail !== undefined && isMediaItem(detail) ? detail.body.toldSize : undefined;
    } catch (error) {
      if (endsRun(error, control)) throw error;
      return undefined;
    }
  }
}

interface Received extends Pick<ReceivedFile, "file"> {
  readonly content: Content;
  readonly toldSize: number | undefined;
  /** Measured here, so that no check of the items opens the file again. */
  readonly size: Size | undefined;
}

/** Items that an estimate of the number of media needs. */
const ENOUGH = 10;

function estimatedMedia(counters: Counters, finishedBefore: number): number | undefined {
  const { finished, planned } = counters;
  const { files } = counters.media();
  const read = finished - finishedBefore;
  return read < ENOUGH ? undefined : files + Math.round(((planned - finished) * files) / read);
}

/** Equal bytes in two runs are the complete file of the site. */
function confirmed(content: Content, before: Content | null): Content {
  const isSame = content.endsEarly === "once" && before?.sha256 === content.sha256;
  return isSame ? { ...content, endsEarly: "confirmed" } : content;
}

function lackOf({ endsEarly, size }: Content, announced: number | undefined): string | undefined {
  if (endsEarly === undefined) return undefined;
  return announced !== undefined && size < announced
    ? `has ${size} bytes, but the site announces ${announced}`
    : "ends before the end that its format requires";
}

function endingEarly(key: Key, lack: string): Issue {
  return {
    code: "media-ends-early",
    level: "note",
    key,
    path: "content",
    message: `The file of ${key} on the site ${lack}.`,
    remedy: "Check the file at the source. If it is incomplete there, upload it again.",
  };
}

/**
 * The bytes are stored. Their item counts as incomplete until the next run has fetched them again.
 */
class EarlyEnd extends FerryError {
  override readonly name = "EarlyEnd";

  constructor(key: Key, lack: string) {
    super(
      `The file of ${key} ${lack}. The host announced no length. Three downloads gave the same bytes, which are stored.`,
      { retriable: true, exitCode: EXIT.someFailed },
    );
  }
}

function failureIn(use: MediaUse, { stored }: Fetched): Promise<MediaFailure | undefined> {
  return Promise.resolve(stored).then(
    () => undefined,
    (error: unknown) => failureOf(use, error),
  );
}

function failureOf(use: MediaUse, error: unknown): MediaFailure {
  return { use, error, unknown: error instanceof UnknownMedia, early: error instanceof EarlyEnd };
}

class UnknownMedia extends FerryError {
  override readonly name = "UnknownMedia";
}

/**
 * Throws a final FerryError if the bytes are not of the wanted kind, since an address in content
 * may lead to anything: the same bytes would come again.
 */
function checkHead(item: MediaItem, head: Buffer): void {
  const found = contradiction(item, head);
  if (found === undefined) return;
  throw new FerryError(
    `The file from ${item.body.url} for ${item.key} is ${found.actual}, not ${found.expected}. It was not stored.`,
    { exitCode: EXIT.someFailed },
  );
}

function contradiction(
  { kind, body }: MediaItem,
  head: Buffer,
): { readonly expected: string; readonly actual: string } | undefined {
  const wrong = (expected: string) => ({ expected, actual: describeHead(head) });
  if (kind === "image") return begins(head, IMAGES) || isSvg(head) ? undefined : wrong("an image");
  if (kind === "video") return begins(head, VIDEOS) || isTransportStream(head) ? undefined : wrong("a video");
  const extension = extensionOf(body.fileName) ?? extensionOf(pathOf(body.url)) ?? "";
  // Readers take up to 1,024 bytes before the mark of a PDF (ISO 32000-1, annex H).
  if (extension === "pdf") return head.subarray(0, 1030).includes("%PDF-") ? undefined : wrong("a PDF");
  const format = DOCUMENTS[extension];
  if (format !== undefined) return begins(head, format) ? undefined : wrong(`a file of type ${extension}`);
  return isAnswer(head) && !TEXTS.has(extension) ? wrong("a document") : undefined;
}

function extensionOf(name: string | null): string | undefined {
  const extension = extname(name ?? "")
    .slice(1)
    .toLowerCase();
  return extension === "" ? undefined : extension;
}

function pathOf(url: string): string | null {
  return URL.canParse(url, "http://site.invalid") ? new URL(url, "http://site.invalid").pathname : null;
}

/** Hexadecimal digits at the start of files; a dot is any digit. */
type Signatures = readonly string[];

function begins(head: Buffer, signatures: Signatures): boolean {
  const digits = head.subarray(0, 32).toString("hex");
  return signatures.some((signature) => [...signature].every((digit, at) => digit === "." || digit === digits[at]));
}

const IMAGES: Signatures = [
  "ffd8ff", // JPEG
  "89504e470d0a1a0a", // PNG
  "474946383761", // GIF87a
  "474946383961", // GIF89a
  "52494646........57454250", // WebP
  "424d....................00", // BMP, whose header has no more than 255 * 256 bytes
  "49492a00", // TIFF, and what cameras make of it
  "4d4d002a",
  "49492b00",
  "4d4d002b",
  "........66747970686569", // HEIC
  "........66747970686576",
  "........667479706d6966",
  "........667479706d7366",
  "........6674797061766966", // AVIF
  "........6674797061766973",
  "0000000c6a502020", // JPEG 2000
  "ff4fff51",
  "0000000c4a584c20", // JPEG XL
  "ff0a",
  "00000100", // ICO
  "38425053", // Photoshop
];

const VIDEOS: Signatures = [
  "........66747970", // MP4, QuickTime: ftyp
  "........6d6f6f76", // moov
  "........6d646174", // mdat
  "........66726565", // free
  "........736b6970", // skip
  "........77696465", // wide
  "........706e6f74", // pnot
  "1a45dfa3", // Matroska, WebM
  "52494646........41564920", // AVI
  "464c56", // FLV
  "000001b", // MPEG
  "4f676753", // Ogg
  "3026b275", // Windows Media
  "2e524d46", // RealMedia
];

/** MPEG transport stream: packets of 188 bytes, in some files after a time stamp of 4. */
function isTransportStream(head: Buffer): boolean {
  return (head[0] === 0x47 && head[188] === 0x47) || (head[4] === 0x47 && head[196] === 0x47);
}

const ZIP: Signatures = ["504b0304", "504b0506", "504b0708"];
const OFFICE: Signatures = [...ZIP, "d0cf11e0"];

const DOCUMENTS: Readonly<Record<string, Signatures>> = {
  zip: ZIP,
  docx: OFFICE,
  xlsx: OFFICE,
  pptx: OFFICE,
  odt: ZIP,
  ods: ZIP,
  odp: ZIP,
  epub: ZIP,
  "7z": ["377abcaf"],
  rar: ["52617221"],
  gz: ["1f8b"],
  png: IMAGES,
  jpg: IMAGES,
  jpeg: IMAGES,
  gif: IMAGES,
  mp4: VIDEOS,
  dwg: ["414331"],
};

/** Types that may contain a web page or JSON: texts, and older office files. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["html", "htm", "xhtml", "mht", "json", "geojson", "ipynb", "txt", "md", "csv", "log", "js", "xls", "doc", "tex"],
]);

const WEB_PAGE = /^\s*(?:<!doctype html|<html)/i;
const JSON_VALUE = /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/;

function isAnswer(head: Buffer): boolean {
  const text = textOf(head);
  return WEB_PAGE.test(text) || JSON_VALUE.test(text);
}

function isSvg(head: Buffer): boolean {
  const text = textOf(head);
  return /^\s*</.test(text) && /<(?:\w+:)?svg[\s>]/.test(text) && !WEB_PAGE.test(text);
}

function textOf(head: Buffer): string {
  return head.toString("utf8").replace(/^\ufeff/, "");
}

function describeHead(head: Buffer): string {
  const text = textOf(head);
  if (WEB_PAGE.test(text)) return "a web page";
  if (JSON_VALUE.test(text)) return "JSON";
  if (/^\s*</.test(text)) return "XML";
  if (text.startsWith("%PDF-")) return "a PDF";
  if (begins(head, IMAGES)) return "an image";
  if (begins(head, VIDEOS)) return "a video";
  if (begins(head, ZIP)) return "a zip archive";
  return /^[\s\p{L}\p{N}\p{P}\p{S}]+$/u.test(text.slice(0, 200)) ? "plain text" : "a file of another kind";
}
