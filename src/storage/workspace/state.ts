import { existsSync } from "node:fs";
import { chmod, copyFile, rename, stat } from "node:fs/promises";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { Database } from "../sqlite.js";
import { isDamaged, storageError } from "../storage-error.js";
import { layoutOf } from "./layout.js";
import { takeLock } from "./lock.js";

/** Changes `state.sqlite` from the previous version to this one. Never changed after a release. */
interface Migration {
  readonly to: number;
  readonly apply: (database: Database) => void;
}

/** Positions of bytes in archives; since version 3. */
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

/** Training packages of a target; since version 4. */
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

/** Last-written bodies and pre-images; since version 5. */
const EARLIER_TABLES = `
CREATE TABLE IF NOT EXISTS left_body (
  target INTEGER NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, key));
CREATE TABLE IF NOT EXISTS earlier (
  target INTEGER NOT NULL, run TEXT NOT NULL, thing TEXT NOT NULL, item TEXT NOT NULL, id TEXT, body TEXT, written TEXT,
  theirs INTEGER NOT NULL, sent TEXT, undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (target, run, thing));
CREATE INDEX IF NOT EXISTS earlier_item ON earlier (target, item, run);
CREATE INDEX IF NOT EXISTS earlier_thing ON earlier (target, thing);
`;

/** Pages that the site created for guides, and things of other workspaces; since version 6. */
const BATCH_TABLES = `
CREATE TABLE IF NOT EXISTS part_page (
  target INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (target, title)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mapped (
  target INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (target, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS mapped_id ON mapped (target, kind, id);
`;

/** Operations; with a typed outcome since version 7. */
const OPERATION_TABLE = `
CREATE TABLE operation (
  target INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('begun', 'done', 'failed')),
  outcome TEXT CHECK (outcome IN ('written', 'skipped', 'adopted', 'closed', 'undone')),
  mark TEXT, error TEXT, finished INTEGER, PRIMARY KEY (target, id), CHECK ((state = 'done') = (outcome IS NOT NULL)));
`;
const OPERATION_INDEXES = `
CREATE INDEX operation_item ON operation (target, item);
CREATE INDEX operation_count ON operation (target, kind, state);
CREATE INDEX operation_open ON operation (target, state) WHERE state <> 'done';
CREATE INDEX operation_finished ON operation (finished);
`;

/** The loss ledger; with typed sources since version 7. */
const ISSUE_TABLE = `
CREATE TABLE issue (
  target INTEGER NOT NULL, item TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('checks', 'operation', 'diverged', 'private', 'recreated')),
  about TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (target, item, source, about, position), CHECK ((source = 'checks') = (about = ''))) WITHOUT ROWID;
`;

/**
 * The texts of images, videos and documents; since version 8. A file for each of them would cost
 * more than the rest of its extract. Older ones, and those of a restored snapshot, are in files.
 */
const TEXT_TABLE = "CREATE TABLE IF NOT EXISTS item_text (key TEXT PRIMARY KEY, text TEXT NOT NULL);";

const MIGRATIONS: readonly Migration[] = [
  { to: 2, apply: perTargetAndOperation },
  { to: 3, apply: (database) => database.execute(ARCHIVED_TABLES) },
  { to: 4, apply: (database) => database.execute(MODULE_TABLES) },
  { to: 5, apply: withEarlierAndProofs },
  { to: 6, apply: withPartPages },
  { to: 7, apply: withOutcomes },
  { to: 8, apply: (database) => database.execute(TEXT_TABLE) },
];

/** Call it inside a transaction. */
function migrate(database: Database, version: number): void {
  for (const { to, apply } of MIGRATIONS) if (to > version) apply(database);
}

/** Adds the target to failures and the operation to issues; version 1 exists with and without. */
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

