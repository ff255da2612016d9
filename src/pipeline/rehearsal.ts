import type { Context, Operation, Written } from "../contracts.js";
import type { Issue } from "../model/issue.js";
import type { Key } from "../model/key.js";
import type { Checked } from "./check.js";
import { uploadKey } from "./check-media.js";
import { contextOf } from "./context.js";
import type { LoadJob } from "./load-job.js";
import { mediaItem, uploadOf } from "./send-media.js";

/** What a write would come to. */
export interface Performed {
  readonly writes: number;
  /** Keys without an id as yet: it is written again as soon as they have one. */
  readonly missing: readonly Key[];
  readonly issues: readonly Issue[];
}

/** A load that only counts: each write is rehearsed, and what it would make is known to those that come after it. */
export class Rehearsal {
  readonly #job: LoadJob;
  readonly #checked: Checked;
  readonly #context: Omit<Context, "begin" | "keep" | "remember">;
  readonly #ids = new Map<Key, string>();
  readonly #uploads = new Map<string, string>();
  /** Of the item that is looked at now. */
  #written = new Map<Key, Written>();

  constructor(job: LoadJob, checked: Checked) {
    this.#job = job;
    this.#checked = checked;
    const there = contextOf(job, checked.map);
    this.#context = {
      ...there,
      idOf: async (key) => this.#ids.get(key) ?? there.idOf(key),
      written: async (key) => this.#written.get(key) ?? there.written(key),
    };
  }

  /** From now on operations are of another item. */
  nextItem(): void {
    this.#written = new Map();
  }

  /** Does something stand for the key at the target by now? */
  async knows(key: Key): Promise<boolean> {
    return (await this.#context.idOf(key)) !== undefined;
  }

  /** The page is there already, and is not ours. */
  standsAs(key: Key, id: string): void {
    this.#ids.set(key, id);
  }

  /** Throws what the write would throw before it is sent. */
  async perform(operation: Operation): Promise<Performed> {
    const { writes, receipt } = await this.#job.target.rehearse(operation, this.#context);
    for (const written of receipt.written) await this.#take(operation, written);
    return { writes, missing: receipt.missing, issues: receipt.issues };
  }

  /** What of a medium that comes to be there the service has no way to take. */
  async lossesOf(key: Key): Promise<readonly Issue[]> {
    const item = await mediaItem(this.#job, key);
    return item === undefined ? [] : this.#job.target.losses(item);
  }

  /** Sends a medium that is not there yet. `same`: bytes that went up with another one stand for it. */
  async sendMedium(key: Key): Promise<"uploaded" | "same" | "nothing"> {
    if (this.#checked.map.mediaRefused.has(key) || (await this.knows(key))) return "nothing";
    const item = await mediaItem(this.#job, key);
    const content = item === undefined ? undefined : uploadKey(item);
    if (item === undefined || content === undefined) return "nothing";
    const stored = item.body.content && (await this.#job.ledger.uploadOf(item.kind, item.body.content.sha256));
    const same = stored?.id ?? this.#uploads.get(content);
    if (same !== undefined) {
      this.#ids.set(key, same);
      return "same";
    }
    for (const upload of await uploadOf(this.#job, item)) await this.perform(upload);
    const id = this.#ids.get(key);
    if (id === undefined) return "nothing";
    this.#uploads.set(content, id);
    return "uploaded";
  }

  async #take({ call }: Operation, written: Written): Promise<void> {
    const isNew = (await this.#context.written(written.key)) === undefined;
    // Of what was there before, a made-up answer tells only the steps right.
    if (isNew || call.verb === "save-step" || call.verb === "delete-step") this.#written.set(written.key, written);
    if (isNew) this.#ids.set(written.key, written.id);
  }
}
