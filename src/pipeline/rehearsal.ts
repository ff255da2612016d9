import type { Context, Operation, Written } from "../contracts.js";
import type { Key } from "../model/key.js";
import type { Bench } from "./bench.js";
import type { Checked } from "./check.js";
import { uploadKey } from "./check-media.js";
import { contextOf } from "./context.js";
import { mediaItem, uploadOf } from "./send-media.js";

/** A load that only counts: each write is rehearsed, and what it would make is known to those that come after it. */
export class Rehearsal {
  readonly #bench: Bench;
  readonly #checked: Checked;
  readonly #context: Omit<Context, "begin" | "remember">;
  readonly #ids = new Map<Key, string>();
  readonly #uploads = new Map<string, string>();
  /** Of the item that is looked at now. */
  #written = new Map<Key, Written>();

  constructor(bench: Bench, checked: Checked) {
    this.#bench = bench;
    this.#checked = checked;
    const there = contextOf(bench, checked.map);
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
  async perform(operation: Operation): Promise<{ readonly writes: number; readonly missing: readonly Key[] }> {
    const { writes, receipt } = await this.#bench.target.rehearse(operation, this.#context);
    for (const written of receipt.written) await this.#take(operation, written);
    return { writes, missing: receipt.missing };
  }

  /** Sends the media that an operation needs and that are not there yet. Returns which went up. */
  async sendMedia(operation: Operation): Promise<readonly Key[]> {
    const sent: Key[] = [];
    for (const key of operation.needs) if (await this.sendOne(key)) sent.push(key);
    return sent;
  }

  async sendOne(key: Key): Promise<boolean> {
    if (this.#checked.map.mediaRefused.has(key) || (await this.knows(key))) return false;
    const item = await mediaItem(this.#bench, key);
    const content = item === undefined ? undefined : uploadKey(item);
    if (item === undefined || content === undefined) return false;
    const stored = item.body.content && (await this.#bench.ledger.uploadOf(item.kind, item.body.content.sha256));
    const same = stored?.id ?? this.#uploads.get(content);
    if (same !== undefined) {
      this.#ids.set(key, same);
      return false;
    }
    for (const upload of await uploadOf(this.#bench, item)) await this.perform(upload);
    const id = this.#ids.get(key);
    if (id === undefined) return false;
    this.#uploads.set(content, id);
    return true;
  }

  async #take({ call }: Operation, written: Written): Promise<void> {
    const isNew = (await this.#context.written(written.key)) === undefined;
    // Of what was there before, a made-up answer tells only the steps right.
    if (isNew || call.verb === "save-step" || call.verb === "delete-step") this.#written.set(written.key, written);
    if (isNew) this.#ids.set(written.key, written.id);
  }
}
