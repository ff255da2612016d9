import { existsSync } from "node:fs";
import { chmod, copyFile, rename, stat } from "node:fs/promises";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { Database } from "../sqlite.js";
import { isDamaged, storageError } from "../storage-error.js";
import { layoutOf } from "./layout.js";
import { takeLock } from "./lock.js";

/**
 * What brings `state.sqlite` from the version before to this one. Never changed again once it is in
 * use.
 */
interface Migration {
  readonly to: number;
  readonly apply: (database: Database) => void;
}

/** Where bytes lie in archives; new with version 3. */
const ARCHIVED_TABLES = `
CREATE TABLE IF NOT EXISTS archived_item (
  key TEXT NOT NULL, waits INTEGER NOT NULL, digest TEXT NOT NULL, archive TEXT NOT NULL, path TEXT NOT NULL,
  size INTEGER NOT NULL, content TEXT, PRIMARY KEY (key, waits)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS archived_media (
  sha256 TEXT NOT NULL, waits INTEGER NOT NULL, archive TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
  PRIMARY KEY (sha256, waits)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS archived_item_waiting ON archived_item (path) WHERE waits = 1;
CREATE INDEX IF NOT EXISTS archived_media_waiting ON archived_media (path) WHERE waits = 1;
CREATE TABLE IF NOT EXISTS archived_gone (
  key TEXT NOT NULL, waits INTEGER NOT NULL, kind TEXT NOT NULL, revision TEXT NOT NULL, title TEXT NOT NULL,
  deleted TEXT NOT NULL, PRIMARY KEY (key, waits)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS archived_note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** Training packages that went into a target, by their digests; new with version 4. */
const MODULE_TABLES = `
CREATE TABLE IF NOT EXISTS module_import (
  target INTEGER NOT NULL, digest TEXT NOT NULL, source TEXT NOT NULL, module TEXT, manifest TEXT NOT NULL, identifier TEXT NOT NULL,
  title TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, digest));
CREATE INDEX IF NOT EXISTS module_import_source ON module_import (target, source, digest);
CREATE INDEX IF NOT EXISTS module_import_module ON module_import (target, module, digest);
CREATE INDEX IF NOT EXISTS module_import_manifest ON module_import (target, manifest);
CREATE INDEX IF NOT EXISTS module_import_identifier ON module_import (target, identifier);
CREATE TABLE IF NOT EXISTS module_place (
  target INTEGER NOT NULL, place TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (target, place)) WITHOUT ROWID;
`;

/** What writes left, and how things were before a run changed them; new with version 5. */
const EARLIER_TABLES = `
CREATE TABLE IF NOT EXISTS left_body (
  target INTEGER NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, key));
CREATE TABLE IF NOT EXISTS earlier (
  target INTEGER NOT NULL, run TEXT NOT NULL, thing TEXT NOT NULL, item TEXT NOT NULL, id TEXT, body TEXT, written TEXT,
  theirs INTEGER NOT NULL, sent TEXT, undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (target, run, thing));
