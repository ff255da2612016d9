import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Key } from "../../src/core/model/key.js";
import { DatabaseSync } from "../../src/storage/sqlite.js";
import { layoutOf } from "../../src/storage/workspace/layout.js";

/** The tables of `state.sqlite` as version 5 of them was, word for word. */
const TABLES_5 = `
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
CREATE TABLE archived_item (
  key TEXT NOT NULL, waits INTEGER NOT NULL, digest TEXT NOT NULL, archive TEXT NOT NULL, path TEXT NOT NULL,
  size INTEGER NOT NULL, content TEXT, PRIMARY KEY (key, waits)) WITHOUT ROWID;
CREATE TABLE archived_media (
  sha256 TEXT NOT NULL, waits INTEGER NOT NULL, archive TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
  PRIMARY KEY (sha256, waits)) WITHOUT ROWID;
CREATE INDEX archived_item_waiting ON archived_item (path) WHERE waits = 1;
CREATE INDEX archived_media_waiting ON archived_media (path) WHERE waits = 1;
CREATE TABLE archived_gone (
  key TEXT NOT NULL, waits INTEGER NOT NULL, kind TEXT NOT NULL, revision TEXT NOT NULL, title TEXT NOT NULL,
  deleted TEXT NOT NULL, PRIMARY KEY (key, waits)) WITHOUT ROWID;
CREATE TABLE archived_note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE module_import (
  target INTEGER NOT NULL, digest TEXT NOT NULL, source TEXT NOT NULL, module TEXT, manifest TEXT NOT NULL, identifier TEXT NOT NULL,
  title TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, digest));
CREATE INDEX module_import_source ON module_import (target, source, digest);
CREATE INDEX module_import_module ON module_import (target, module, digest);
CREATE INDEX module_import_manifest ON module_import (target, manifest);
CREATE INDEX module_import_identifier ON module_import (target, identifier);
CREATE TABLE module_place (
  target INTEGER NOT NULL, place TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (target, place)) WITHOUT ROWID;
CREATE TABLE left_body (
  target INTEGER NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (target, key));
CREATE TABLE earlier (
  target INTEGER NOT NULL, run TEXT NOT NULL, thing TEXT NOT NULL, item TEXT NOT NULL, id TEXT, body TEXT, written TEXT,
  theirs INTEGER NOT NULL, sent TEXT, undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (target, run, thing));
CREATE INDEX earlier_item ON earlier (target, item, run);
CREATE INDEX earlier_thing ON earlier (target, thing);
`;

/** What version 6 had beside them. */
const TABLES_6 = `
CREATE TABLE part_page (
  target INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (target, title)) WITHOUT ROWID;
CREATE TABLE mapped (
  target INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (target, key)) WITHOUT ROWID;
CREATE INDEX mapped_id ON mapped (target, kind, id);
`;

/** Operations with their outcomes in their hashes, in the order in which they were first begun. */
const OPERATIONS = `
SELECT target, id, item, kind, CASE WHEN outcome = 'closed' AND id = item || '/delete' THEN id ELSE label END AS label,
  CASE outcome WHEN 'skipped' THEN 'skipped ' || hash WHEN 'adopted' THEN 'adopted instead of ' || hash
    WHEN 'undone' THEN 'undone ' || hash
    WHEN 'closed' THEN CASE WHEN id = item || '/delete' THEN 'settled' ELSE 'not wanted any more' END
    ELSE hash END AS hash,
  state, mark, error, finished FROM operation ORDER BY rowid`;

/** The id of the operation that a note was. */
const NOTE_ID =
  "about || CASE source WHEN 'diverged' THEN '/apart' WHEN 'recreated' THEN '/made-anew' ELSE '/private' END";

/** The operations that notes were. */
const NOTES = `
SELECT target, ${NOTE_ID} AS id, item, substr(item, 1, instr(item, '/') - 1) AS kind,
  CASE source WHEN 'diverged' THEN 'what stands apart in ' || about WHEN 'recreated' THEN about || ', made anew'
    ELSE about || '/private' END AS label,
  CASE WHEN source <> 'private' THEN '' WHEN body LIKE '%before the first load%' THEN 'adopted'
    WHEN body LIKE '%somebody changed it there%' THEN 'conflict' ELSE 'held back' END AS hash,
  'done' AS state, NULL AS mark, NULL AS error, 0 AS finished
FROM issue WHERE source NOT IN ('checks', 'operation') GROUP BY target, item, source, about`;

const ISSUES = `
SELECT target, item, CASE WHEN source IN ('checks', 'operation') THEN about ELSE ${NOTE_ID} END AS operation,
  position, level, body FROM issue`;

/**
 * Writes the state of a workspace as an older version would have left it, in its tables and in its
 * words. The workspace must be closed.
 */
export function makeOlder(workspace: string, version: 5 | 6 | 7): void {
  const file = join(workspace, "state.sqlite");
  const now = new DatabaseSync(file);
  writeTexts(workspace, now);
  if (version === 7) {
    now.exec("DROP TABLE item_text; PRAGMA user_version = 7;");
    now.close();
    return;
  }
  const older = new DatabaseSync(`${file}.older`);
  older.exec(version === 5 ? TABLES_5 : TABLES_5 + TABLES_6);
  const tables = older.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
    readonly name: string;
  }[];
  for (const { name } of tables) {
    const queries = { operation: [OPERATIONS, NOTES], issue: [ISSUES] }[name] ?? [`SELECT * FROM ${name}`];
    for (const row of queries.flatMap((sql) => now.prepare(sql).all() as Readonly<Record<string, string>>[])) {
      const names = Object.keys(row);
      const values = names.map((each) => `:${each}`).join(", ");
      older.prepare(`INSERT INTO ${name} (${names.join(", ")}) VALUES (${values})`).run(row);
    }
  }
  older.exec(`PRAGMA user_version = ${version};`);
  now.close();
  older.close();
  renameSync(`${file}.older`, file);
}

/** Each medium had a file of its own before version 8. */
function writeTexts(workspace: string, database: InstanceType<typeof DatabaseSync>): void {
  const rows = database.prepare("SELECT key, text FROM item_text").all() as {
    readonly key: Key;
    readonly text: string;
  }[];
  for (const { key, text } of rows) {
    const file = layoutOf(workspace).item(key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The version of the state of a workspace. */
export function versionOf(workspace: string): unknown {
  const database = new DatabaseSync(join(workspace, "state.sqlite"), { readOnly: true });
  const row = database.prepare("PRAGMA user_version").get() as { readonly user_version: number };
  database.close();
  return row.user_version;
}
