import { stat } from "node:fs/promises";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { ItemKind } from "../../core/model/key.js";
import { listTargetStatus, type TargetStatus } from "../ledger/target-status.js";
import type { Database } from "../sqlite.js";
import { storageError } from "../storage-error.js";
import { type ArchivedReader, createArchivedReader } from "./archived.js";
import { createFailureReader, type FailureReader } from "./failure-list.js";
import { createItemReader, type ItemReader } from "./item-store.js";
import { type Layout, layoutOf } from "./layout.js";
import { type Holder, lockHolder } from "./lock.js";
import { createMediaReader, type MediaReader } from "./media-store.js";
import { listModuleStatus, type ModuleStatus } from "./module-journal.js";
import { createRunLog, type RunReader } from "./run-log.js";
import { readStamp, type Stamp } from "./stamp.js";
import { openStateToRead } from "./state.js";

/** Work finished in the last `seconds`. */
interface Pace {
  readonly seconds: number;
  /** Items stored by an extract. */
  readonly items: number;
  /** Operations of all targets that were done or failed. */
  readonly operations: number;
}

/** A workspace opened to read, also during a run: every call sees the state at that moment. */
export interface ReadonlyWorkspace {
  readonly directory: string;
  source(): SiteIdentity | undefined;
  holder(): Holder | undefined;
  readonly items: ItemReader;
  readonly media: MediaReader;
  readonly runs: RunReader;
  readonly failures: FailureReader;
  /** The target that was used last comes first. */
  targets(): readonly TargetStatus[];
  /** The sites that training packages were imported into. */
  modules(): readonly ModuleStatus[];
  /** The positions of media that are in archives, not in the folder. */
  readonly archived: Pick<ArchivedReader, "medium" | "hasMedia">;
  /** A text that changes whenever items change. Cheap while nothing is written. */
  itemsVersion(): string;
  pace(seconds: number): Pace;
  /** The number of items of each kind read or compared since a time in UNIX seconds. */
  readSince(seconds: number): Readonly<Partial<Record<ItemKind, number>>>;
  close(): Promise<void>;
}

/**
 * Takes no lock and changes nothing. Throws WorkspaceError: not found (exit 10), newer format (2),
 * damaged (6), not readable.
 */
export async function inspectWorkspace(directory: string): Promise<ReadonlyWorkspace> {
  const layout = layoutOf(directory);
  const stamp = await stampOf(layout);
  const database = openStateToRead(layout.state);
  return {
    directory,
    source: () => stamp.source ?? undefined,
    holder: () => lockHolder(layout.lock),
    items: createItemReader({ database, layout, writable: false }),
    media: createMediaReader(layout),
    runs: createRunLog(database),
    failures: createFailureReader(database),
    targets: () => listTargetStatus(database),
    modules: () => listModuleStatus(database),
    archived: createArchivedReader(database),
    itemsVersion: itemsVersionOf(database),
    pace: (seconds) => paceOf(database, seconds),
    readSince: (seconds) => countRead(database, seconds),
    close: async () => database.close(),
  };
}

function itemsVersionOf(database: Database): () => string {
  let seen: number | undefined;
  let version = "";
  return () => {
    // SQLite's counter of the writes of other connections, ledgers included.
    const now = database.get<{ readonly data_version: number }>("PRAGMA data_version")?.data_version;
    if (now !== seen || now === undefined) version = versionOf(database);
    seen = now;
    return version;
  };
}

/** Every change of an item changes a read time or the number of deleted items. */
function versionOf(database: Database): string {
  const facts = database.get<Readonly<Record<string, number>>>(
    "SELECT count(*) AS items, total(state = 'gone') AS gone, total(read_at) AS ages, total(modified) AS dates FROM item",
  );
  return JSON.stringify(facts ?? {});
}

async function stampOf(layout: Layout): Promise<Stamp> {
  if ((await isThere(layout.stamp)) && (await isThere(layout.state))) return readStamp(layout);
  throw new WorkspaceError(
    `There is no workspace at ${layout.directory}, or its first run has not created it yet. Check the path, or create a workspace: ` +
      `guideferry extract SOURCE --workspace ${layout.directory}`,
    { exitCode: EXIT.notFound },
  );
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** Throws for a file that can't be checked: that is not the same as a missing file. */
async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT.has(error.code)) return false;
    throw storageError(error, `reading ${file}`);
  }
}

function countRead(database: Database, from: number): Readonly<Partial<Record<ItemKind, number>>> {
  const rows = database.all<{ readonly kind: ItemKind; readonly count: number }>(
    "SELECT kind, count(*) AS count FROM item WHERE state = 'present' AND read_at >= :from GROUP BY kind",
    { from },
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

function paceOf(database: Database, seconds: number): Pace {
  const from = Date.now() - seconds * 1000;
  const items = database.get<{ readonly count: number }>("SELECT count(*) AS count FROM item WHERE read_at >= :from", {
    from: Math.floor(from / 1000),
  });
  const operations = database.get<{ readonly count: number }>(
    "SELECT count(*) AS count FROM operation WHERE finished >= :from",
    { from },
  );
  return { seconds, items: items?.count ?? 0, operations: operations?.count ?? 0 };
}
