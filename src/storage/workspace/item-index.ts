import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key } from "../../core/model/key.js";
import type { Database } from "./sqlite.js";

/** What is known of an item without opening its file. */
export interface ItemEntry {
  readonly key: Key;
  readonly kind: ItemKind;
  /** The change token of the stored content; empty: not known, or the file is damaged, so that it must be read anew. */
  readonly revision: string;
  /** The sha256 of the item's file. */
  readonly digest: string;
  readonly title: string;
  /** Guides: the title of the category. */
  readonly category: string | null;
  /** UNIX seconds, or null. */
  readonly modified: number | null;
  /** `gone`: the last complete listing no longer had it; its file stays. */
  readonly state: "present" | "gone";
  /** UNIX seconds. */
  readonly readAt: number;
}

export type ItemCounts = Readonly<Record<ItemKind, { readonly present: number; readonly gone: number }>>;

const PAGE = 500;
const COLUMNS = "key, kind, revision, digest, title, category, modified, state, read_at AS readAt";

/** One entry, or undefined. */
export function readEntry(database: Database, key: Key): ItemEntry | undefined {
  const row = database.get<ItemEntry>(`SELECT ${COLUMNS} FROM item WHERE key = :key`, { key });
  return row === undefined ? undefined : { ...row };
}

/** By key, in pages: whatever is written meanwhile, an entry that is there all the time comes exactly once. */
export function* readEntries(database: Database, kind?: ItemKind): IterableIterator<ItemEntry> {
  // "0" follows "/": every key of the kind, and no other, lies between.
  const end = kind === undefined ? "\u{10FFFF}" : `${kind}0`;
  let after = kind === undefined ? "" : `${kind}/`;
  for (;;) {
    const page = database.all<ItemEntry>(
      `SELECT ${COLUMNS} FROM item WHERE key > :after AND key < :end ORDER BY key LIMIT ${PAGE}`,
      { after, end },
    );
    for (const row of page) yield { ...row };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}

export function writeEntry(database: Database, entry: ItemEntry): void {
  database.run(
    `INSERT OR REPLACE INTO item (key, kind, revision, digest, title, category, modified, state, read_at)
     VALUES (:key, :kind, :revision, :digest, :title, :category, :modified, :state, :readAt)`,
    { ...entry },
  );
}

export function countEntries(database: Database): ItemCounts {
  const rows = database.all<{ readonly kind: ItemKind; readonly state: "present" | "gone"; readonly count: number }>(
    "SELECT kind, state, count(*) AS count FROM item GROUP BY kind, state",
  );
  const countOf = (kind: ItemKind, state: string): number =>
    rows.find((row) => row.kind === kind && row.state === state)?.count ?? 0;
  return Object.fromEntries(
    ITEM_KINDS.map((kind) => [kind, { present: countOf(kind, "present"), gone: countOf(kind, "gone") }]),
  ) as ItemCounts;
}

/** Title, category and date of an item, as its own body tells them. */
export function describe(item: Item): Pick<ItemEntry, "title" | "category" | "modified"> {
  const describeKind = DESCRIPTIONS[item.kind] as (item: Item) => ReturnType<typeof describe>;
  return describeKind(item);
}

const DESCRIPTIONS: { readonly [K in ItemKind]: (item: Extract<Item, { kind: K }>) => ReturnType<typeof describe> } = {
  guide: ({ body }) => ({ title: body.title, category: body.category, modified: body.modifiedDate }),
  wiki: ({ body }) => ({ title: body.title, category: null, modified: body.modifiedDate }),
  category: ({ body }) => ({ title: body.title, category: null, modified: body.modifiedDate }),
  image: ({ body }) => ({ title: body.fileName ?? `image ${body.id}`, category: null, modified: null }),
  video: ({ body }) => ({ title: body.fileName ?? `video ${body.id}`, category: null, modified: null }),
  document: ({ body }) => ({ title: body.fileName ?? `document ${body.id}`, category: null, modified: null }),
  record: ({ body }) => ({ title: body.path, category: null, modified: null }),
};
