import { EXIT, FerryError } from "../core/errors.js";
import type { Issue } from "../core/model/issue.js";
import type { Item, MediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { Content, MediaUse } from "../core/model/media.js";
import { endsRun } from "./extract-errors.js";
import { type Counters, type ExtractRun, failedSoFar } from "./extract-run.js";
import { readStored } from "./extract-stored.js";
import { checkedContent } from "./media-content.js";
import { isChosen } from "./select.js";

/** A medium that an item needs and that could not be had. */
export interface MediaFailure {
  readonly use: MediaUse;
  readonly error: unknown;
  /** The site says that there is no such medium. */
  readonly unknown: boolean;
  /** Its bytes are stored as they came, and are not all. */
  readonly early: boolean;
}

/** What came of one medium: a failure, or the media that it needs itself. */
type Outcome = { readonly error: unknown } | { readonly needs: readonly MediaUse[] };

const NOTHING_MORE: Outcome = { needs: [] };

/** Fetches media, the same one for several items at once only once. */
export class MediaFetcher {
  readonly #run: ExtractRun;
  readonly #underWay = new Map<Key, Promise<Outcome>>();
  /** What came in this run and is not all, with what it lacks: the next run asks again. */
  readonly #early = new Map<Key, string>();
  /** Items that were finished when the first medium was stored: pages, which have few, come before guides. */
  #finishedBefore: number | undefined;

  constructor(run: ExtractRun) {
    this.#run = run;
  }

  /** Stores all media of an item that are not stored yet; gives those that could not be had. */
  async fetchAll(item: Item): Promise<readonly MediaFailure[]> {
    const failures: MediaFailure[] = [];
    const waiting = item.media.filter(({ key }) => this.#takes(key));
    const seen = new Set(waiting.map(({ key }) => key));
    // One after the other: items are read side by side already.
    for (let use = waiting.shift(); use !== undefined; use = waiting.shift()) {
      const outcome = await this.#fetchOnce(use);
      if ("error" in outcome) failures.push(failureOf(use, outcome.error));
      for (const need of "needs" in outcome ? outcome.needs : []) {
        if (!seen.has(need.key)) waiting.push({ ...need, path: use.path });
        seen.add(need.key);
      }
    }
    return failures;
  }

  #takes(key: Key): boolean {
    const { selection } = this.#run;
    return selection.dependencies || isChosen(selection, { key, category: null, modified: null }, () => []);
  }

  #fetchOnce(use: MediaUse): Promise<Outcome> {
    const running = this.#underWay.get(use.key);
    if (running !== undefined) return running;
    const started = this.#attempt(use).finally(() => this.#underWay.delete(use.key));
    this.#underWay.set(use.key, started);
    return started;
  }

  async #attempt(use: MediaUse): Promise<Outcome> {
    try {
      return await this.#fetch(use);
    } catch (error) {
      if (endsRun(error, this.#run.control)) throw error;
      return { error };
    }
  }

  async #fetch(use: MediaUse): Promise<Outcome> {
    const { source, control, startedAt, workspace } = this.#run;
    const entry = workspace.items.entry(use.key);
    const early = this.#early.get(use.key);
    if (early !== undefined) throw new EarlyEnd(use.key, early);
    // Stored by another item of this run. Of the run's first second, and by a clock that was wrong, it can't be known; then it is looked at closely.
    const isOfThisRun = entry !== undefined && entry.readAt > startedAt && entry.readAt <= Date.now() / 1000;
    if (isOfThisRun && entry.state === "present" && entry.revision !== "") return NOTHING_MORE;
    const item = await source.readMedia(use, control.abort);
    if (item === undefined) throw new UnknownMedia(`The site does not know ${use.key}: its detail was answered 404.`);
    if (!isMediaItem(item))
      throw new FerryError(`${use.key} was answered as a ${item.kind}. This is a defect of guideferry.`);
    const stored = await this.#stored(use.key);
    if (stored === undefined || entry?.revision !== item.revision || !this.#hasBytes(stored))
      await this.#store(use, item, stored?.body.content ?? null);
    else if (stored.body.poster !== item.body.poster) await this.#storeBeside(item, stored);
    // The picture that this one was cropped from or annotated on; the poster of a video.
    return { needs: item.media };
  }

  #hasBytes({ body: { content } }: MediaItem): boolean {
    return content !== null && content.endsEarly === undefined && this.#run.workspace.media.has(content.sha256);
  }

  async #stored(key: Key): Promise<MediaItem | undefined> {
    const stored = await readStored(this.#run.workspace.items, key);
    return stored !== undefined && isMediaItem(stored) ? stored : undefined;
  }

  /** Another poster changes nothing of a video's own bytes. */
  async #storeBeside(item: MediaItem, stored: MediaItem): Promise<void> {
    const { content } = stored.body;
    await this.#run.workspace.items.put({
      ...item,
      issues: stored.issues,
      body: { ...item.body, content },
    } as MediaItem);
  }

  async #store(use: MediaUse, item: MediaItem, before: Content | null): Promise<void> {
    const { workspace, counters, control } = this.#run;
    const { content, toldSize } = await this.#receive(use, item, before);
    const lack = lackOf(content, toldSize);
    const issues = lack === undefined ? item.issues : [...item.issues, endingEarly(item.key, lack)];
    const told = toldSize === undefined ? {} : { toldSize };
    await workspace.items.put({ ...item, issues, body: { ...item.body, ...told, content } } as MediaItem);
    counters.kinds[item.kind].read += 1;
    counters.mediaFiles += 1;
    counters.mediaBytes += content.size;
    const { mediaFiles: done, mediaBytes: bytes } = counters;
    this.#finishedBefore ??= counters.finished;
    const estimate = estimatedMedia(counters, this.#finishedBefore);
    control.progress({
      stage: "media",
      done,
      total: null,
      ...(estimate === undefined ? {} : { estimate }),
      key: item.key,
      bytes,
      failed: failedSoFar(counters),
    });
    if (content.endsEarly !== "once" || lack === undefined) return;
    this.#early.set(item.key, lack);
    throw new EarlyEnd(item.key, lack);
  }

  async #receive(use: MediaUse, item: MediaItem, before: Content | null): Promise<Received> {
    const { source, workspace, control } = this.#run;
    const open = async (from: number) => checkedContent(item, await source.open(item.body.url, from, control.abort));
    let asked: Promise<number | undefined> | undefined;
    const told = (): Promise<number | undefined> => (asked ??= this.#askSize(use, item));
    const came = await workspace.media.receive(open, control.abort, undefined, told);
    const toldSize = (await asked) ?? item.body.toldSize;
    // The host announced this length, so that it has no more.
    const isShort = came.endsEarly === undefined && toldSize !== undefined && came.size < toldSize;
    return { content: isShort ? { ...came, endsEarly: "confirmed" } : confirmed(came, before), toldSize };
  }

  /**
   * The bytes that the site tells of a medium. Of documents only their detail does, which is not asked for where the address is known; who may
   * not read it (api-facts 5.1) does without.
   */
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

