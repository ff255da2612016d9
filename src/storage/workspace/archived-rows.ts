import { WorkspaceError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";
import { type ArchivedItem, type ArchivedPlace, noteOf, readTombstones, type Tombstone } from "./archived.js";
import { type ItemEntry, readEntry } from "./item-store.js";
import { layoutOf } from "./layout.js";
import { openStateToRead } from "./state.js";

/** What the workspace of a backup knows of the snapshot that it wrote last. */
export interface ArchivedRows {
  /** That snapshot. */
  readonly snapshot: string;
  /**
   * By key. `entry`: what the workspace says of the item now, where its file is still the archived
   * one.
   */
  items(): IterableIterator<{ readonly key: Key; readonly item: ArchivedItem; readonly entry: ItemEntry | undefined }>;
  media(): IterableIterator<ArchivedPlace & { readonly sha256: string }>;
  tombstones(): IterableIterator<Tombstone>;
  close(): void;
}

const PAGE = 500;

/**
 * Opens a workspace to read, also while a run works on it. undefined: there is none, it can't be
 * read, or it knows of no snapshot.
 */
export function openArchivedRows(directory: string): ArchivedRows | undefined {
  const database = openState(layoutOf(directory).state);
  const snapshot = database === undefined ? undefined : noteOf(database, "snapshot");
  if (database === undefined || snapshot === undefined) {
    database?.close();
    return undefined;
  }
  return {
    snapshot,
    items: () => readItems(database),
    media: () => readMedia(database),
    tombstones: () => readTombstones(database, 0),
    close: () => database.close(),
  };
}

function openState(file: string): Database | undefined {
  try {
    return openStateToRead(file);
  } catch (error) {
    // It is asked for what others lost; whatever is wrong with it, its own runs tell.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

function* readItems(database: Database): ReturnType<ArchivedRows["items"]> {
  let after = "";
  for (;;) {
    const page = database.all<ArchivedItem & { readonly key: Key }>(
      `SELECT key, digest, archive, path, size, content FROM archived_item WHERE waits = 0 AND key > :after ORDER BY key LIMIT ${PAGE}`,
      { after },
    );
    for (const { key, ...item } of page) {
      const entry = readEntry(database, key);
      yield { key, item, entry: entry?.digest === item.digest ? entry : undefined };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}

function* readMedia(database: Database): ReturnType<ArchivedRows["media"]> {
  let after = "";
  for (;;) {
    const page = database.all<ArchivedPlace & { readonly sha256: string }>(
      `SELECT sha256, archive, path, size FROM archived_media WHERE waits = 0 AND sha256 > :after ORDER BY sha256 LIMIT ${PAGE}`,
      { after },
    );
    for (const row of page) yield { ...row };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.sha256;
  }
}
