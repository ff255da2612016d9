import { z } from "zod";
import { keySchema } from "../../../core/model/identity.js";
import type { ItemKind, Key } from "../../../core/model/key.js";
import {
  type ItemRow,
  itemRowSchema,
  type Manifest,
  type MediaRow,
  manifestSchema,
  mediaRowSchema,
  type SnapshotIndex,
  storedItemRowSchema,
  usualItemRow,
  usualMediaRow,
} from "../format.js";
import type { ArchivePool } from "./archive-pool.js";
import { damage } from "./damage.js";
import { changedByDifferences, type DifferencesOf, isRemoved, mergedRows } from "./differences.js";
import { Bases, ROW_FILES, type RowFile, RowFiles } from "./row-files.js";
import {
  checkRow,
  linesBelow,
  parseRow,
  type RowChange,
  type RowShape,
  readChangedRows,
  readRowBatches,
  readRows,
} from "./rows.js";

export const MANIFEST = "manifest.json";
export const ITEMS = ROW_FILES.items.path;
export const MEDIA = ROW_FILES.media.path;

const MEDIA_ROWS: RowShape<MediaRow> = {
  schema: mediaRowSchema,
  keyOf: ({ sha256 }) => sha256,
  usual: usualMediaRow,
};

/** Bytes. A manifest has failures and archives, but no rows. */
const LONGEST_MANIFEST = 64 * 1024 * 1024;

interface ReaderOptions {
  /** The facts of its index; an archive of another snapshot is damage. Default: any snapshot. */
  readonly of?: Pick<SnapshotIndex, "name" | "snapshot">;
  /** Shared by the readers of a repository. */
  readonly bases?: Bases;
}

/**
 * Reads the manifest and the rows of a snapshot: its own, or those of its base with its
 * differences. `main`: the file name of its main archive. Throws as Repository.
 */
export class SnapshotReader {
  readonly #pool: ArchivePool;
  readonly #of: ReaderOptions["of"];
  readonly #bases: Bases;
  readonly main: string;
  #manifest: Promise<Manifest> | undefined;
  /** Its differences, or whole rows without a copy. */
  #own: RowFiles | undefined;

  constructor(pool: ArchivePool, main: string, { of, bases = new Bases(pool) }: ReaderOptions = {}) {
    this.#pool = pool;
    this.#of = of;
    this.#bases = bases;
    this.main = main;
  }

  manifest(): Promise<Manifest> {
    this.#manifest ??= this.#readManifest();
    return this.#manifest;
  }

