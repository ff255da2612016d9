import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import { EXIT, messageOf, UsageError, WorkspaceError } from "../core/errors.js";
import { parseJson } from "../core/util/json.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { Database, type ShipChange } from "../storage/sqlite.js";
import { BEFORE_THE_STAMP, type Layout, makeFolder, temporaryFile, writeDurably } from "../storage/workspace/layout.js";
import { describeHolder, takeLock } from "../storage/workspace/lock.js";
import type { SharedState } from "../storage/workspace/workspace.js";
import { type FleetDatabase, FleetDatabaseError } from "./database.js";
import type { Lease } from "./lease.js";
import { type ObjectStore, SharedStateError } from "./object-store.js";

interface StateShippingParts {
  readonly database: FleetDatabase;
  readonly store: ObjectStore;
  readonly task: string;
  readonly lease: Pick<Lease, "token" | "lost" | "fence">;
  /** Told when a change could not be added: nothing can be written any more. */
  readonly failed: (reason: unknown) => void;
  /** Told of a base that could not be made: the database has its changes all the same. */
  readonly warn: (text: string) => void;
}

/** How far a state has come: the number of its changes, and the digest of all of them. */
interface Position {
  readonly position: number;
  readonly digest: Buffer;
}

interface BaseRow extends Position {
  readonly object: string;
  readonly parts: number;
  /** The sha256 of its file, as `Seal.nameOf` names it. */
  readonly content: string;
  /** In the storage. */
  readonly bytes: number;
  /** `workspace.json`, sealed. */
  readonly stamp: Buffer;
  /** `user_version` of its database. */
  readonly stateVersion: number;
}

/** What is after the base: compressed bytes, and changes. */
interface Tail {
  readonly bytes: number;
  readonly changes: number;
}

interface Shipment extends Position {
  readonly change: Buffer;
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
}

/** The first byte of a change: a changeset of SQLite, or a text of `workspace.json`. */
const ROWS = 0;
const STAMP = 1;

/** How the names of bases in the storage begin. */
export const BASE = "base-";

const START: Position = { position: 0, digest: Buffer.alloc(0) };
const NOTHING: Tail = { bytes: 0, changes: 0 };

/** Compressed bytes of changes after which a base is made, unless the base before it is larger. */
const LEAST_BYTES = 2 * 1024 * 1024;
/** Changes after which a run makes a base at its end. */
const MANY_CHANGES = 100;
/** Changes and bytes that a query returns at most; a larger change comes alone. */
const PAGE = { changes: 2000, bytes: 16 * 1024 * 1024 } as const;
/** Milliseconds: between tries of a shipment, and until it is given up. */
const TRY_AGAIN = { after: 250, within: 30_000 } as const;

/** As `fence` of the lease, in one statement: until its end nobody else can take the lease. */
const FENCE = `fence AS MATERIALIZED (
  SELECT 1 FROM guideferry.lease WHERE task = $1 AND token = $2 AND until > clock_timestamp() FOR KEY SHARE)`;

/** One statement, so one round trip. Repeated, it does not add a change again that arrived. */
const ADD_CHANGES = `WITH ${FENCE},
  sent AS (SELECT * FROM unnest($3::bigint[], $4::bytea[], $5::bytea[]) AS sent (position, digest, change)),
  added AS (INSERT INTO guideferry.state_change (task, position, token, digest, change)
    SELECT $1, position, $2, digest, change FROM sent WHERE EXISTS (SELECT FROM fence)
    ON CONFLICT (task, position) DO NOTHING RETURNING 1)
  SELECT EXISTS (SELECT FROM fence) AS fenced, ((SELECT count(*) FROM added) +
    (SELECT count(*) FROM sent JOIN guideferry.state_change AS had USING (position, digest) WHERE had.task = $1))::int AS had`;

const REPLACE_BASE = `WITH ${FENCE},
  gone AS (DELETE FROM guideferry.state_change WHERE task = $1 AND position <= $3 AND EXISTS (SELECT FROM fence))
  INSERT INTO guideferry.state_base (task, position, digest, object, parts, content, bytes, stamp, state_version)
    SELECT $1, $3, $4, $5, $6, $7, $8, $9, $10 WHERE EXISTS (SELECT FROM fence)
    ON CONFLICT (task) DO UPDATE SET position = excluded.position, digest = excluded.digest, object = excluded.object,
      parts = excluded.parts, content = excluded.content, bytes = excluded.bytes, stamp = excluded.stamp,
      state_version = excluded.state_version
    RETURNING position::float8`;

const READ_BASE = `SELECT position::float8, digest, object, parts, content, bytes::float8, stamp, state_version AS "stateVersion"
  FROM guideferry.state_base WHERE task = $1`;
