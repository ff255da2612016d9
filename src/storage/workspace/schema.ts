import { EXIT, WorkspaceError } from "../../core/errors.js";
import { ARCHIVED_TABLES, BATCH_TABLES, EARLIER_TABLES, MODULE_TABLES, migrate } from "./migrations.js";
import { Database } from "./sqlite.js";

/** Of `state.sqlite`, kept in its user_version; README.md describes the tables. Every change of them raises it and adds a migration. */
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

/** Opens `state.sqlite` for the run that holds the lock, makes its tables the first time, and brings older ones up to date. */
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

/** Folds the log in, so that a closed workspace has one plain file, which may be copied and read from a read-only disk. */
export function closeState(database: Database): void {
  try {
    database.execute("PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE");
  } catch (error) {
    // Somebody looks at it right now (`status`), or the disk is full: the log stays, and the next run goes on with it. Thrown
    // from here it would hide the error that ended the run.
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
