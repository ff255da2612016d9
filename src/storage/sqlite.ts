import { closeSync, existsSync, fdatasync, openSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { EXIT, WorkspaceError } from "../core/errors.js";
import { sqliteCode, storageError } from "./storage-error.js";
import { storedText } from "./stored-text.js";

export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

type Library = Pick<typeof import("@photostructure/sqlite"), "DatabaseSync">;

/**
 * Node's own SQLite where it is stable, since it is faster and belongs to the runtime; elsewhere a
 * package with the same interface. A process uses one of them: closing a file in one copy of
 * SQLite would release the locks of the other.
 */
export const { DatabaseSync } = nodeLibrary() ?? (await import("@photostructure/sqlite"));

type Connection = InstanceType<Library["DatabaseSync"]>;

type Session = ReturnType<Connection["createSession"]>;
type Prepared = ReturnType<Connection["prepare"]>;
/** One for each place of a value in the statement. */
type Bound = readonly (string | bigint | number | null)[];
/** The values of a row, by column. */
type Cells = readonly Value[];

interface Statement {
  /** Of the values, by place: a name may occur several times. */
  readonly names: readonly string[];
  /** Names, each counted once. */
  readonly count: number;
  /** Names of the columns of its rows, in order. */
  readonly columns: readonly string[];
  readonly prepared: Prepared;
}

/** Milliseconds to wait for a lock, far more than a checkpoint takes. SQLite's default is 0. */
const BUSY_TIMEOUT = 10_000;
/** Rows of a page, by default. */
const PAGE = 500;
const PARAMETER = /:([a-z][A-Za-z0-9]*)/g;

interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for a lock; default BUSY_TIMEOUT. */
  readonly timeout?: number;
  /** Makes the log durable for `durably`; default: fdatasync. */
  readonly syncFile?: SyncFile;
}

/**
 * Takes a change of the rows of all tables but temporary ones, as a changeset of SQLite's session
 * extension: what was committed since the change before. Fulfilled when it is durable there.
 *
 * @param copyTo writes the database as it is after this change into a new file; only until the call
 * returns its promise
 */
export type ShipChange = (change: Uint8Array, copyTo: (file: string) => void) => Promise<void>;

/**
 * One SQLite file. Each statement is prepared once and kept, so SQL texts must be constants. Every
 * value is checked, since SQLite's bindings disagree about types that they do not know. A query
 * reads all its rows, because a kept statement cannot be iterated twice at a time; `pages` reads
 * long lists.
 */
export class Database {
  readonly file: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #log: SharedSync;
  #ship: ShipChange | undefined;
  /** Records the rows that change, for `#ship`. */
  #session: Session | undefined;
  /** The open transaction that callers of `durably` share. */
  #group: Group | undefined;
  #isInGroup = false;
  /** Commits do not sync. It stays so until the next write that needs a sync. */
  #isUnsynced = false;
  #isLight = false;