CREATE INDEX IF NOT EXISTS earlier_item ON earlier (target, item, run);
CREATE INDEX IF NOT EXISTS earlier_thing ON earlier (target, thing);
`;

/**
 * Pages that a site made beside our guides, and what other workspaces moved; new with version 6.
 */
const BATCH_TABLES = `
CREATE TABLE IF NOT EXISTS part_page (
  target INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (target, title)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mapped (
  target INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (target, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mapped_id ON mapped (target, kind, id);
`;

const MIGRATIONS: readonly Migration[] = [
  { to: 2, apply: perTargetAndOperation },
  { to: 3, apply: (database) => database.execute(ARCHIVED_TABLES) },
  { to: 4, apply: (database) => database.execute(MODULE_TABLES) },
  { to: 5, apply: withEarlierAndProofs },
  { to: 6, apply: withPartPages },
];

/** Brings older tables up to date, all or nothing. To be called inside a transaction. */
function migrate(database: Database, version: number): void {
  for (const { to, apply } of MIGRATIONS) if (to > version) apply(database);
}

/**
 * Failures have their target, and issues their operation. Version 1 stands for tables with and
 * without.
 */
function perTargetAndOperation(database: Database): void {
  if (!hasColumn(database, "failure", "target")) {
    database.execute(`
      ALTER TABLE failure RENAME TO failure_before;
      CREATE TABLE failure (
        stage TEXT NOT NULL, target INTEGER NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, remedy TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (stage, target, key)) WITHOUT ROWID;
      INSERT INTO failure SELECT stage, CASE WHEN stage IN ('load', 'verify') THEN
        coalesce((SELECT id FROM target ORDER BY last_used DESC, id DESC LIMIT 1), 0) ELSE 0 END,
        key, reason, remedy, at FROM failure_before;
      DROP TABLE failure_before;`);
  }
  if (hasColumn(database, "issue", "operation")) return;
  database.execute(`
    ALTER TABLE issue RENAME TO issue_before;
    CREATE TABLE issue (
      target INTEGER NOT NULL, item TEXT NOT NULL, operation TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL,
      body TEXT NOT NULL, PRIMARY KEY (target, item, operation, position)) WITHOUT ROWID;
    INSERT INTO issue SELECT target, item, '', position, level, body FROM issue_before;
    DROP TABLE issue_before;`);
}

/** How things were before a run, and which gone items a list of everything showed to be gone. */
function withEarlierAndProofs(database: Database): void {
  database.execute(EARLIER_TABLES);
  if (!hasColumn(database, "item", "proven"))
    database.execute("ALTER TABLE item ADD COLUMN proven INTEGER NOT NULL DEFAULT 0");
}

/**
 * Which pages of parts and tools the site made beside our guides; those that were taken for
 * somebody's although they are empty are filled by the next load.
 */
function withPartPages(database: Database): void {
  database.execute(BATCH_TABLES);
  for (const list of ["parts", "tools"]) {
    database.execute(`
      INSERT OR IGNORE INTO part_page (target, title)
        SELECT l.target, trim(replace(json_extract(p.value, '$.name'), '_', ' '))
        FROM left_body AS l JOIN written AS w ON w.target = l.target AND w.key = l.key, json_each(l.body, '$.${list}') AS p
        WHERE w.kind = 'guide' AND w.adopted = 0 AND json_extract(p.value, '$.name') IS NOT NULL;`);
  }
  database.execute(`
    DELETE FROM written WHERE kind = 'wiki' AND adopted = 1 AND id LIKE 'ITEM/%'
      AND EXISTS (SELECT 1 FROM part_page AS p WHERE p.target = written.target AND p.title = substr(written.id, 6))
      AND EXISTS (SELECT 1 FROM left_body AS l WHERE l.target = written.target AND l.key = written.key
        AND json_extract(l.body, '$.contents') = '');`);
}

function hasColumn(database: Database, table: string, column: string): boolean {
  const sql = "SELECT count(*) AS count FROM pragma_table_info(:table) WHERE name = :column";
  return (database.get<{ readonly count: number }>(sql, { table, column })?.count ?? 0) > 0;
}

/**
 * Of `state.sqlite`, kept in its user_version; README.md describes the tables. Every change of them
 * raises it and adds a migration.
 */
const SCHEMA = 6;

const TABLES = `
CREATE TABLE item (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, revision TEXT NOT NULL, digest TEXT NOT NULL, title TEXT NOT NULL,
  category TEXT, modified INTEGER, state TEXT NOT NULL, read_at INTEGER NOT NULL, proven INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX item_count ON item (kind, state);
CREATE TABLE listing (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE failure (
  stage TEXT NOT NULL, target INTEGER NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, remedy TEXT NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (stage, target, key)) WITHOUT ROWID;
CREATE TABLE run (
  id TEXT PRIMARY KEY, command TEXT NOT NULL, details TEXT NOT NULL, started INTEGER NOT NULL, active INTEGER NOT NULL,
  ended INTEGER, exit_code INTEGER, summary TEXT);
CREATE TABLE target (
  id INTEGER PRIMARY KEY, root TEXT NOT NULL, site_id TEXT, name TEXT NOT NULL, last_used INTEGER NOT NULL);
CREATE TABLE operation (
  target INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, hash TEXT NOT NULL,
  state TEXT NOT NULL, mark TEXT, error TEXT, finished INTEGER, PRIMARY KEY (target, id));
CREATE INDEX operation_item ON operation (target, item);
CREATE INDEX operation_count ON operation (target, kind, state);
CREATE INDEX operation_open ON operation (target, state) WHERE state <> 'done';
CREATE INDEX operation_finished ON operation (finished);
CREATE TABLE missing (
  target INTEGER NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (target, operation, key)) WITHOUT ROWID;
CREATE TABLE written (
  target INTEGER NOT NULL, key TEXT NOT NULL, item TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, share TEXT NOT NULL,
  revision TEXT, left_there TEXT, facts TEXT NOT NULL, sha256 TEXT, adopted INTEGER NOT NULL, PRIMARY KEY (target, key));
CREATE UNIQUE INDEX written_id ON written (target, kind, id, share);
CREATE INDEX written_item ON written (target, item);
CREATE INDEX written_content ON written (target, kind, sha256) WHERE sha256 IS NOT NULL;
CREATE TABLE issue (
  target INTEGER NOT NULL, item TEXT NOT NULL, operation TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (target, item, operation, position)) WITHOUT ROWID;
CREATE TABLE memo (
  target INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (target, name)) WITHOUT ROWID;
${ARCHIVED_TABLES}${MODULE_TABLES}${EARLIER_TABLES}${BATCH_TABLES}`;

/**
 * Opens `state.sqlite` for the run that holds the lock, makes its tables the first time, and brings
 * older ones up to date.
 */
export function openState(file: string): Database {
  const database = new Database(file);
  try {
    database.execute("PRAGMA journal_mode=WAL");
    database.execute("PRAGMA synchronous=FULL");
    const version = checkVersion(database);
    if (version < SCHEMA) {
      database.transaction(() => {
        if (version === 0) database.execute(TABLES);
        else migrate(database, version);
        database.execute(`PRAGMA user_version=${SCHEMA}`);
      });
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Folds the log in, so that a closed workspace has one plain file, which may be copied and read
 * from a read-only disk.
 */
export function closeState(database: Database): void {
  try {
    database.execute("PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE");
  } catch (error) {
    // Somebody looks at it right now (`status`), or the disk is full: the log stays, and the next
    // run goes on with it. Thrown from here it would hide the error that ended the run.
    if (!(error instanceof WorkspaceError)) throw error;
  } finally {
    database.close();
  }
}

/** Opens it for looking, also while a run is on. */
export function openStateToRead(file: string): Database {
  const database = new Database(file, { readOnly: true });
  try {
    const version = checkVersion(database);
    if (version === SCHEMA) return database;
    if (version === 0) throw notYet(file);
    throw new WorkspaceError(
      `${file} has version ${version}, of an older guideferry, and looking at it changes nothing. The next run that works on this workspace ` +
        "(extract, load, migrate, retry, import-training) brings it up to date; look again then.",
      { exitCode: EXIT.usage },
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

function notYet(file: string): WorkspaceError {
  return new WorkspaceError(
    `${file} is empty: the first run on this workspace has not got that far. Look again later.`,
    {
      exitCode: EXIT.notFound,
    },
  );
}

function checkVersion(database: Database): number {
  const version = database.get<{ readonly user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  if (version <= SCHEMA) return version;
  throw new WorkspaceError(
    `${database.file} has version ${version}; this guideferry reads up to ${SCHEMA}. Nothing was changed. Install the newer guideferry.`,
    { exitCode: EXIT.usage },
  );
}

/**
 * Renames the `state.sqlite` of a workspace, if it is damaged, with the files that belong to it, so
 * that the next run begins an empty one. For workspaces whose state can be learnt anew, as that of
 * a backup from its archives; ledgers of loads can't. Returns the new path; undefined: nothing was
 * done, since the file is whole or another run holds the workspace. Throws WorkspaceError for the
 * disk.
 */
export async function setStateAside(directory: string, now: Date): Promise<string | undefined> {
  const { state, lock } = layoutOf(directory);
  if (!existsSync(state)) return undefined;
  const taken = takeLock(lock, "guideferry backup");
  if (!("lock" in taken)) return undefined;
  try {
    if (isWhole(state)) return undefined;
    const aside = `${state}.damaged-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
    for (const suffix of ["-wal", "-shm", ""]) if (existsSync(`${state}${suffix}`)) await move(state, aside, suffix);
    return aside;
  } finally {
    taken.lock.release();
  }
}

async function move(from: string, to: string, suffix: string): Promise<void> {
  try {
    await rename(`${from}${suffix}`, `${to}${suffix}`);
  } catch (error) {
    throw storageError(error, `renaming ${from}${suffix}`);
  }
}

/** Reads all of it. Throws what is no damage. */
function isWhole(state: string): boolean {
  let database: Database | undefined;
  try {
    database = new Database(state);
    const found = database.all<{ readonly quick_check: string }>("PRAGMA quick_check(1)");
    return found.every(({ quick_check }) => quick_check === "ok");
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  } finally {
    database?.close();
  }
}

/**
 * Copies what a workspace knows into a new, empty folder, without its items and media: for a
 * rehearsal, which writes as the real run does and is thrown away. Also while a run is on. Copies
 * nothing where there is no workspace. Throws WorkspaceError when the notes can't be read.
 */
export async function copyNotes(directory: string, folder: string): Promise<void> {
  const [from, to] = [layoutOf(directory), layoutOf(folder)];
  const files = await Promise.all([from.stamp, from.state].map((file) => stat(file).catch(() => undefined)));
  if (files.includes(undefined)) return;
  const database = new Database(from.state, { readOnly: true });
  try {
    database.execute(`VACUUM INTO '${to.state.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
  await chmod(to.state, 0o600);
  await copyFile(from.stamp, to.stamp);
}