/** Adds pre-images, and the proof that an item is deleted. */
function withEarlierAndProofs(database: Database): void {
  database.execute(EARLIER_TABLES);
  if (!hasColumn(database, "item", "proven"))
    database.execute("ALTER TABLE item ADD COLUMN proven INTEGER NOT NULL DEFAULT 0");
}

/**
 * Adds the pages of parts and tools that the site created. Empty ones that were linked as existing
 * pages are forgotten, so that the next load fills them.
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

/**
 * Moves outcomes into a column, and notes out of the operations. Before, the outcome was a prefix
 * of the hash or replaced it, and a note was an operation with an id of its own.
 */
function withOutcomes(database: Database): void {
  database.execute(`
    CREATE TABLE note_before AS
      SELECT target, item, id, CASE WHEN id GLOB '*/apart' THEN 'diverged' WHEN id GLOB '*/made-anew' THEN 'recreated'
        WHEN id GLOB '*/private' THEN 'private' ELSE 'present' END AS source
      FROM operation WHERE id IN (item || '/apart', item || '/made-anew', item || '/private', item || '/present')
        -- Of a step, or of a part of the item that has a key of its own.
        OR (id <> item AND substr(id, 1, length(item) + 1) <> item || '/' AND (id GLOB '*/apart' OR id GLOB '*/made-anew'));
    CREATE UNIQUE INDEX note_before_id ON note_before (target, id);
    ALTER TABLE issue RENAME TO issue_before;
    ${ISSUE_TABLE}
    INSERT INTO issue SELECT i.target, i.item,
      CASE WHEN i.operation = '' THEN 'checks' ELSE coalesce(n.source, 'operation') END,
      CASE n.source WHEN 'diverged' THEN substr(n.id, 1, length(n.id) - length('/apart'))
        WHEN 'recreated' THEN substr(n.id, 1, length(n.id) - length('/made-anew'))
        WHEN 'private' THEN n.item ELSE i.operation END,
      i.position, i.level, i.body
      FROM issue_before AS i LEFT JOIN note_before AS n ON n.target = i.target AND n.id = i.operation AND n.item = i.item
      WHERE n.source IS NOT 'present';
    DROP TABLE issue_before;
    ALTER TABLE operation RENAME TO operation_before;
    ${OPERATION_TABLE}
    INSERT INTO operation (target, id, item, kind, label, hash, state, outcome, mark, error, finished)
      SELECT target, id, item, kind, label,
        CASE WHEN plain GLOB 'skipped *' THEN substr(plain, length('skipped *'))
          WHEN plain GLOB 'adopted instead of *' THEN substr(plain, length('adopted instead of *'))
          WHEN plain IN (${CLOSED_BEFORE}) THEN '' ELSE plain END,
        state,
        CASE WHEN state <> 'done' THEN NULL WHEN hash GLOB 'undone *' THEN 'undone' WHEN hash GLOB 'skipped *' THEN 'skipped'
          WHEN hash GLOB 'adopted instead of *' THEN 'adopted' WHEN hash IN (${CLOSED_BEFORE}) THEN 'closed'
          ELSE 'written' END,
        mark, error, finished
      FROM (SELECT *, rowid AS place, CASE WHEN hash GLOB 'undone *' THEN substr(hash, length('undone *')) ELSE hash END AS plain
        FROM operation_before) AS o
      WHERE NOT EXISTS (SELECT 1 FROM note_before AS n WHERE n.target = o.target AND n.id = o.id) ORDER BY place;
    DROP TABLE operation_before; DROP TABLE note_before;
    ${OPERATION_INDEXES}`);
}

/** Values in place of a hash: no longer wanted, restored as found, deletion already complete. */
const CLOSED_BEFORE = "'not wanted any more', 'as the site stands', 'settled'";

function hasColumn(database: Database, table: string, column: string): boolean {
  const sql = "SELECT count(*) AS count FROM pragma_table_info(:table) WHERE name = :column";
  return (database.get<{ readonly count: number }>(sql, { table, column })?.count ?? 0) > 0;
}

