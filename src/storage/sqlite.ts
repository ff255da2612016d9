import { closeSync, existsSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteCode, storageError } from "./storage-error.js";
import { storedText } from "./stored-text.js";

export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

type Connection = InstanceType<typeof DatabaseSync>;

type Prepared = ReturnType<Connection["prepare"]>;
/** No or one object with a value for each name. */
type Bound = readonly Values[];

interface Statement {
  readonly names: ReadonlySet<string>;
  readonly prepared: Prepared;
}

/**
 * Milliseconds to wait for a lock; SQLite's own default is not to wait at all. A checkpoint takes
 * far less.
 */
const BUSY_TIMEOUT = 10_000;
/** Rows of a page, unless the caller wants others. */
const PAGE = 500;
const PARAMETER = /:([a-z][A-Za-z0-9]*)/g;

interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for a lock; default BUSY_TIMEOUT. */
  readonly timeout?: number;
  /** How `durably` waits for the disk; default: a sync of the log. */
  readonly syncFile?: SyncFile;
}

/**
 * One SQLite file. Statements are prepared once and kept (dropped ones cost memory until a garbage
 * collection), so SQL texts must be constants. Every value is checked before it is bound, since the
 * library binds null for what it does not understand. Queries are read whole: a kept statement
 * can't be iterated twice at a time, so long lists are read by `pages`.
 */
export class Database {
  readonly file: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #log: SharedSync;

  /**
   * Makes the file with mode 0600 unless `readOnly`. Throws WorkspaceError when it can't be opened.
   */
  constructor(file: string, options: DatabaseOptions = {}) {
    this.file = file;
    this.#log = new SharedSync(`${file}-wal`, options.syncFile);
    const { readOnly = false, timeout = BUSY_TIMEOUT } = options;
    this.#connection = this.#guarded("opening", () => {
      if (!readOnly) createPrivate(file);
      return new DatabaseSync(file, { readOnly, timeout });
    });
  }

  /** Any SQL, several statements too, without values. */
  execute(sql: string): void {
    this.#guarded("writing", () => this.#connection.exec(sql));
  }

  /** Returns how many rows changed. */
  run(sql: string, values: Values = {}): number {
    return Number(this.#use("writing", sql, values, (prepared, bound) => prepared.run(...bound).changes));
  }

  get<Row>(sql: string, values: Values = {}): Row | undefined {
    return this.#use("reading", sql, values, (prepared, bound) => prepared.get(...bound));
  }

  all<Row>(sql: string, values: Values = {}): readonly Row[] {
    return this.#use("reading", sql, values, (prepared, bound) => prepared.all(...bound));
  }

  /**
   * The rows of a query in pages, so that anything may be written while they are read.
   *
   * @param sql no LIMIT; it asks for what comes after the columns of `from`, and orders by them
   * @param from columns that no two rows have alike, and values that come before all rows
   */
  *pages<Row>(sql: string, values: Values, from: Values, size = PAGE): Generator<Row> {
    for (let after = from; ; ) {
      const page = this.all<Row>(`${sql} LIMIT ${size}`, { ...values, ...after });
      for (const row of page) yield { ...row };
      const last = page.at(-1) as Values | undefined;
      if (last === undefined || page.length < size) return;
      after = Object.fromEntries(Object.keys(from).map((column) => [column, last[column] ?? null]));
    }
  }

  /**
   * All or nothing; durable when it returns. `work` must not be async: another task's writes would
   * slip in.
   */
  transaction<T>(work: () => T): T {
    this.execute("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.execute("COMMIT");
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself; a second ROLLBACK would hide the cause.
      if (this.#connection.isTransaction) this.execute("ROLLBACK");
      throw error;
    }
  }

  /**
   * Like `transaction`, for a database with a write-ahead log. It is done when the call comes back,
   * and durable when the promise is fulfilled; what several wait for is synced together, and the
   * process works on meanwhile. The log is one line: what is durable, so is all that was done
   * before it.
   */
  async durably<T>(work: () => T): Promise<T> {
    const result = this.lightly(() => this.transaction(work));
    try {
      await this.#log.sync();
    } catch (error) {
      throw storageError(error, `writing ${this.file}`);
    }
    return result;
  }

  /**
   * For hints: a lost power line may undo `work`, a killed process can't. Saves the wait for the
   * disk.
   */
  lightly<T>(work: () => T): T {
    this.execute("PRAGMA synchronous=NORMAL");
    try {
      return work();
    } finally {
      this.execute("PRAGMA synchronous=FULL");
    }
  }

  /**
   * The library frees prepared statements, and with them the file, only at a garbage collection: a
   * log that must not stay behind has to be folded in before, and a file that must be let go at
   * once may only be used by `execute`.
   */
  close(): void {
    this.#guarded("closing", () => this.#connection.close());
  }

  #use<T>(doing: string, sql: string, values: Values, work: (prepared: Prepared, bound: Bound) => T): T {
    return this.#guarded(doing, () => {
      const { prepared, names } = this.#statement(sql);
      return work(prepared, bind(names, sql, values));
    });
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const names = new Set([...sql.matchAll(PARAMETER)].map((match) => match[1] ?? ""));
    const statement = { names, prepared: this.#connection.prepare(sql) };
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<T>(doing: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(error, `${doing} ${this.file}`);
    }
  }
}