  async *items(): AsyncGenerator<ItemRow> {
    yield* readRows(this.#lines("items"), itemRowsOf(await this.manifest()), { name: this.#name(ITEMS) });
  }

  /** Rows of these kinds; the others are not checked. */
  async *itemsOf(kinds: ReadonlySet<ItemKind>): AsyncGenerator<ItemRow> {
    const { schema } = itemRowsOf(await this.manifest());
    const { lines, where } = this.#below(kinds);
    for await (const batch of lines) for (const line of batch) yield parseRow(line, schema, where);
  }

  /** Keys of present items of these kinds, in batches; the rest of their rows is not checked. */
  async *keysOf(kinds: ReadonlySet<ItemKind>): AsyncGenerator<readonly Key[]> {
    const { lines, where } = this.#below(kinds);
    for await (const batch of lines)
      yield batch.flatMap((line) => {
        const { key, state } = keyRowOf(line, where);
        return state === "present" ? [key] : [];
      });
  }

  #below(kinds: ReadonlySet<ItemKind>) {
    const prefixes = [...kinds].map((kind) => `${kind}/`).sort();
    const name = this.#name(ITEMS);
    const lines = linesBelow(this.#lines("items"), "key", prefixes, name);
    return { lines, where: `${name}, below ${prefixes.join(" ")}` };
  }

  /** Can the bytes of all rows be read, as in the manifest? Throws ArchiveError (exit 6). */
  async checkRows(): Promise<void> {
    const { whole, differences } = await this.#files();
    for (const files of differences === undefined ? [whole] : [whole, differences])
      for (const of of ["items", "media"] as const) await files.check(of);
  }

  async *itemBatches(): AsyncGenerator<readonly ItemRow[]> {
    yield* readRowBatches(this.#lines("items"), itemRowsOf(await this.manifest()), { name: this.#name(ITEMS) });
  }

  async *mediaBatches(): AsyncGenerator<readonly MediaRow[]> {
    yield* readRowBatches(this.#lines("media"), MEDIA_ROWS, { name: this.#name(MEDIA) });
  }

  async *media(): AsyncGenerator<MediaRow> {
    yield* readRows(this.#lines("media"), MEDIA_ROWS, { name: this.#name(MEDIA) });
  }

  /**
   * The rows that differ from those of an earlier, checked snapshot; null: all. `last`: the last
   * snapshot with the base of this one. Its differences are almost all that its base is read for,
   * so a check of them all reads the base once.
   */
  async *changedItems(before: SnapshotReader | null, last: SnapshotReader): AsyncGenerator<RowChange<ItemRow>> {
    const shape = itemRowsOf(await this.manifest());
    const shapeBefore = before === null ? shape : itemRowsOf(await before.manifest());
    yield* this.#changed("items", { before, last }, shape, shapeBefore);
  }

  async *changedMedia(before: SnapshotReader | null, last: SnapshotReader): AsyncGenerator<RowChange<MediaRow>> {
    yield* this.#changed("media", { before, last }, MEDIA_ROWS, MEDIA_ROWS);
  }

  async item(key: Key): Promise<ItemRow | undefined> {
    return this.#row("items", itemRowsOf(await this.manifest()), key);
  }

  async medium(sha256: string): Promise<MediaRow | undefined> {
    return this.#row("media", MEDIA_ROWS, sha256);
  }

  /** Blocks of the lines of all rows. */
  async *#lines(of: RowFile): AsyncGenerator<Buffer> {
    const { whole, differences } = await this.#files();
    if (differences === undefined) yield* whole.blocks(of);
    else yield* mergedRows(whole.blocks(of), differences.blocks(of), this.#named(of));
  }

  /** `whole`: the own rows, or those of the base. */
  async #files(): Promise<{ readonly whole: RowFiles; readonly differences?: RowFiles }> {
    const { base, whole, ...facts } = await this.manifest();
    if (base === undefined && whole !== undefined) return { whole: this.#bases.of({ archive: this.main, ...whole }) };
    this.#own ??= new RowFiles(this.#pool, this.main, undefined, facts);
    return base === undefined ? { whole: this.#own } : { whole: this.#bases.of(base), differences: this.#own };
  }

  async *#changed<Row>(
    of: RowFile,
    { before, last }: { readonly before: SnapshotReader | null; readonly last: SnapshotReader },
    shape: RowShape<Row>,
    shapeBefore: RowShape<Row>,
  ): AsyncGenerator<RowChange<Row>> {
    const own = await this.#files();
    const others = before === null ? undefined : await before.#files();
    if (before === null || own.whole !== others?.whole) {
      const rows = before === null ? null : { pieces: before.#lines(of), shape: shapeBefore };
      yield* readChangedRows(this.#lines(of), rows, shape, this.#named(of));
      return;
    }
    const differences = (reader: SnapshotReader, files: typeof own, schema: z.ZodType<Row>): DifferencesOf<Row> => {
      return { ...reader.#named(of), schema, pieces: files.differences?.blocks(of) ?? null };
    };
    const [after, earlier] = [differences(this, own, shape.schema), differences(before, others, shapeBefore.schema)];
    const found = await own.whole.foundRows(of, async () => (await last.#files()).differences);
    yield* changedByDifferences(after, earlier, () => own.whole.blocks(of), found);
  }

  async #row<Row>(of: RowFile, { schema }: RowShape<Row>, key: string): Promise<Row | undefined> {
    const { whole, differences } = await this.#files();
    const own = await differences?.find(of, key);
    if (isRemoved(own)) return undefined;
    const row = own ?? (await whole.find(of, key));
    return row === undefined ? undefined : checkRow(row, schema, `${this.#named(of).name}, ${key}`);
  }

  async #readManifest(): Promise<Manifest> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.#pool.content(this.main, MANIFEST)) {
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

  #name(path: string): string {
    return `${path} in ${this.main}`;
  }

  #named(of: RowFile) {
    const { path, field } = ROW_FILES[of];
    return { name: this.#name(path), field };
  }
}

/** A row whose other fields do not matter. */
const keyRowSchema = z.object({ key: keySchema, state: z.enum(["present", "deleted"]) });
type KeyRow = Readonly<z.infer<typeof keyRowSchema>>;

/** The beginning of a row as guideferry writes it, unless its key has an escape. */
const KEY_ROW = /^\{"key":"([a-z]+\/[^"\\]+)","kind":"[a-z]+","state":"(present|deleted)"/;

/** From its beginning if possible: parsing ten thousand rows takes a tenth of a second. */
function keyRowOf(line: string, where: string): KeyRow {
  const [, key, state] = KEY_ROW.exec(line) ?? [];
  if (key === undefined) return parseRow(line, keyRowSchema, where);
  return { key: key as Key, state: state === "present" ? "present" : "deleted" };
}

/** Rows without `read` were compared with the site when the snapshot was taken. */
function itemRowsOf({ read }: Manifest): RowShape<ItemRow> {
  const keyOf = ({ key }: ItemRow): string => key;
  const usual = (value: unknown): ItemRow | undefined => usualItemRow(value, read);
  if (read === undefined) return { schema: itemRowSchema, keyOf, usual };
  const complete = storedItemRowSchema.transform(
    (row): ItemRow => (row.state === "deleted" ? row : { ...row, read: row.read ?? read }),
  );
  return { schema: complete, keyOf, usual };
}

function parseManifest(text: string, name: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof z.ZodError) throw damage(`${name} is damaged: ${z.prettifyError(cause).split("\n", 1)[0]}.`);
    throw damage(`${name} is damaged.`, cause);
  }
}