/**
 * The user_version of `state.sqlite`. Every change of the tables raises it and adds a migration;
 * docs/design/workspace.md describes them.
 */
export const SCHEMA = 8;

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
CREATE TABLE missing (
  target INTEGER NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (target, operation, key)) WITHOUT ROWID;
CREATE TABLE written (
  target INTEGER NOT NULL, key TEXT NOT NULL, item TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, share TEXT NOT NULL,
  revision TEXT, left_there TEXT, facts TEXT NOT NULL, sha256 TEXT, adopted INTEGER NOT NULL, PRIMARY KEY (target, key));
CREATE UNIQUE INDEX written_id ON written (target, kind, id, share);
CREATE INDEX written_item ON written (target, item);
CREATE INDEX written_content ON written (target, kind, sha256) WHERE sha256 IS NOT NULL;
CREATE TABLE memo (
  target INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (target, name)) WITHOUT ROWID;
${OPERATION_TABLE}${OPERATION_INDEXES}${ISSUE_TABLE}${ARCHIVED_TABLES}${MODULE_TABLES}${EARLIER_TABLES}${BATCH_TABLES}${TEXT_TABLE}`;

/** Opens `state.sqlite` for the run with the lock; creates its tables or migrates older ones. */
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

/** Merges the log, so that a closed workspace is one file that can be copied and read anywhere. */
export function closeState(database: Database): void {
  try {
    database.execute("PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE");
  } catch (error) {
    // Another process reads it (`status`), or the disk is full: the log stays for the next run.
    // Throwing would hide the error that ended the run.
    if (!(error instanceof WorkspaceError)) throw error;
  } finally {
    database.close();
  }
}

export function openStateToRead(file: string): Database {
  const database = new Database(file, { readOnly: true });
  try {
    const version = checkVersion(database);
    if (version === SCHEMA) return database;
    if (version === 0) throw notYet(file);
    throw new WorkspaceError(
      `${file} has version ${version}, of an older guideferry. This command only reads, so it does not update the file. ` +
        "The next run that writes to this workspace (extract, load, migrate, retry, import-training) updates it. Run the same command again after that.",
      { exitCode: EXIT.usage },
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

function notYet(file: string): WorkspaceError {
  return new WorkspaceError(
    `${file} is empty: the first run on this workspace has not filled it yet. Run the same command again later.`,
    {
      exitCode: EXIT.notFound,
    },
  );
}

function checkVersion(database: Database): number {
  const version = database.get<{ readonly user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  if (version <= SCHEMA) return version;
  throw new WorkspaceError(
    `${database.file} has version ${version}; this guideferry reads versions up to ${SCHEMA}. Nothing was changed. Install the newer guideferry.`,
    { exitCode: EXIT.usage },
  );
}

/**
 * Renames a damaged `state.sqlite` and the files that belong to it, so that the next run begins
 * with an empty one. For the workspace of a backup, whose state can be read from the archives;
 * ledgers of loads can't be restored. Returns the new path; undefined: the file is intact, or
 * another run uses the workspace. Throws WorkspaceError for the disk.
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

/** Reads the whole file. Throws errors other than damage. */
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
 * Copies the stamp and the state of a workspace, without items and media, into an empty folder for
 * a dry run. Works also during a run; does nothing without a workspace. Throws WorkspaceError when
 * the state can't be read.
 */
export async function copyNotes(directory: string, folder: string): Promise<void> {
  const [from, to] = [layoutOf(directory), layoutOf(folder)];
  const files = await Promise.all([from.stamp, from.state].map((file) => stat(file).catch(() => undefined)));
  if (files.includes(undefined)) return;
  const database = new Database(from.state, { readOnly: true });
  try {
    database.copyTo(to.state);
  } finally {
    database.close();
  }
  await chmod(to.state, 0o600);
  await copyFile(from.stamp, to.stamp);
}