  /** Creates the file with mode 0600 unless `readOnly`. Throws WorkspaceError if it can't open. */
  constructor(file: string, options: DatabaseOptions = {}) {
    this.file = file;
    this.#log = new SharedSync(`${file}-wal`, options.syncFile, () => this.#beforeSync());
    const { readOnly = false, timeout = BUSY_TIMEOUT } = options;
    this.#connection = this.#guarded("opening", () => {
      if (!readOnly) createPrivate(file);
      return new DatabaseSync(file, { readOnly, timeout });
    });
  }

  /** One or several statements without values. */
  execute(sql: string): void {
    this.#leaveGroup();
    this.#execute(sql);
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: Values = {}): number {
    if (!this.#isInGroup) this.#leaveGroup();
    return Number(this.#use("writing", sql, values, ({ prepared }, bound) => prepared.run(...bound).changes));
  }

  get<Row>(sql: string, values: Values = {}): Row | undefined {
    return this.#use("reading", sql, values, ({ prepared, columns }, bound) => {
      const cells: Cells | undefined = prepared.get(...bound);
      return cells === undefined ? undefined : rowOf<Row>(columns, cells);
    });
  }

  all<Row>(sql: string, values: Values = {}): readonly Row[] {
    return this.#use("reading", sql, values, ({ prepared, columns }, bound) => {
      const rows: readonly Cells[] = prepared.all(...bound);
      return rows.map((cells) => rowOf<Row>(columns, cells));
    });
  }

  /**
   * The rows of a query in pages, so that other statements may write between them.
   *
   * @param sql no LIMIT; it selects the rows after the columns of `from`, ordered by them
   * @param from columns that identify a row, with values that come before all rows
   */
  *pages<Row>(sql: string, values: Values, from: Values, size = PAGE): Generator<Row> {
    for (let after = from; ; ) {
      const page = this.all<Row>(`${sql} LIMIT ${size}`, { ...values, ...after });
      yield* page;
      const last = page.at(-1) as Values | undefined;
      if (last === undefined || page.length < size) return;
      after = Object.fromEntries(Object.keys(from).map((column) => [column, last[column] ?? null]));
    }
  }

  /**
   * All or nothing; durable when it returns. `work` must not be async, because writes of other
   * tasks would become part of the transaction.
   */
  transaction<T>(work: () => T): T {
    this.execute("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#execute("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /**
   * Like `transaction`, for a database with a write-ahead log. This connection sees the work when
   * the call returns; it is committed and durable when the promise is fulfilled. Callers share one
   * commit and one sync, and each fails alone. All earlier work is durable too, since the log is
   * sequential. After `shipTo` the work, and all earlier work, is also at the other place.
   *
   * @param work called again when a later one of the same commit fails; it has to write the same
   */
  async durably<T>(work: () => T): Promise<T> {
    const { group, result } = this.#inGroup(work);
    try {
      await this.#log.sync();
    } catch (error) {
      throw storageError(error, `writing ${this.file}`);
    }
    if (group.failure !== undefined) throw group.failure;
    return result;
  }

  /** Commits without a sync. A power failure may undo `work`; a killed process can't. */
  lightly<T>(work: () => T): T {
    this.#commitGroup();
    this.#stopSyncs();
    this.#isLight = true;
    try {
      return work();
    } finally {
      this.#isLight = false;
    }
  }

  /**
   * From now on `durably` also takes each change of the rows to another place. It does not take
   * changes of tables.
   */
  shipTo(ship: ShipChange): void {
    this.#ship = ship;
    this.#session = this.#connection.createSession();
  }

  /** Writes the committed rows into a new file, as one compact database. */
  copyTo(file: string): void {
    this.execute(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
  }

  /**
   * Repeats a change that a ShipChange took. Throws WorkspaceError, and changes nothing, when the
   * rows are not those before it. A unique index can refuse a change whose rows swap their values,
   * so remove it before.
   */
  apply(change: Uint8Array): void {
    this.#leaveGroup();
    // Without a function for conflicts the first one rolls the change back.
    const isApplied = this.#guarded("writing", () => this.#connection.applyChangeset(change));
    if (isApplied) return;
    throw new WorkspaceError(`A change of ${this.file} does not fit its rows: some of them are missing or differ.`, {
      exitCode: EXIT.differences,
    });
  }

  /**
   * The library frees prepared statements, and with them the file, only at a garbage collection. So
   * a log that must not remain has to be merged before, and a file that must be released at once
   * may only be used through `execute`.
   */
  close(): void {
    this.#commitGroup();
    this.#session?.close();
    this.#session = undefined;
    this.#guarded("closing", () => this.#connection.close());
  }

  #inGroup<T>(work: () => T): { readonly group: Group; readonly result: T } {
    const group = this.#group ?? this.#openGroup();
    try {
      const result = this.#within(work);
      group.works.push(work);
      return { group, result };
    } catch (error) {
      this.#repeat(group);
      throw error;
    }
  }

  #within<T>(work: () => T): T {
    this.#isInGroup = true;
    try {
      return work();
    } finally {
      this.#isInGroup = false;
    }
  }

  /**
   * Removes what a failed work wrote. Works fail seldom, and a savepoint for each takes more time
   * than its commit.
   */
  #repeat({ works }: Group): void {
    try {
      this.#rollBack();
      this.#execute("BEGIN IMMEDIATE");
      for (const work of works) this.#within(work);
    } catch (error) {
      this.#rollBack();
      this.#endGroup(error);
    }
  }

  #openGroup(): Group {
    this.#group = { works: [] };
    try {
      this.#stopSyncs();
      this.#execute("BEGIN IMMEDIATE");
      return this.#group;
    } catch (error) {
      this.#endGroup(error);
      throw error;
    }
  }

  /** Returns the shipment of what is committed until now. */
  #beforeSync(): Promise<void> | undefined {
    this.#commitGroup();
    const change = this.#session?.changeset();
    if (this.#ship === undefined || change === undefined || change.length === 0) return undefined;
    // A session has no call that forgets what it recorded.
    this.#session?.close();
    this.#session = this.#connection.createSession();
    return this.#ship(change, (file) => this.copyTo(file));
  }

  #commitGroup(): void {
    if (this.#group === undefined) return;
    try {
      this.#execute("COMMIT");
      this.#endGroup();
    } catch (error) {
      this.#rollBack();
      this.#endGroup(error);
    }
  }

  /** `failure`: the work of all callers is rolled back. */
  #endGroup(failure?: unknown): void {
    if (this.#group !== undefined && failure !== undefined) this.#group.failure = failure;
    this.#group = undefined;
  }

  /** Before a statement of its own, which syncs unless it is a part of `lightly`. */
  #leaveGroup(): void {
    this.#commitGroup();
    if (!this.#isUnsynced || this.#isLight) return;
    this.#execute("PRAGMA synchronous=FULL");
    this.#isUnsynced = false;
  }

  /** Outside of a transaction, where SQLite ignores the setting. */
  #stopSyncs(): void {
    if (this.#isUnsynced) return;
    this.#execute("PRAGMA synchronous=NORMAL");
    this.#isUnsynced = true;
  }

  /** On a full disk SQLite rolls back itself; a second ROLLBACK would hide the cause. */
  #rollBack(): void {
    if (this.#connection.isTransaction) this.#execute("ROLLBACK");
  }

  #execute(sql: string): void {
    this.#guarded("writing", () => this.#connection.exec(sql));
  }

  #use<T>(doing: string, sql: string, values: Values, work: (statement: Statement, bound: Bound) => T): T {
    return this.#guarded(doing, () => {
      const statement = this.#statement(sql);
      return work(statement, bind(statement, sql, values));
    });
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const names = [...sql.matchAll(PARAMETER)].map((match) => match[1] ?? "");
    // SQLite finds places without a name in a third of the time.
    const prepared = this.#connection.prepare(sql.replace(PARAMETER, "?"));
    // Libraries make objects of rows in twice the time.
    prepared.setReturnArrays(true);
    const columns = prepared.columns().map(({ name }) => name);
    const statement = { names, count: new Set(names).size, columns, prepared };
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