const READ_TAIL = `SELECT count(*)::int AS changes, coalesce(sum(octet_length(change)), 0)::float8 AS bytes,
  max(position)::float8 AS position, (array_agg(digest ORDER BY position DESC))[1] AS digest
  FROM guideferry.state_change WHERE task = $1`;
const READ_CHANGES = `SELECT position::float8, digest, change FROM (
    SELECT position, digest, change, sum(octet_length(change)) OVER (ORDER BY position) - octet_length(change) AS before
    FROM guideferry.state_change WHERE task = $1 AND position > $2 ORDER BY position LIMIT $3) AS next
  WHERE before < $4 ORDER BY position`;

/**
 * The state of a task's workspace in the database and the storage of the fleet: a base, and every
 * change after it. A change counts when the database has it, and only the holder of the lease can
 * add one. docs/design/fleet.md describes the format.
 */
export class StateShipping implements SharedState {
  readonly #parts: StateShippingParts;
  readonly #layout: Layout;
  /** Of the last change that has a position. */
  #last: Position = START;
  #base: BaseRow | undefined;
  #tail: Tail = NOTHING;
  #queue: Shipment[] = [];
  #sending: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #failure: { readonly reason: unknown } | undefined;

  /** `layout`: the folder of the workspace, of this task only. */
  constructor(layout: Layout, parts: StateShippingParts) {
    this.#layout = layout;
    this.#parts = parts;
  }

  /** How the names of the base's objects in the storage begin. */
  get baseObject(): string | undefined {
    return this.#base?.object;
  }