/** Did a unique index refuse the row? */
export function isConstraint(error: unknown): boolean {
  return sqliteCode(error) === 19;
}

/**
 * SQLite would create it with the mode of the umask; -wal and -shm take over the mode of the file.
 */
function createPrivate(file: string): void {
  // Only a file that is not there: closing any handle of an open database drops this process's
  // locks on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

function bind(wanted: ReadonlySet<string>, sql: string, values: Values): Bound {
  const names = Object.keys(values);
  if (names.length !== wanted.size || names.some((name) => !wanted.has(name))) {
    throw new TypeError(`The statement wants ${[...wanted].join(", ")} and was given ${names.join(", ")}: ${sql}`);
  }
  if (names.length === 0) return [];
  return [Object.fromEntries(names.map((name) => [name, storable(values[name], name)]))];
}

function storable(value: unknown, name: string): Value {
  if (value === null) return null;
  if (typeof value === "string") return storedText(value);
  const exact = typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (exact) return value;
  throw new TypeError(`The value of ${name} can't be stored exactly: ${String(value)} (${typeof value})`);
}

/** Returns when what was written to a file before the call is on the disk. */
type SyncFile = (file: string) => Promise<void>;

/**
 * Waits for the disk without holding up the process. Those who ask while a wait is under way share
 * the next one, since what they wrote may have come too late for this one.
 */
export class SharedSync {
  readonly #file: string;
  readonly #syncFile: SyncFile;
  /** The one that was started last. */
  #latest: Promise<void> = Promise.resolve();
  /** The one that is started when that is over. */
  #next: Promise<void> | undefined;

  constructor(file: string, syncFile: SyncFile = syncData) {
    this.#file = file;
    this.#syncFile = syncFile;
  }

  /**
   * Fulfilled when all that was written before the call is on the disk. Once it failed it fails for
   * ever: the system may drop what it could not write, and tells that only once.
   */
  sync(): Promise<void> {
    this.#next ??= this.#startAfter(this.#latest);
    return this.#next;
  }

  async #startAfter(latest: Promise<void>): Promise<void> {
    await latest;
    this.#latest = this.#next ?? latest;
    this.#next = undefined;
    await this.#syncFile(this.#file);
  }
}

const syncHandle = promisify(fdatasync);

/** A handle of its own syncs what others wrote too. Windows wants one that may write. */
async function syncData(file: string): Promise<void> {
  const handle = openSync(file, "r+");
  try {
    await syncHandle(handle);
  } finally {
    closeSync(handle);
  }
}
