import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Listed } from "../../core/contracts.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";
import { storedText } from "../stored-text.js";
import { type Layout, writeWhole } from "./layout.js";

/** The items, for those who only look. */
export interface ItemReader {
  /**
   * The stored item, a gone one too; undefined when there is none. Throws WorkspaceError when its
   * file is damaged or unreadable.
   */
  get(key: Key): Promise<Item | undefined>;
  entry(key: Key): ItemEntry | undefined;
  /**
   * Is it at the source, as far as is known here? True of what is present, and of guides and pages
   * that a list showed and that were not taken.
   */
  isAtSource(key: Key): boolean;
  /**
   * The bytes of its file, which are those of the entry's digest. Throws WorkspaceError as `get`
   * does, also when there is no entry.
   */
  file(key: Key): Promise<Buffer>;
  /** By key, present and gone ones, a page at a time; anything may be written while it runs. */
  entries(kind?: ItemKind): IterableIterator<ItemEntry>;
  counts(): ItemCounts;
}

/** The items of a workspace. */
export interface ItemStore extends ItemReader {
  /**
   * Stores an item, whole; it is present then, and listed where its kind is being listed. What the
   * item does not tell of itself is taken from `listed`. Durable.
   *
   * @param beside further writes to the index of this workspace, at once with the entry: both or
   * none
   */
  put(item: Item, listed?: Partial<Listed>, beside?: () => void): Promise<ItemEntry>;
  /**
   * Stores an item's file as it was stored before, byte for byte, with its entry. Durable. Throws
   * WorkspaceError when the bytes are not those of the entry's digest, or no item with its key.
   */
  adopt(entry: ItemEntry, file: Buffer): Promise<void>;
  /**
   * A stored item was compared with the source and is as it was: its age and its token change, its
   * file and digest don't, so that what only grew older is no new content. One that was gone is
   * present again.
   */
  compared(key: Key, seen: Pick<ItemEntry, "revision" | "readAt">): void;
  /**
   * A guide or page is at the source and is not taken: only that it is there is noted, until its
   * kind is listed anew.
   */
  leaveOut(key: Key): void;
  /** Begins a complete listing of these kinds; one that a killed run left is forgotten. */
  beginListing(kinds: Iterable<ItemKind>): void;
  /**
   * A key that the listing showed. An item that was gone and comes back with the stored token is
   * present again.
   */
  listed(listed: Listed): void;
  /** Takes back what `listed` noted: it turned out not to be there. */
  unlist(key: Key): void;
  /**
   * By key, a page at a time: what is present of the kinds that are being listed, translations
   * apart, and was not listed until now.
   */
  unlisted(): IterableIterator<Key>;
  /**
   * Marks the items of these kinds that were not listed as gone, and returns those that were
   * present until now.
   *
   * @param proves of an item that is gone: does this listing prove that it is? Default: of none.
   */
  endListing(proves?: (key: Key) => boolean): readonly Key[];
  /** Is it gone, and did a listing prove that? */
  isProvenGone(key: Key): boolean;
}

/** `writable` is false for `status`: nothing is marked then. */
export function createItemStore(database: Database, layout: Layout, writable: boolean): ItemStore {
  let listing: readonly ItemKind[] = [];
  return {
    get: (key) => readItem(database, layout, key, writable),
    entry: (key) => readEntry(database, key),
    isAtSource: (key) => isAtSource(database, key),
    leaveOut: (key) => database.lightly(() => noteKey(database, key)),
    file: (key) => readFileOf(database, layout, key, writable),
    entries: (kind) => readEntries(database, kind),
    counts: () => countEntries(database),
    isProvenGone: (key) => isProvenGone(database, key),
    put: async (item, listed, beside) => {
      const entry = await putFile(layout, item, listed);
      await database.durably(() => {
        writeEntry(database, entry);
        if (listing.includes(item.kind)) noteKey(database, item.key);
        beside?.();
      });
      return entry;
    },
    adopt: async (entry, file) => {
      await adoptFile(layout, entry, file);
      await database.durably(() => writeEntry(database, entry));
    },
    compared: (key, { revision, readAt }) =>
      database.lightly(() =>
        database.run(
          "UPDATE item SET state = 'present', proven = 0, revision = :revision, read_at = :readAt WHERE key = :key",
          { key, revision, readAt },
        ),
      ),
    beginListing: (kinds) => {
      listing = [...kinds];
      for (const kind of kinds) database.run("DELETE FROM listing WHERE key LIKE :keys", { keys: `${kind}/%` });
    },
    listed: (listed) => database.lightly(() => noteListed(database, listed)),
    unlist: (key) => database.lightly(() => database.run("DELETE FROM listing WHERE key = :key", { key })),
    unlisted: () => readUnlisted(database, listing),
    endListing: (proves = () => false) => {
      const kinds = listing;
      listing = [];
      return endListing(database, kinds, proves);
    },
  };
}