interface Group {
  /** Those that did not fail, in order. */
  readonly works: (() => unknown)[];
  /** Why its commit failed. */
  failure?: unknown;
}

/** undefined: this runtime has none, or prints a warning that it is experimental. */
function nodeLibrary(): Library | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isStable = major > 25 || (major === 24 && minor >= 16);
  return isStable ? (process.getBuiltinModule("node:sqlite") as Library | undefined) : undefined;
}

/** Did a constraint, such as a unique index, refuse the row? */
export function isConstraint(error: unknown): boolean {
  return sqliteCode(error) === 19;
}

/** SQLite creates files with the mode of the umask. -wal and -shm get the mode of the file. */
function createPrivate(file: string): void {
  // Only a missing file: closing any handle of an open database releases the process's locks on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

function bind({ names, count }: Statement, sql: string, values: Values): Bound {
  const given = Object.keys(values);
  if (given.length !== count || names.some((name) => !Object.hasOwn(values, name))) {
    throw new TypeError(
      `The statement needs the values ${[...new Set(names)].join(", ")}, but got ${given.join(", ")}: ${sql}`,
    );
  }
  return names.map((name) => storable(values[name], name));
}

function rowOf<Row>(columns: readonly string[], cells: Cells): Row {
  const row: Record<string, Value> = {};
  for (const [at, name] of columns.entries()) row[name] = cells[at] ?? null;
  return row as Row;
}

function storable(value: unknown, name: string): string | bigint | number | null {
  if (value === null) return null;
  if (typeof value === "string") return storedText(value);
  const exact = typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  // Node binds a number as REAL, which prints as 5.0 in JSON and texts, so integers are bigints.
  if (exact) return Number.isInteger(value) ? BigInt(value) : value;
  throw new TypeError(`The value of ${name} cannot be stored exactly: ${String(value)} (${typeof value})`);
}

/** Returns when the bytes written to a file before the call are on the disk. */
type SyncFile = (file: string) => Promise<void>;

/**
 * Syncs a file without blocking the process. Callers during a running sync share the next one,
 * since the running one may not cover their bytes.
 */
export class SharedSync {
  readonly #file: string;
  readonly #syncFile: SyncFile;
  readonly #before: () => Promise<void> | undefined;
  /** The sync that was started last. */
  #latest: Promise<void> = Promise.resolve();
  /** The sync that starts after it. */
  #next: Promise<void> | undefined;

  /**
   * `before`: called just before each sync, for what has to be written until then. The sync ends
   * with what it returns, too.
   */
  constructor(file: string, syncFile: SyncFile = syncData, before: () => Promise<void> | undefined = () => undefined) {
    this.#file = file;
    this.#syncFile = syncFile;
    this.#before = before;
  }

  /**
   * Fulfilled when all bytes written before the call are on the disk. After one failure every call
   * fails: the system may drop unwritten bytes, and reports that only once.
   */
  sync(): Promise<void> {
    this.#next ??= this.#startAfter(this.#latest);
    return this.#next;
  }

  async #startAfter(latest: Promise<void>): Promise<void> {
    await latest;
    // All answers that arrived at the same time share the sync.
    await turn();
    this.#latest = this.#next ?? latest;
    this.#next = undefined;
    const alongside = this.#before();
    await Promise.all([this.#syncFile(this.#file), alongside]);
  }
}

const syncHandle = promisify(fdatasync);

/** Any handle syncs the bytes of all handles. On Windows it must be writable. */
async function syncData(file: string): Promise<void> {
  const handle = openSync(file, "r+");
  try {
    await syncHandle(handle);
  } finally {
    closeSync(handle);
  }
}
