import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Key } from "../core/model/key.js";
import { parallel } from "../core/util/concurrency.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { Database } from "../storage/sqlite.js";
import type { KeepFiles } from "../storage/workspace/commit-batches.js";
import { type Layout, layoutOf } from "../storage/workspace/layout.js";
import { lockHolder } from "../storage/workspace/lock.js";
import type { Elsewhere } from "../storage/workspace/media-store.js";
import type { FleetDatabase } from "./database.js";
import { ObjectStore, Seal, WIDTH } from "./object-store.js";
import { BASE, readNote } from "./state-shipping.js";

/** Items of a batch are one object: a thousand of them come back in a few round trips. */
const ITEMS = "items-";
/** A part of a content, as `ObjectStore.putFile` names it: `media-NAME-INDEX-COUNT`. */
const MEDIA = /^media-([0-9a-f]{64})-(\d+)-(\d+)$/;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Items and media of a task's workspace in the storage of the fleet. Every file is there before the
 * index tells of it.
 */
export class KeptFiles implements Elsewhere {
  readonly #store: ObjectStore;
  readonly #layout: Layout;
  /** The number of parts of each whole content, by its name. */
  readonly #media = new Map<string, number>();
  /** Objects that are no media: there may be many of those. */
  #listed: Awaited<ReturnType<ObjectStore["list"]>> = [];
  /** Objects with items that no entry has any more. */
  readonly #unused = new Set<string>();

  constructor(layout: Layout, store: ObjectStore) {
    this.#layout = layout;
    this.#store = store;
  }

  /** Learns what is stored. `restores`: also writes the items of the index into the folder. */
  async takeUp(restores: boolean): Promise<void> {
    const missing = new Map<string, number>();
    const listed = await this.#store.list();
    for (const { name: object } of listed) {
      const [, name, , parts] = MEDIA.exec(object) ?? [];
      if (name === undefined) continue;
      const left = (missing.get(name) ?? Number(parts)) - 1;
      if (left === 0) this.#media.set(name, Number(parts));
      else missing.set(name, left);
    }
    this.#listed = listed.filter(({ name }) => !MEDIA.test(name));
    if (restores) await this.#restoreItems();
  }

  has(sha256: string): boolean {
    return this.#media.has(this.#store.seal.nameOf(sha256));
  }

  async open(sha256: string): Promise<Readable> {
    const name = this.#store.seal.nameOf(sha256);
    const parts = this.#store.getFile(`media-${name}`, this.#media.get(name) ?? 0, name);
    return Readable.from(parts, { objectMode: false });
  }

  readonly keep: KeepFiles = async (files) => {
    const items = files.filter(({ file }) => !SHA256.test(basename(file)));
    const media = files.filter(({ file }) => SHA256.test(basename(file)));
    const works = [
      ...(items.length === 0 ? [] : [() => this.#keepItems(items.map(({ temporary }) => temporary))]),
      ...media.map((medium) => () => this.#keepMedium(medium)),
    ];
    await parallel(works, WIDTH, (work) => work());
  };

  /**
   * Removes what was unused when the state was taken up, and is old.
   *
   * @param base the name of the object that stays
   */
  async removeUnused(base: string | undefined): Promise<void> {
    const isUnused = (name: string): boolean =>
      this.#unused.has(name) || (name.startsWith(BASE) && !name.startsWith(`${base}-`));
    await this.#store.removeOld(this.#listed.filter(({ name }) => isUnused(name)));
  }

  async #keepItems(paths: readonly string[]): Promise<void> {
    const pieces: Buffer[] = [];
    for (const path of paths) {
      const bytes = await onDisk(`reading ${path}`, readFile(path));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      pieces.push(length, bytes);
    }
    await this.#store.put(`${ITEMS}${randomUUID()}`, Buffer.concat(pieces));
  }

  async #keepMedium({ temporary, file }: Parameters<KeepFiles>[0][number]): Promise<void> {
    const name = this.#store.seal.nameOf(basename(file));
    const { parts } = await this.#store.putFile(`media-${name}`, temporary, false);
    this.#media.set(name, parts);
  }

  /** An item that is missing afterwards is read from the site again. */
  async #restoreItems(): Promise<void> {
    const keys = keysByDigest(this.#layout);
    const objects = this.#listed.filter(({ name }) => name.startsWith(ITEMS));
    await parallel(objects, WIDTH, async ({ name }) => {
      let used = 0;
      for (const bytes of piecesOf(await this.#store.get(name))) {
        const key = keys.get(createHash("sha256").update(bytes).digest("hex"));
        if (key === undefined) continue;
        used += 1;
        const file = this.#layout.item(key);
        await onDisk(`writing ${file}`, mkdir(dirname(file), { recursive: true, mode: 0o700 }));
        await onDisk(`writing ${file}`, writeFile(file, bytes, { mode: 0o600 }));
      }
      if (used === 0) this.#unused.add(name);
    });
  }
}

/** Those of damaged content are not items of the index, and its end may lack the length of one. */
function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= content.length; ) {
    const end = at + 4 + content.readUInt32BE(at);
    yield content.subarray(at + 4, end);
    at = end;
  }
}

function keysByDigest({ state }: Layout): ReadonlyMap<string, Key> {
  const database = new Database(state, { readOnly: true });
  try {
    const rows = database.all<{ readonly key: Key; readonly digest: string }>("SELECT key, digest FROM item");
    return new Map(rows.map(({ key, digest }) => [digest, key]));
  } finally {
    database.close();
  }
}

interface LeftoverOptions {
  readonly database: FleetDatabase;
  /** The object storage of the fleet; null: it has none. */
  readonly store: string | null;
  /** The folder in which each task has one of its own. */
  readonly workspaces: string;
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

/**
 * Removes what removed tasks left: their objects, and their workspaces on this machine. Only those
 * of tasks that the database names as removed: that of another fleet may have the same folder.
 */
export async function removeLeftovers({ database, store, workspaces, stop, say }: LeftoverOptions): Promise<void> {
  // A process whose task was removed notices it by its lease.
  const left = await database.query<{ readonly id: string }>(
    "SELECT id FROM guideferry.removed_task WHERE has_objects AND removed < clock_timestamp() - interval '10 minutes'",
  );
  for (const { id } of store === null ? [] : left) {
    if (stop.aborted) return;
    const objects = await ObjectStore.open(store ?? "", id, new Seal(undefined));
    await objects.removeAll().finally(() => objects.close());
    await database.query("UPDATE guideferry.removed_task SET has_objects = false WHERE id = $1", [id]);
    say(`Removed the stored state of the task ${id}, which was removed from the fleet.`);
  }
  const names = await readdir(workspaces).catch(() => []);
  const removed = await database.query<{ readonly id: string }>(
    "SELECT id::text FROM guideferry.removed_task WHERE id::text = ANY($1::text[])",
    [names],
  );
  for (const { id } of removed) {
    if (stop.aborted) return;
    const layout = layoutOf(join(workspaces, id, "workspace"));
    const note = await readNote(layout.directory);
    if (note?.task === id && lockHolder(layout.lock) === undefined) {
      await onDisk(`removing ${layout.directory}`, rm(layout.directory, { recursive: true, force: true }));
      say(`Removed the workspace of the task ${id}, which was removed from the fleet.`);
    }
    // Not when it has other files.
    await rmdir(join(workspaces, id)).catch(() => undefined);
  }
}