/** Its file; the index does not know of it yet. */
async function putFile(layout: Layout, item: Item, listed: Partial<Listed> = {}): Promise<ItemEntry> {
  // Read back before it is written: what could not be read later must fail now, while its source is
  // at hand.
  const text = `${JSON.stringify({ ...item, raw: item.raw ?? null })}\n`;
  parseItem(text, item.key, `${item.key}, which was just read,`);
  const own = describe(item);
  const entry: ItemEntry = {
    key: item.key,
    kind: item.kind,
    revision: item.revision === "" ? (listed.revision ?? "") : item.revision,
    digest: createHash("sha256").update(text).digest("hex"),
    title: own.title === "" ? (listed.title ?? "") : own.title,
    category: own.category ?? listed.category ?? null,
    modified: own.modified ?? listed.modified ?? null,
    state: "present",
    readAt: Math.floor(Date.now() / 1000),
  };
  await writeWhole(layout, layout.item(item.key), text);
  return entry;
}

async function adoptFile(layout: Layout, entry: ItemEntry, file: Buffer): Promise<void> {
  const text = file.toString("utf8");
  if (createHash("sha256").update(file).digest("hex") !== entry.digest || !Buffer.from(text).equals(file))
    throw new WorkspaceError(`The bytes of ${entry.key} are others than its digest ${entry.digest} says.`);
  parseItem(text, entry.key, `The file of ${entry.key}`);
  await writeWhole(layout, layout.item(entry.key), text);
}

async function readItem(database: Database, layout: Layout, key: Key, writable: boolean): Promise<Item | undefined> {
  if (readEntry(database, key) === undefined) return undefined;
  const file = layout.item(key);
  // Read at once: a load looks at each item in each phase, and each step that is waited for takes
  // longer than the step.
  return orUnread({ database, key, file, writable }, async () => parseItem(readFileSync(file, "utf8"), key, file));
}

async function readFileOf(database: Database, layout: Layout, key: Key, writable: boolean): Promise<Buffer> {
  const file = layout.item(key);
  return orUnread({ database, key, file, writable }, async () => {
    const bytes = await readFile(file);
    if (createHash("sha256").update(bytes).digest("hex") === readEntry(database, key)?.digest) return bytes;
    throw new WorkspaceError(`${file} has other bytes than were stored.`);
  });
}

interface Reading {
  readonly database: Database;
  readonly key: Key;
  readonly file: string;
  readonly writable: boolean;
}

/** Without a token the next extract takes the item for changed and reads it anew. */
async function orUnread<T>({ database, key, file, writable }: Reading, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (writable) database.run("UPDATE item SET revision = '' WHERE key = :key", { key });
    throw unreadable(key, file, cause);
  }
}

function parseItem(text: string, key: Key, what: string): Item {
  const parsed = itemSchema.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new WorkspaceError(`${what} is no item of the model: ${parsed.error.message}`, { cause: parsed.error });
  if (storedText(parsed.data.key) === storedText(key)) return parsed.data;
  throw new WorkspaceError(`${what} holds ${parsed.data.key} instead of ${key}.`);
}

function unreadable(key: Key, file: string, cause: unknown): WorkspaceError {
  return new WorkspaceError(
    `The stored ${key} can't be read: ${file} is damaged, missing or not readable. Run the extract again: it reads this item anew.`,
    { cause, exitCode: EXIT.someFailed },
  );
}

function noteListed(database: Database, listed: Listed): void {
  noteKey(database, listed.key);
  database.run(
    "UPDATE item SET state = 'present' WHERE key = :key AND state = 'gone' AND revision = :revision AND revision <> ''",
    { key: listed.key, revision: listed.revision },
  );
}

