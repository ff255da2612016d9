import { ArchiveError, EXIT } from "../../core/errors.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { ItemRow, Manifest, MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { itemBytes } from "../../storage/repository/read/contents.js";
import type { Repository } from "../../storage/repository/repository.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { asksForTree, isChosen, namedKeys, pathsOf, type Selection } from "../../sync/selection.js";

/** The items and media of one snapshot. */
export interface SnapshotContents {
  readonly snapshot: SnapshotId;
  readonly manifest: Manifest;
  /** Items that are unknown, since rows are damaged; default 0. */
  readonly lost?: number;
  /** Rows of present items, in the order of keys; default: of all kinds. */
  rows(kinds?: ReadonlySet<ItemKind>): AsyncIterable<PresentRow>;
  /** Keys of present items of these kinds, in batches. */
  keys(kinds: ReadonlySet<ItemKind>): AsyncIterable<readonly Key[]>;
  chosen(selection: Selection): AsyncIterable<PresentRow>;
  media(): AsyncIterable<MediaRow>;
  row(key: Key): Promise<PresentRow | undefined>;
  /** Where `row` notes all rows, for faster lookups by key. */
  noteIn(scratch: Scratch): void;
  /** Throws ArchiveError when the bytes are damaged or not an item of the model. */
  item(row: PresentRow): Promise<Item>;
}

/** Throws ArchiveError when the manifest can't be read. */
export async function snapshotContents(repository: Repository, snapshot: SnapshotId): Promise<SnapshotContents> {
  const manifest = await repository.manifest(snapshot);
  const rows = (kinds?: ReadonlySet<ItemKind>): AsyncIterable<PresentRow> =>
    presentOf((kinds && repository.itemsOf?.(snapshot, kinds)) ?? repository.items(snapshot), kinds);
  const lookup = new RowLookup<ItemRow>({
    topic: "row of an item",
    one: (key) => repository.item(snapshot, key as Key),
    all: () => repository.items(snapshot),
    keyOf: ({ key }) => key,
  });
  const present = async (key: Key): Promise<PresentRow | undefined> => {
    const row = await lookup.find(key);
    return row?.state === "present" ? row : undefined;
  };
  return {
    snapshot,
    manifest,
    rows,
    keys: (kinds) => repository.keysOf?.(snapshot, kinds) ?? keysOf(rows(kinds)),
    chosen: (selection) => chosenOf({ rows, row: present }, selection),
    media: () => repository.media(snapshot),
    row: present,
    noteIn: (scratch) => lookup.noteIn(scratch),
    item: async (row) => itemIn((await itemBytes(repository, row)).toString("utf8"), row),
  };
}

async function* presentOf(
  rows: AsyncIterable<ItemRow>,
  kinds: ReadonlySet<ItemKind> | undefined,
): AsyncIterable<PresentRow> {
  for await (const row of rows) if (row.state === "present" && kinds?.has(row.kind) !== false) yield row;
}

async function* keysOf(rows: AsyncIterable<PresentRow>): AsyncIterable<readonly Key[]> {
  for await (const { key } of rows) yield [key];
}

/** Looks up the rows of named keys; any other selection reads all rows. */
async function* chosenOf(
  { rows, row }: Pick<SnapshotContents, "rows" | "row">,
  selection: Selection,
): AsyncIterable<PresentRow> {
  const parents = new Map<string, string | null>();
  if (asksForTree(selection))
    for await (const { key, category } of rows(new Set(["category"])))
      parents.set(key.slice("category/".length), category);
  const path = pathsOf(parents);
  const named = namedKeys(selection);
  if (named === undefined) {
    for await (const one of rows()) if (isChosen(selection, one, path)) yield one;
    return;
  }
  for (const key of named) {
    const one = await row(key);
    if (one !== undefined && isChosen(selection, one, path)) yield one;
  }
}

/** Keeps the stored order of fields, which the schema could change: the sha256 depends on it. */
function itemIn(bytes: string, row: PresentRow): Item {
  const json = parse(bytes, row);
  const parsed = itemSchema.safeParse(json);
  if (!parsed.success) throw noItem(row, parsed.error);
  if (parsed.data.key !== row.key) throw noItem(row, new Error(`it holds ${parsed.data.key}`));
  return json as Item;
}

function parse(bytes: string, row: PresentRow): unknown {
  try {
    return JSON.parse(bytes);
  } catch (error) {
    throw noItem(row, error);
  }
}

function noItem(row: PresentRow, cause: unknown): ArchiveError {
  return new ArchiveError(
    `${row.path} in ${row.archive}, which should be ${row.key}, is not an item that this version of guideferry reads, although its bytes are undamaged. ` +
      "A newer version may have written it: install that version, or restore an earlier snapshot.",
    { cause, exitCode: EXIT.differences },
  );
}

interface RowSource<Row> {
  readonly topic: string;
  /** Reads the manifest from its beginning up to this row. */
  one(key: string): Promise<Row | undefined>;
  /** Reads the whole manifest. */
  all(): AsyncIterable<Row>;
  keyOf(row: Row): string;
}

/** The number of rows that are looked up one by one before the whole manifest is read. */
export const ONE_BY_ONE = 16;

/** Finds rows of a manifest; many lookups read it once and note all rows. */
export class RowLookup<Row> {
  readonly #source: RowSource<Row>;
  #scratch: Scratch | undefined;
  #asked = 0;
  #noted: Promise<Scratch> | undefined;

  constructor(source: RowSource<Row>) {
    this.#source = source;
  }

  /** Without it, each row is looked up in the manifest. */
  noteIn(scratch: Scratch): void {
    this.#scratch = scratch;
    this.#noted = undefined;
  }

  async find(key: string): Promise<Row | undefined> {
    this.#asked += 1;
    if (this.#scratch === undefined || this.#asked <= ONE_BY_ONE) return this.#source.one(key);
    this.#noted ??= this.#noteAll(this.#scratch);
    const noted = (await this.#noted).get(this.#source.topic, key);
    return noted === undefined ? undefined : (JSON.parse(noted) as Row);
  }

  async #noteAll(scratch: Scratch): Promise<Scratch> {
    const { topic, keyOf, all } = this.#source;
    scratch.clear(topic);
    for await (const row of all()) scratch.put(topic, keyOf(row), JSON.stringify(row));
    return scratch;
  }
}