  /**
   * Puts the state of the task into the folder, and removes what else is there but media. It reuses
   * the state that a run on this machine left, if it is exactly the shared one. Call it with the
   * lease.
   *
   * @throws UsageError for a folder with other files, WorkspaceError (exit 11) for one in use,
   * SharedStateError when the shared state is damaged or has another key
   */
  async takeUp(): Promise<"reused" | "restored" | "new"> {
    const layout = this.#layout;
    await onDisk(`creating ${layout.directory}`, makeFolder(layout.directory));
    const note = await this.#readNote();
    await onDisk(`creating ${layout.temporary}`, makeFolder(layout.temporary));
    const taken = takeLock(layout.lock, "guideferry worker");
    if (!("lock" in taken)) {
      throw new WorkspaceError(
        `Another process uses the workspace ${layout.directory}: ${describeHolder(taken.heldBy)}. Nothing was done. It is tried again.`,
        { exitCode: EXIT.locked },
      );
    }
    try {
      await this.#readPosition();
      const isHere = note !== undefined && (await isStateAt(layout, note, this.#last));
      // The state changes from now on, so what was noted about it is over.
      await this.#writeNote({ task: this.#parts.task });
      if (isHere) return "reused";
      await this.#clear();
      if (this.#base === undefined) return "new";
      await this.#restore(this.#base);
      return "restored";
    } finally {
      taken.lock.release();
    }
  }

  /** Makes a base of a new state, and of one whose tables this program changed. */
  async begin(version: number, copyTo: (file: string) => void): Promise<void> {
    if (this.#base?.stateVersion === version) return;
    const copy = temporaryFile(this.#layout);
    copyTo(copy);
    await this.#makeBase(this.#last, this.#tail, copy).finally(() => rm(copy, { force: true }));
  }

  readonly ship: ShipChange = (change, copyTo) => {
    const shipped = this.#enqueue(ROWS, change);
    if (this.#compacting === undefined && this.#tail.bytes > Math.max(LEAST_BYTES, this.#base?.bytes ?? 0)) {
      const [at, tail, copy] = [this.#last, this.#tail, temporaryFile(this.#layout)];
      copyTo(copy);
      this.#compacting = shipped
        .then(() => this.#compact(at, tail, copy))
        .finally(() => rm(copy, { force: true }))
        // Its own caller is told.
        .catch(() => undefined)
        .finally(() => {
          this.#compacting = undefined;
        });
    }
    return shipped;
  };

  stamp(text: string): Promise<void> {
    return this.#enqueue(STAMP, Buffer.from(text));
  }

  /**
   * Call it when the workspace is closed and the lease still held. Makes a base of many changes,
   * and notes in the folder what its state is, so that the next run here reuses it.
   */
  async leave(): Promise<void> {
    await this.#compacting;
    const { state } = this.#layout;
    const isWhole = this.#failure === undefined && existsSync(state) && !existsSync(`${state}-wal`);
    if (!isWhole || this.#parts.lease.lost.aborted) return;
    const { position, digest } = this.#last;
    if (this.#tail.changes >= MANY_CHANGES) await this.#compact(this.#last, this.#tail, state);
    const note = { task: this.#parts.task, position, digest: digest.toString("hex"), sha256: await sha256Of(state) };
    await this.#writeNote(note);
  }

  #enqueue(kind: number, content: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    const position = this.#last.position + 1;
    const change = this.#parts.store.seal.closeAtOnce(
      Buffer.concat([Buffer.of(kind), content]),
      this.#placeOf(position),
    );
    this.#last = { position, digest: digestAfter(this.#last, change) };
    this.#tail = { bytes: this.#tail.bytes + change.length, changes: this.#tail.changes + 1 };
    const shipped = new Promise<void>((done, failed) => this.#queue.push({ ...this.#last, change, done, failed }));
    this.#sending ??= this.#send();
    return shipped;
  }

  /** What comes during a shipment shares the next one. */
  async #send(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#add(batch);
        for (const { done } of batch) done();
      } catch (reason) {
        // A gap can't be closed, so everything after it fails too.
        this.#failure = { reason };
        this.#parts.failed(reason);
        for (const { failed } of [...batch, ...this.#queue]) failed(reason);
        this.#queue = [];
      }
    }
    this.#sending = undefined;
  }

  /** Repeats what a lost connection interrupted, as long as the lease is held. */
  async #add(batch: readonly Shipment[]): Promise<void> {
    const { database, task, lease } = this.#parts;
    const columns = [
      batch.map(({ position }) => position),
      batch.map(({ digest }) => digest),
      batch.map(({ change }) => change),
    ];
    const giveUp = performance.now() + TRY_AGAIN.within;
    for (;;) {
      lease.lost.throwIfAborted();
      try {
        const values = [task, lease.token, ...columns];
        const [row] = await database.query<{ readonly fenced: boolean; readonly had: number }>(ADD_CHANGES, values);
        if (row?.fenced === true && row.had === batch.length) return;
        await lease.fence(database);
        throw damaged(task, `change ${batch[0]?.position} exists with other bytes`);
      } catch (error) {
        const isLostConnection = error instanceof FleetDatabaseError && error.retriable;
        if (!isLostConnection || performance.now() > giveUp) throw error;
        await delay(TRY_AGAIN.after);
      }
    }
  }

  /** A failure leaves the base before it, and all changes since. */
  async #compact(at: Position, tail: Tail, file: string): Promise<void> {
    try {
      await this.#makeBase(at, tail, file);
    } catch (error) {
      this.#parts.warn(`The changes of this run are stored, but not yet as one file: ${messageOf(error)}`);
    }
  }

  /** `file`: the state at this position, which nobody changes. `tail`: what the base replaces. */
  async #makeBase(at: Position, tail: Tail, file: string): Promise<void> {
    const { database, store, task, lease } = this.#parts;
    const stateVersion = versionOf(file);
    const object = `${BASE}${at.position}-${randomUUID()}`;
    const text = await onDisk("reading workspace.json", readFile(this.#layout.stamp));
    const stamp = store.seal.closeAtOnce(text, this.#placeOfStamp(object));
    const content = store.seal.nameOf(await sha256Of(file));
    const { parts, bytes } = await store.putFile(object, file, true);
    const values = [at.position, at.digest, object, parts, content, bytes, stamp, stateVersion];
    const replaced = await database.query(REPLACE_BASE, [task, lease.token, ...values]);
    if (replaced.length === 0) await lease.fence(database);
    this.#base = { ...at, object, parts, content, bytes, stamp, stateVersion };
    this.#tail = { bytes: this.#tail.bytes - tail.bytes, changes: this.#tail.changes - tail.changes };
  }

  async #readPosition(): Promise<void> {
    const { database, task } = this.#parts;
    [this.#base] = await database.query<BaseRow>(READ_BASE, [task]);
    const [tail] = await database.query<Tail & Partial<Position>>(READ_TAIL, [task]);
    this.#tail = tail ?? NOTHING;
    const { position, digest } = tail?.changes ? { ...START, ...tail } : (this.#base ?? START);
    this.#last = { position, digest };
    if (this.#base === undefined && position > 0) throw damaged(task, "its base is missing");
  }

  async #restore(base: BaseRow): Promise<void> {
    const { store } = this.#parts;
    const { state, stamp } = this.#layout;
    let text = await store.seal.open(base.stamp, this.#placeOfStamp(base.object));
    const incoming = temporaryFile(this.#layout);
    const parts = store.getFile(base.object, base.parts, base.content);
    await onDisk(`writing ${incoming}`, pipeline(parts, createWriteStream(incoming, { mode: 0o600 })));
    // Only a whole one counts.
    await onDisk(`writing ${state}`, rename(incoming, state));
    const database = new Database(state);
    try {
      // A run that stops here leaves no note, so the next one starts again.
      database.execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; BEGIN");
      const isBehind = this.#last.position > base.position;
      const indexes = database.all<{ readonly name: string; readonly sql: string }>(
        `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%' AND ${isBehind}`,
      );
      for (const { name } of indexes) database.execute(`DROP INDEX ${name}`);
      for await (const { kind, content } of this.#changesAfter(base)) {
        if (kind === ROWS) database.apply(content);
        else text = content;
      }
      for (const sql of [...indexes.map((index) => index.sql), "COMMIT"]) {
        database.execute(sql);
        // Of a large state, each takes a second, and the lease has to be renewed meanwhile.
        await turn();
      }
      const [found] = database.all<{ readonly quick_check: string }>("PRAGMA quick_check(1)");
      if (found?.quick_check !== "ok") throw damaged(this.#parts.task, found?.quick_check ?? "unknown");
    } finally {
      database.close();
    }
    await onDisk(`writing ${stamp}`, writeFile(stamp, text, { mode: 0o600 }));
  }

  /** In order, each checked with all before it. */
  async *#changesAfter(base: BaseRow): AsyncGenerator<{ readonly kind: number | undefined; readonly content: Buffer }> {
    const { database, store, task } = this.#parts;
    type Row = Position & { readonly change: Buffer };
    for (let last: Position = base; last.position < this.#last.position; ) {
      const values = [task, last.position, PAGE.changes, PAGE.bytes];
      const rows = await database.query<Row>(READ_CHANGES, values);
      if (rows.length === 0) throw damaged(task, `change ${last.position + 1} is missing`);
      for (const { position, digest, change } of rows) {
        if (position !== last.position + 1) throw damaged(task, `change ${last.position + 1} is missing`);
        if (!digestAfter(last, change).equals(digest)) throw damaged(task, `change ${position} has other bytes`);
        const opened = await store.seal.open(change, this.#placeOf(position));
        yield { kind: opened[0], content: opened.subarray(1) };
        last = { position, digest };
      }
    }
  }

  #placeOf(position: number): string {
    return `change ${position} of the task ${this.#parts.task}`;
  }

  #placeOfStamp(object: string): string {
    return `workspace.json of ${object} of the task ${this.#parts.task}`;
  }

  /** Media stay where a state is restored: their names are their sha256. */
  async #clear(): Promise<void> {
    const { directory, media } = this.#layout;
    for (const name of await readdir(directory)) {
      const isKept = BEFORE_THE_STAMP.has(name) || (this.#base !== undefined && join(directory, name) === media);
      if (!isKept) await onDisk(`clearing ${directory}`, rm(join(directory, name), { recursive: true, force: true }));
    }
  }

  /** undefined: the folder is new. Throws UsageError for a folder that is not this task's. */
  async #readNote(): Promise<Note | undefined> {
    const { directory } = this.#layout;
    const names = await readdir(directory);
    if (!names.includes(NOTE) && names.every((name) => BEFORE_THE_STAMP.has(name))) return undefined;
    const note = await readNote(directory);
    if (note?.task === this.#parts.task) return note;
    throw new UsageError(
      `${directory} holds other files than those of the task ${this.#parts.task}, and nothing in it was changed. ` +
        "Give each task an empty folder of its own with --workspace.",
    );
  }

  #writeNote(note: Note): Promise<void> {
    return writeDurably(this.#layout, join(this.#layout.directory, NOTE), `${JSON.stringify(note)}\n`);
  }
}

/** In the folder of a workspace: whose it is, and between runs what its state is. */
const NOTE = "fleet.json";
const noteSchema = z.object({
  task: z.string(),
  position: z.number().optional(),
  /** Hexadecimal. */
  digest: z.string().optional(),
  /** Of `state.sqlite`. */
  sha256: z.string().optional(),
});
type Note = Readonly<z.infer<typeof noteSchema>>;

/** undefined: the folder is not that of a task. */
export async function readNote(directory: string): Promise<Note | undefined> {
  const text = await readFile(join(directory, NOTE), "utf8").catch(() => "");
  return noteSchema.safeParse(parseJson(text)).data;
}

async function isStateAt({ state, stamp }: Layout, note: Note, { position, digest }: Position): Promise<boolean> {
  if (note.position !== position || note.digest !== digest.toString("hex")) return false;
  if (!existsSync(stamp) || !existsSync(state) || existsSync(`${state}-wal`)) return false;
  return (await sha256Of(state)) === note.sha256;
}

function versionOf(file: string): number {
  const database = new Database(file, { readOnly: true });
  try {
    return database.get<{ readonly user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  } finally {
    database.close();
  }
}

function digestAfter({ digest }: Position, change: Buffer): Buffer {
  return createHash("sha256").update(digest).update(change).digest();
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await onDisk(`reading ${file}`, pipeline(createReadStream(file), hash));
  return hash.digest("hex");
}

function damaged(task: string, what: string): SharedStateError {
  return new SharedStateError(
    `The shared state of the task ${task} is damaged: ${what}. Nothing was done. Restore the database and the storage from their backups.`,
    { exitCode: EXIT.differences },
  );
}