function noteKey(database: Database, key: Key): void {
  database.run("INSERT OR IGNORE INTO listing (key) VALUES (:key)", { key });
}

function* readUnlisted(database: Database, kinds: readonly ItemKind[]): IterableIterator<Key> {
  for (const kind of kinds) {
    const rows = database.pages<{ readonly key: Key }>(
      `SELECT key FROM item WHERE kind = :kind AND state = 'present' AND NOT (kind = 'guide' AND instr(key, '@') > 0)
       AND key > :key AND key NOT IN (SELECT key FROM listing) ORDER BY key`,
      { kind },
      { key: "" },
    );
    for (const { key } of rows) yield key;
  }
}

function endListing(database: Database, kinds: readonly ItemKind[], proves: (key: Key) => boolean): readonly Key[] {
  return database.transaction(() => {
    const gone = kinds.flatMap((kind) =>
      database.all<{ readonly key: Key }>(
        `UPDATE item SET state = 'gone' WHERE kind = :kind AND state = 'present' AND key NOT IN (SELECT key FROM listing) RETURNING key`,
        { kind },
      ),
    );
    // What is listed again and could not be read is still marked as gone.
    database.run("UPDATE item SET proven = 0 WHERE proven = 1 AND key IN (SELECT key FROM listing)");
    for (const kind of kinds) proveDeletions(database, kind, proves);
    // What is at the source and was not taken stays noted: a reference to it leads somewhere there.
    database.run(
      `DELETE FROM listing WHERE key IN (SELECT key FROM item)
       OR NOT (key LIKE 'guide/%' OR key LIKE 'category/%' OR key LIKE 'wiki/%')`,
    );
    return gone.map((row) => row.key).sort();
  });
}

function isAtSource(database: Database, key: Key): boolean {
  const entry = readEntry(database, key);
  if (entry !== undefined) return entry.state === "present";
  return database.get("SELECT key FROM listing WHERE key = :key", { key }) !== undefined;
}

function proveDeletions(database: Database, kind: ItemKind, proves: (key: Key) => boolean): void {
  const open = database.all<{ readonly key: Key }>(
    `SELECT key FROM item WHERE kind = :kind AND state = 'gone' AND proven = 0 AND key NOT IN (SELECT key FROM listing)`,
    { kind },
  );
  for (const { key } of open) if (proves(key)) database.run("UPDATE item SET proven = 1 WHERE key = :key", { key });
}

function isProvenGone(database: Database, key: Key): boolean {
  const sql = "SELECT proven FROM item WHERE key = :key AND state = 'gone'";
  return database.get<{ readonly proven: number }>(sql, { key })?.proven === 1;
}

/** What is known of an item without opening its file. */
export interface ItemEntry {
  readonly key: Key;
  readonly kind: ItemKind;
  /**
   * The change token of the stored content; empty: not known, or the file is damaged, so that it
   * must be read anew.
   */
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

type ItemCounts = Readonly<Record<ItemKind, { readonly present: number; readonly gone: number }>>;
const COLUMNS = "key, kind, revision, digest, title, category, modified, state, read_at AS readAt";

/** One entry, or undefined. */
export function readEntry(database: Database, key: Key): ItemEntry | undefined {
  const row = database.get<ItemEntry>(`SELECT ${COLUMNS} FROM item WHERE key = :key`, { key });
  return row === undefined ? undefined : { ...row };
}

/**
 * By key, in pages: whatever is written meanwhile, an entry that is there all the time comes
 * exactly once.
 */
function readEntries(database: Database, kind?: ItemKind): IterableIterator<ItemEntry> {
  // "0" follows "/": every key of the kind, and no other, lies between.
  const end = kind === undefined ? "\u{10FFFF}" : `${kind}0`;
  const after = kind === undefined ? "" : `${kind}/`;
  const sql = `SELECT ${COLUMNS} FROM item WHERE key > :key AND key < :end ORDER BY key`;
  return database.pages<ItemEntry>(sql, { end }, { key: after });
}

function writeEntry(database: Database, entry: ItemEntry): void {
  database.run(
    `INSERT OR REPLACE INTO item (key, kind, revision, digest, title, category, modified, state, read_at)
     VALUES (:key, :kind, :revision, :digest, :title, :category, :modified, :state, :readAt)`,
    { ...entry },
  );
}

function countEntries(database: Database): ItemCounts {
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