interface Received {
  readonly content: Content;
  /** See `Media.toldSize`. */
  readonly toldSize: number | undefined;
}

/** Items from which the media of the others can be guessed. */
const ENOUGH = 10;

/** How many media there will be, if the items that are still to be read have as many as those before; undefined: too few were read. */
function estimatedMedia({ mediaFiles, finished, planned }: Counters, finishedBefore: number): number | undefined {
  const read = finished - finishedBefore;
  return read < ENOUGH ? undefined : mediaFiles + Math.round(((planned - finished) * mediaFiles) / read);
}

/** The same bytes in two runs are what the site has. */
function confirmed(content: Content, before: Content | null): Content {
  const isSame = content.endsEarly === "once" && before?.sha256 === content.sha256;
  return isSame ? { ...content, endsEarly: "confirmed" } : content;
}

/** What the bytes lack, for people; undefined: nothing that is known. */
function lackOf({ endsEarly, size }: Content, told: number | undefined): string | undefined {
  if (endsEarly === undefined) return undefined;
  return told !== undefined && size < told
    ? `are ${size} in number, fewer than the ${told} that the site tells`
    : "stop before the end of the file's format";
}

/** The issue of a medium whose bytes are not all; `endsEarly` of its content says how sure that is. */
function endingEarly(key: Key, lack: string): Issue {
  return {
    code: "media-ends-early",
    level: "note",
    key,
    path: "content",
    message: `The bytes of ${key} ${lack}, as the site gives them.`,
    remedy: "Look at it at the source; where it is cut there too, upload it again.",
  };
}

/** The bytes are stored, and the item that uses them counts as one that lacks them until the next run has asked again. */
class EarlyEnd extends FerryError {
  override readonly name = "EarlyEnd";

  constructor(key: Key, lack: string) {
    super(
      `The bytes of ${key} ${lack}, and the host announced no length. They are stored as they came, three times the same.`,
      { retriable: true, exitCode: EXIT.someFailed },
    );
  }
}

function failureOf(use: MediaUse, error: unknown): MediaFailure {
  return { use, error, unknown: error instanceof UnknownMedia, early: error instanceof EarlyEnd };
}

class UnknownMedia extends FerryError {
  override readonly name = "UnknownMedia";
}

function isMediaItem(item: Item): item is MediaItem {
  return item.kind === "image" || item.kind === "video" || item.kind === "document";
}
