import { createHash } from "node:crypto";
import { closeSync, fdatasync, openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { Agent, request } from "undici";
import { DatabaseSync } from "../../../src/storage/sqlite.js";
import { type Json, parsed, Replay, type Sent } from "./replay.js";
import type { Exchange } from "./site-process.js";

// The least that a load can cost: posts recorded writes with undici, and records each one as
// docs/design/load-protocol.md asks. A create is durable before it is sent; the outcome of a write
// is durable with the thing's id, revision and body. It plans, checks and compares nothing. Of the
// program it takes only the SQLite library. It prints how many writes were answered otherwise.

const [file = "", state = "", folder = "", origin = "", token = "", many = "1"] = process.argv.slice(2);
const concurrency = Number(many);
const writes: readonly Exchange[] = JSON.parse(await readFile(file, "utf8"));
const uploads = await storedUploads();
const database = openLedger();
const syncFile = promisify(fdatasync);
const statement = {
  begin: database.prepare(
    "INSERT INTO operation (target, id, item, kind, label, hash, state, mark) VALUES (1, ?, ?, ?, ?, ?, 'begun', ?)",
  ),
  done: database.prepare(`INSERT INTO operation (target, id, item, kind, label, hash, state, outcome, finished)
    VALUES (1, ?, ?, ?, ?, ?, 'done', 'written', ?) ON CONFLICT (target, id)
    DO UPDATE SET state = 'done', outcome = 'written', mark = NULL, finished = excluded.finished`),
  written:
    database.prepare(`INSERT INTO written (target, key, item, kind, id, share, revision, left_there, facts, adopted)
    VALUES (1, ?, ?, ?, ?, '', ?, ?, ?, 0) ON CONFLICT (target, key)
    DO UPDATE SET revision = excluded.revision, left_there = excluded.left_there, facts = excluded.facts`),
  body: database.prepare("INSERT OR REPLACE INTO left_body (target, key, body) VALUES (1, ?, ?)"),
};
/** The fields of a body that an edit can restore: not the rendered texts, nor the steps of a guide. */
const WRITTEN = [
  ...["title", "category", "type", "subject", "summary", "introduction_raw", "conclusion_raw", "difficulty", "public"],
  ...["lines", "text_raw", "bullet", "level", "media", "data", "id"],
];

let latest: Promise<void> = Promise.resolve();
let next: Promise<void> | undefined;
let count = 0;

const dispatcher = new Agent({ connections: concurrency });
const replay = new Replay(token, async (sent: Sent) => {
  const operation = operationOf(sent);
  if (sent.method === "POST") await durably(() => begin(operation, sent));
  const body = uploads.has(sent.path) ? await readFile(uploads.get(sent.path) ?? "") : sent.body;
  const { path, method, headers } = sent;
  const answer = await request(`${origin}${path}`, { dispatcher, method: method as "POST", headers, body });
  const json = parsed(await answer.body.text());
  await durably(() => done(operation, json));
  return { status: answer.statusCode, json };
});
// A write waits for a connection while another one is recorded, as in a load.
await replay.send(writes, 3 * concurrency);
await dispatcher.close();
database.close();
process.stdout.write(String(replay.refused()));

/** The recorded files, on the disk as they are in a workspace. */
async function storedUploads(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { url, type, body } of writes) {
    if (type !== "application/octet-stream") continue;
    files.set(url, join(folder, `upload-${files.size}`));
    await writeFile(files.get(url) ?? "", Buffer.from(body, "base64"));
  }
  return files;
}

/** With the tables and indexes of the workspace that was loaded. */
function openLedger(): InstanceType<typeof DatabaseSync> {
  const loaded = new DatabaseSync(state, { readOnly: true });
  const sql = "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('operation', 'written', 'left_body') AND sql NOT NULL";
  const tables = loaded.prepare(sql).all() as readonly { readonly sql: string }[];
  loaded.close();
  const ledger = new DatabaseSync(join(folder, "floor.sqlite"));
  for (const text of ["PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", ...tables.map((table) => table.sql)])
    ledger.exec(text);
  return ledger;
}

interface Operation {
  readonly id: string;
  readonly item: string;
  readonly hash: string;
}

function operationOf({ path, body }: Sent): Operation {
  count += 1;
  const item = `guide/${/guides\/(\d+)/.exec(path)?.[1] ?? `new ${count}`}`;
  const hash = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  return { id: `${item}/${count}`, item, hash };
}

function begin({ id, item, hash }: Operation, { body, path }: Sent): void {
  const mark = JSON.stringify({ path, sent: body?.toString() });
  statement.begin.run(id, item, "guide", path, hash, uploads.has(path) ? "{}" : mark);
}

function done({ id, item, hash }: Operation, json: Json): void {
  statement.done.run(id, item, "guide", item, hash, Date.now());
  const steps = Array.isArray(json["steps"]) ? (json["steps"] as readonly Json[]) : [];
  const step = json["stepid"] === undefined ? steps.at(-1) : json;
  if (step !== undefined) record(`step/${String(step["stepid"])}`, item, "step", step);
  const { image } = json as { readonly image?: Json | null };
  if (typeof image?.["id"] === "number") record(`image/${image["id"]}`, item, "image", image);
  if (json["guideid"] === undefined || json === step) return;
  record(`guide/${String(json["guideid"])}`, item, "guide", json);
}

function record(key: string, item: string, kind: string, thing: Json): void {
  const body = JSON.stringify(thing, WRITTEN);
  const digest = createHash("sha256").update(body).digest("hex");
  const revision = String(thing["revisionid"] ?? "");
  statement.written.run(key, item, kind, key.slice(kind.length + 1), revision, digest, "{}");
  statement.body.run(key, body);
}

/** All that ask while the log is synced share the next commit. */
function durably(work: () => void): Promise<void> {
  next ??= commitAfter(latest);
  if (!database.isTransaction) database.exec("BEGIN IMMEDIATE");
  work();
  return next;
}

async function commitAfter(before: Promise<void>): Promise<void> {
  await before;
  await turn();
  latest = next ?? before;
  next = undefined;
  database.exec("COMMIT");
  const log = openSync(join(folder, "floor.sqlite-wal"), "r+");
  await syncFile(log);
  closeSync(log);
}
