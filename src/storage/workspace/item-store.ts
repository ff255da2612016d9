import { createHash, hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { Listed } from "../../core/contracts.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { type Item, isMediaItem, itemSchema, type MediaItem } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, isMediaKey, type Key, type MediaKind } from "../../core/model/key.js";
import { turnsInTime } from "../../core/util/concurrency.js";
import { readAtOnce } from "../../core/util/files.js";
import type { Database } from "../sqlite.js";
import { storedText } from "../stored-text.js";
import { type CommitBatches, discard, type StagedFile, stageText } from "./commit-batches.js";
import { type Layout, writeDurably } from "./layout.js";
import type { Elsewhere } from "./media-store.js";

export interface ItemReader {
  /**
   * The stored item, also a deleted one. Throws WorkspaceError for a damaged or unreadable text.
   */
  get(key: Key): Promise<Item | undefined>;
  /** Stored media of a kind by key, also deleted ones; one query reads many. Throws as `get`. */
  media(kind: MediaKind): AsyncIterable<MediaItem>;
  entry(key: Key): ItemEntry | undefined;
  /** Is it present, or a guide or page that was listed and not extracted? */
  isAtSource(key: Key): boolean;
  /**
   * The bytes of its text, which match the entry's digest. Throws WorkspaceError as `get`.
   *
   * @param into memory of the caller, which is used if the bytes fit
   */
  file(key: Key, into?: Buffer): Promise<Buffer>;
  /** By key, present and deleted items, in pages. */
  entries(kind?: ItemKind): IterableIterator<ItemEntry>;
  /** The same of translations of guides. */
  translations(): IterableIterator<ItemEntry>;
  counts(): ItemCounts;
  /**
   * A digest (sha256) of what a load reads of the index: of each item its key, state, content,
   * title and category, and the guides and pages that were listed and not extracted.
   */
  digest(): string;
}

export interface ItemStore extends ItemReader {
  /**
   * Stores an item, which is then present, and listed if its kind is being listed. Data that the
   * item lacks is taken from `listed`. Durable.
   *
   * @param beside further writes to the index, in one transaction with the entry
   */
  put(item: Item, listed?: Partial<Listed>, beside?: () => void): Promise<ItemEntry>;
  /**
   * Like `put`, but waits some milliseconds for other items, and shares syncs and a commit with
   * them. Until then the store has the earlier item.
   *
   * @param content the file of a medium, which becomes durable with the item, or before
   */
  putWithOthers(item: Item, options?: PutOptions): Promise<ItemEntry>;
  /** Like `put`, with a file for a medium too: for a folder that people read. */
  putInFile(item: Item, listed: Partial<Listed>): Promise<ItemEntry>;
  /**
   * Stores the bytes of an item's file and its entry unchanged. Durable. Throws WorkspaceError when
   * the bytes do not match the entry's digest and key.
   */
  adopt(entry: ItemEntry, file: Buffer): Promise<void>;
  /**
   * The source still has the stored content. The item becomes present, with a new read time and
   * token. Its file and digest stay, so that it does not count as changed.
   */
  compared(key: Key, seen: Pick<ItemEntry, "revision" | "readAt">): void;
  /** Records, until the next listing of their kinds, that these exist but are left out. */
  leaveOut(keys: Iterable<Key>): void;
  /** Begins a complete listing of these kinds, and discards that of a killed run. */
  beginListing(kinds: Iterable<ItemKind>): void;
  /**
   * Records a listed key, and returns its entry. A deleted item that is listed with the stored
   * token is present again.
   */
  listed(listed: Listed): ItemEntry | undefined;
  /** Removes a key that `listed` recorded and that does not exist after all. */
  unlist(key: Key): void;
  /** Present items of the listed kinds that were not listed yet, by key, without translations. */
  unlisted(): IterableIterator<Key>;
  /**
   * Marks items that were not listed as deleted, and returns those that were present until now.
   *
   * @param proves does this listing prove that an item is deleted? Default: never.
   */
  endListing(proves?: (key: Key) => boolean): readonly Key[];
  isProvenDeleted(key: Key): boolean;
}

interface PutOptions {
  readonly listed?: Partial<Listed> | undefined;
  readonly beside?: (() => void) | undefined;
  readonly content?: StagedFile | undefined;
  /** Default: a new medium has its text in the index, and a known one where it was. */
  readonly inFile?: boolean | undefined;
}

interface ItemPlaces {
  readonly database: Database;
  readonly layout: Layout;
  /** false for `status`, which changes nothing. */
  readonly writable: boolean;
  /** Has items whose files are missing. Default: nothing has. */
  readonly elsewhere?: Pick<Elsewhere, "item"> | undefined;
}

export function createItemReader(places: ItemPlaces): ItemReader {
  const { database } = places;
  const dueTurn = turnsInTime();
  return {
    get: (key) => dueTurn()?.then(() => readItem(places, key)) ?? readItem(places, key),
    media: (kind) => readMedia(places, kind, dueTurn),
    entry: (key) => readEntry(database, key),
    isAtSource: (key) => isAtSource(database, key),
    file: (key, into) => readFileOf(places, key, into),
    entries: (kind) => readEntries(database, kind),
    translations: () => readTranslations(database),
    counts: () => countEntries(database),
    digest: () => digestOfEntries(database),
  };
}

type ItemStoreParts = Omit<ItemPlaces, "writable"> & { readonly batches: CommitBatches };

export function createItemStore({ batches, ...places }: ItemStoreParts): ItemStore {
  const { database, layout } = places;
  let listing: readonly ItemKind[] = [];
  const putInto = async (item: Item, options: PutOptions, soon: boolean): Promise<ItemEntry> => {
    const { listed, beside, content, inFile = hasFile(database, item.key) } = options;
    const { entry, text, file } = stageItem(layout, item, { listed, content, inFile });
    const rows = () => {
      writeEntry(database, entry);
      if (file === undefined) writeText(database, item.key, text);
      else removeText(database, item.key);
      if (listing.includes(item.kind)) noteKey(database, item.key);
      beside?.();
    };
    await batches.add({ files: [content, file].filter((staged) => staged !== undefined), rows }, soon);
    return entry;
  };
  return {
    ...createItemReader({ ...places, writable: true }),
    // One statement: a call for each of ten thousand keys takes ten times as long.
    leaveOut: (keys) =>
      void database.lightly(() =>
        database.run("INSERT OR IGNORE INTO listing (key) SELECT value FROM json_each(:keys)", {
          keys: JSON.stringify(Array.from(keys, storedText)),
        }),
      ),
    isProvenDeleted: (key) => isProvenDeleted(database, key),
    put: (item, listed, beside) => putInto(item, { listed, beside }, false),
    putWithOthers: (item, options = {}) => putInto(item, options, true),
    putInFile: (item, listed) => putInto(item, { listed, inFile: true }, false),
    adopt: async (entry, file) => {
      const staged = stageAdopted(layout, entry, file);
      const rows = () => {
        writeEntry(database, entry);
        removeText(database, entry.key);
      };
      await batches.add({ files: [staged], rows });
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

interface StagedItem {
  readonly entry: ItemEntry;
  readonly text: string;
  /** undefined: the text is stored in the index. */
  readonly file: StagedFile | undefined;
}

function stageItem(layout: Layout, item: Item, { listed = {}, content, inFile = true }: PutOptions): StagedItem {
  try {
    // An item that can't be read later must fail now, while the source is available.
    checkItem(item, item.key, `${item.key}, which was just read,`);
    const text = `${JSON.stringify({ ...item, raw: item.raw ?? null })}\n`;
    const file = inFile ? stageText(layout, layout.item(item.key), text) : undefined;
    return { entry: entryOf(item, listed, text), text, file };
  } catch (error) {
    if (content !== undefined) discard(content);
    throw error;
  }
}

function entryOf(item: Item, listed: Partial<Listed>, text: string): ItemEntry {
  const own = describe(item);
  return {
    key: item.key,
    kind: item.kind,
    revision: item.revision === "" ? (listed.revision ?? "") : item.revision,
    digest: hash("sha256", text),
    title: own.title === "" ? (listed.title ?? "") : own.title,
    category: own.category ?? listed.category ?? null,
    modified: own.modified ?? listed.modified ?? null,
    state: "present",
    readAt: Math.floor(Date.now() / 1000),
  };
}

function stageAdopted(layout: Layout, entry: ItemEntry, file: Buffer): StagedFile {
  const text = file.toString("utf8");
  if (hash("sha256", file) !== entry.digest || !Buffer.from(text).equals(file))
    throw new WorkspaceError(`The bytes of ${entry.key} do not match its digest ${entry.digest}.`);
  parseItem(text, entry.key, `The file of ${entry.key}`);
  return stageText(layout, layout.item(entry.key), text);
}

async function readItem(places: ItemPlaces, key: Key): Promise<Item | undefined> {
  const { database, layout } = places;
  const text = readText(database, key);
  if (text !== undefined) return orUnread(places, key, database.file, () => parseItem(text, key, database.file));
  if (database.get("SELECT 1 AS found FROM item WHERE key = :key", { key }) === undefined) return undefined;
  const file = layout.item(key);
  return orUnread(places, key, file, async () => {
    const bytes = await fetchMissing(places, key, file);
    // Synchronous: a load reads each item in each phase, and an await costs more than the read.
    return parseItem(bytes?.toString("utf8") ?? readFileSync(file, "utf8"), key, file);
  });
}

async function* readMedia(
  places: ItemPlaces,
  kind: MediaKind,
  dueTurn: () => Promise<void> | undefined,
): AsyncGenerator<MediaItem> {
  const { database } = places;
  const sql = `SELECT item.key AS key, text FROM item LEFT JOIN item_text ON item_text.key = item.key
    WHERE item.key > :key AND item.key < :end ORDER BY item.key`;
  const rows = database.pages<{ readonly key: Key; readonly text: string | null }>(
    sql,
    { end: `${kind}0` },
    { key: `${kind}/` },
  );
  for (const { key, text } of rows) {
    await dueTurn();
    const item =
      text === null
        ? await readItem(places, key)
        : await orUnread(places, key, database.file, () => parseItem(text, key, database.file));
    if (item !== undefined && isMediaItem(item)) yield item;
  }
}

async function readFileOf(places: ItemPlaces, key: Key, into?: Buffer): Promise<Buffer> {
  const { database, layout } = places;
  const text = readText(database, key);
  const file = text === undefined ? layout.item(key) : database.file;
  return orUnread(places, key, file, async () => {
    const stored = async (): Promise<Buffer> => (await fetchMissing(places, key, file)) ?? readWhole(file, into);
    const bytes = text === undefined ? await stored() : bytesOf(text, into);
    if (hash("sha256", bytes) === readEntry(database, key)?.digest) return bytes;
    throw new WorkspaceError(`The bytes of ${key} in ${file} changed after they were stored.`);
  });
}

/** A UTF-16 code unit has at most three bytes in UTF-8. */
function bytesOf(text: string, into: Buffer = Buffer.alloc(0)): Buffer {
  return text.length * 3 <= into.length ? into.subarray(0, into.write(text)) : Buffer.from(text);
}

/** Synchronous, since an await costs more than the read of most items. */
function readWhole(file: string, into: Buffer | undefined): Buffer {
  if (into === undefined) return readFileSync(file);
  const most = into.length - 1;
  const bytes = readAtOnce(file, most, into);
  return bytes.length > most ? readFileSync(file) : bytes;
}

/** A missing file of an item, from elsewhere; the folder has it afterwards. */
async function fetchMissing(
  { database, layout, writable, elsewhere }: ItemPlaces,
  key: Key,
  file: string,
): Promise<Buffer | undefined> {
  if (elsewhere?.item === undefined || existsSync(file)) return undefined;
  const digest = readEntry(database, key)?.digest ?? "";
  const bytes = await elsewhere.item(key, digest);
  if (bytes === undefined || hash("sha256", bytes) !== digest) return undefined;
  if (writable) await writeDurably(layout, file, bytes.toString("utf8"));
  return bytes;
}

/** Clears the token of an unreadable item, so that the next extract reads it again. */
async function orUnread<T>(
  { database, writable }: ItemPlaces,
  key: Key,
  file: string,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (writable) database.run("UPDATE item SET revision = '' WHERE key = :key", { key });
    throw unreadable(key, file, cause);
  }
}

/** undefined: it has a file, or there is none. */
function readText(database: Database, key: Key): string | undefined {
  if (!isMediaKey(key)) return undefined;
  return database.get<{ readonly text: string }>("SELECT text FROM item_text WHERE key = :key", { key })?.text;
}

/** Only media have texts in the index, but not those of older versions and restored snapshots. */
function hasFile(database: Database, key: Key): boolean {
  return !isMediaKey(key) || (readEntry(database, key) !== undefined && readText(database, key) === undefined);
}

function removeText(database: Database, key: Key): void {
  if (isMediaKey(key)) database.run("DELETE FROM item_text WHERE key = :key", { key });
}

function writeText(database: Database, key: Key, text: string): void {
  database.run("INSERT OR REPLACE INTO item_text (key, text) VALUES (:key, :text)", { key, text });
}

function parseItem(text: string, key: Key, what: string): Item {
  return checkItem(JSON.parse(text), key, what);
}

function checkItem(value: unknown, key: Key, what: string): Item {
  const parsed = itemSchema.safeParse(value);
  if (!parsed.success)
    throw new WorkspaceError(`${what} is not an item of the model: ${parsed.error.message}`, { cause: parsed.error });
  if (storedText(parsed.data.key) === storedText(key)) return parsed.data;
  throw new WorkspaceError(`${what} holds ${parsed.data.key} instead of ${key}.`);
}

function unreadable(key: Key, file: string, cause: unknown): WorkspaceError {
  return new WorkspaceError(
    `The stored item ${key} cannot be read: ${file} is damaged, missing or not readable. Run the extract again: it reads this item again.`,
    { cause, exitCode: EXIT.someFailed },
  );
}

function noteListed(database: Database, { key, revision }: Listed): ItemEntry | undefined {
  noteKey(database, key);
  const entry = readEntry(database, key);
  if (entry?.state !== "gone" || entry.revision !== revision || revision === "") return entry;
  database.run("UPDATE item SET state = 'present' WHERE key = :key", { key });
  return { ...entry, state: "present" };
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
    // An item that is listed again but could not be read is still marked as deleted.
    database.run("UPDATE item SET proven = 0 WHERE proven = 1 AND key IN (SELECT key FROM listing)");
    for (const kind of kinds) proveDeletions(database, kind, proves);
    // Left out items at the source stay recorded, because references to them are valid there.
    database.run(
      `DELETE FROM listing WHERE key IN (SELECT key FROM item)
       OR NOT (key LIKE 'guide/%' OR key LIKE 'category/%' OR key LIKE 'wiki/%')`,
    );
    return gone.map((row) => row.key).sort();
  });
}

function digestOfEntries(database: Database): string {
  const sum = createHash("sha256");
  for (const { key, state, digest, title, category } of readEntries(database))
    sum.update(`${JSON.stringify([key, state, digest, title, category])}\n`);
  const sql = "SELECT key FROM listing WHERE key > :key ORDER BY key";
  for (const { key } of database.pages<{ readonly key: Key }>(sql, {}, { key: "" })) sum.update(`${key}\n`);
  return sum.digest("hex");
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

function isProvenDeleted(database: Database, key: Key): boolean {
  const sql = "SELECT proven FROM item WHERE key = :key AND state = 'gone'";
  return database.get<{ readonly proven: number }>(sql, { key })?.proven === 1;
}

export interface ItemEntry {
  readonly key: Key;
  readonly kind: ItemKind;
  /** The change token of the content; empty: unknown, or the file is damaged: read it again. */
  readonly revision: string;
  readonly digest: string;
  readonly title: string;
  /** Guides: the title of the category. */
  readonly category: string | null;
  readonly modified: number | null;
  /** `gone`: the last complete listing did not have it; its file stays. */
  readonly state: "present" | "gone";
  /** UNIX seconds. */
  readonly readAt: number;
}

type ItemCounts = Readonly<Record<ItemKind, { readonly present: number; readonly gone: number }>>;
const COLUMNS = "key, kind, revision, digest, title, category, modified, state, read_at AS readAt";

export function readEntry(database: Database, key: Key): ItemEntry | undefined {
  const row = database.get<ItemEntry>(`SELECT ${COLUMNS} FROM item WHERE key = :key`, { key });
  return row === undefined ? undefined : { ...row };
}

function readTranslations(database: Database): IterableIterator<ItemEntry> {
  const sql = `SELECT ${COLUMNS} FROM item WHERE key > :key AND key < 'guide0' AND instr(key, '@') > 0 ORDER BY key`;
  return database.pages<ItemEntry>(sql, {}, { key: "guide/" });
}

/** By key, in pages: during writes, each entry that stays is read exactly once. */
function readEntries(database: Database, kind?: ItemKind): IterableIterator<ItemEntry> {
  // "0" follows "/": exactly the keys of the kind are between.
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

/** Title, category and date of an item, from its body. */
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
