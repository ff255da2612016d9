import type { Database } from "./sqlite.js";

/** What brings `state.sqlite` from the version before to this one. Never changed again once it is in use. */
interface Migration {
  readonly to: number;
  readonly apply: (database: Database) => void;
}

/** Where bytes lie in archives; new with version 3. */
export const ARCHIVED_TABLES = `
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
export const MODULE_TABLES = `
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
export const EARLIER_TABLES = `
CREATE TABLE IF NOT EXISTS left_body (
  target INTEGER NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, key));
CREATE TABLE IF NOT EXISTS earlier (
  target INTEGER NOT NULL, run TEXT NOT NULL, thing TEXT NOT NULL, item TEXT NOT NULL, id TEXT, body TEXT, written TEXT,
  theirs INTEGER NOT NULL, sent TEXT, undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (target, run, thing));
CREATE INDEX IF NOT EXISTS earlier_item ON earlier (target, item, run);
CREATE INDEX IF NOT EXISTS earlier_thing ON earlier (target, thing);
`;

/** Pages that a site made beside our guides, and what other workspaces moved; new with version 6. */
export const BATCH_TABLES = `
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
export function migrate(database: Database, version: number): void {
  for (const { to, apply } of MIGRATIONS) if (to > version) apply(database);
}

/** Failures have their target, and issues their operation. Version 1 stands for tables with and without. */
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
 * Which pages of parts and tools the site made beside our guides; those that were taken for somebody's although they are empty are filled by
 * the next load.
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
