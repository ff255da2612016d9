import { z } from "zod";
import type { ItemKind, Key } from "../../../core/model/key.js";
import {
  type ItemRow,
  itemRowSchema,
  type Manifest,
  type MediaRow,
  manifestSchema,
  mediaRowSchema,
  type SnapshotIndex,
} from "../format.js";
import type { ArchivePool } from "./archive-pool.js";
import { damage } from "./damage.js";
import {
  findRow,
  type RowChange,
  type RowShape,
  type RowsBefore,
  readChangedRows,
  readRowBatches,
  readRows,
  rowsBelow,
} from "./rows.js";

export const MANIFEST = "manifest.json";
export const ITEMS = "items.ndjson";
export const MEDIA = "media.ndjson";

const ITEM_ROWS: RowShape<ItemRow> = { schema: itemRowSchema, keyOf: ({ key }) => key };
const MEDIA_ROWS: RowShape<MediaRow> = { schema: mediaRowSchema, keyOf: ({ sha256 }) => sha256 };

/** Bytes. A manifest has failures and archives, but no rows. */
const LONGEST_MANIFEST = 64 * 1024 * 1024;

/**
 * Reads the manifest and the rows in the main archive of a snapshot. `main`: its file name. `of`:
 * the facts of its index; an archive of another snapshot is damage. Throws as Repository.
 */
export class SnapshotReader {
  readonly #pool: ArchivePool;
  readonly #of: Pick<SnapshotIndex, "name" | "snapshot"> | undefined;
  readonly main: string;
  #manifest: Promise<Manifest> | undefined;

  constructor(pool: ArchivePool, main: string, of?: Pick<SnapshotIndex, "name" | "snapshot">) {
    this.#pool = pool;
    this.#of = of;
    this.main = main;
  }

  manifest(): Promise<Manifest> {
    this.#manifest ??= this.#readManifest();
    return this.#manifest;
  }

  async *items(): AsyncGenerator<ItemRow> {
    const { items } = await this.manifest();
    yield* readRows(this.#entry(ITEMS), ITEM_ROWS, { name: this.#name(ITEMS), ...items });
  }

  /** Rows of one kind; the others are not checked. */
  async *itemsOf(kind: ItemKind): AsyncGenerator<ItemRow> {
    await this.manifest();
    yield* rowsBelow(this.#entry(ITEMS), itemRowSchema, "key", `${kind}/`, this.#name(ITEMS));
  }

  async *itemBatches(): AsyncGenerator<readonly ItemRow[]> {
    const { items } = await this.manifest();
    yield* readRowBatches(this.#entry(ITEMS), ITEM_ROWS, { name: this.#name(ITEMS), ...items });
  }

  async *mediaBatches(): AsyncGenerator<readonly MediaRow[]> {
    const { media } = await this.manifest();
    yield* readRowBatches(this.#entry(MEDIA), MEDIA_ROWS, { name: this.#name(MEDIA), ...media });
  }

  async *media(): AsyncGenerator<MediaRow> {
    const { media } = await this.manifest();
    yield* readRows(this.#entry(MEDIA), MEDIA_ROWS, { name: this.#name(MEDIA), ...media });
  }

  /** The rows that differ from those of an earlier, checked snapshot; null: all. */
  async *changedItems(before: SnapshotReader | null): AsyncGenerator<RowChange<ItemRow>> {
    const { items } = await this.manifest();
    const rows = await before?.rowsBefore(ITEMS, "items");
    yield* readChangedRows(this.#entry(ITEMS), rows ?? null, ITEM_ROWS, { name: this.#name(ITEMS), ...items });
  }

  async *changedMedia(before: SnapshotReader | null): AsyncGenerator<RowChange<MediaRow>> {
    const { media } = await this.manifest();
    const rows = await before?.rowsBefore(MEDIA, "media");
    yield* readChangedRows(this.#entry(MEDIA), rows ?? null, MEDIA_ROWS, { name: this.#name(MEDIA), ...media });
  }

  async rowsBefore(path: string, of: "items" | "media"): Promise<RowsBefore> {
    return { ...(await this.manifest())[of], pieces: this.#entry(path) };
  }

  async item(key: Key): Promise<ItemRow | undefined> {
    await this.manifest();
    return findRow(this.#entry(ITEMS), itemRowSchema, "key", key, this.#name(ITEMS));
  }

  async medium(sha256: string): Promise<MediaRow | undefined> {
    await this.manifest();
    return findRow(this.#entry(MEDIA), mediaRowSchema, "sha256", sha256, this.#name(MEDIA));
  }

  async #readManifest(): Promise<Manifest> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.#entry(MANIFEST)) {
      pieces.push(piece);
      size += piece.length;
      if (size > LONGEST_MANIFEST)
        throw damage(`${this.#name(MANIFEST)} has more than ${LONGEST_MANIFEST} bytes, the limit.`);
    }
    const manifest = parseManifest(Buffer.concat(pieces).toString("utf8"), this.#name(MANIFEST));
    const { name, snapshot } = this.#of ?? manifest;
    if (manifest.name === name && manifest.snapshot === snapshot) return manifest;
    throw damage(
      `${this.main} does not match its name: it holds the snapshot ${manifest.snapshot} of ${manifest.name} instead of ${snapshot} of ${name}.`,
    );
  }

  #entry(path: string): AsyncGenerator<Buffer> {
    return this.#pool.content(this.main, path);
  }

  #name(path: string): string {
    return `${path} in ${this.main}`;
  }
}

function parseManifest(text: string, name: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof z.ZodError) throw damage(`${name} is damaged: ${z.prettifyError(cause).split("\n", 1)[0]}.`);
    throw damage(`${name} is damaged.`, cause);
  }
}
