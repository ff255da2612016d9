import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { WorkspaceError } from "../../core/errors.js";
import { Database } from "./sqlite.js";
import { isBusy, isDamaged, storageError } from "./storage-error.js";

export interface SeatBookOptions {
  /** See user-state-folder.ts. */
  readonly base: string;
  /** Called once, when nothing can be noted there: from then on the rate is not shared. */
  readonly warn: (text: string) => void;
  /** Milliseconds on a clock that all processes of this machine share and nobody sets; default: the time since it started. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds that a start may wait for another process' write, and then for the next try; and tries before it goes on without. */
export const BUSY_WAIT = 50;
const BUSY_TRIES = 40;
/** Of the tables. Whoever changes them counts it up: versions of the program run side by side, each with a file that has its own columns. */
const FORMAT = 2;

/** The file in which the processes of a machine note who asks whom, and what became of it. */
export class SeatBook {
  readonly now: () => number;
  readonly #options: SeatBookOptions;
  #database: Database | undefined;
  #given = false;
  #busy = 0;

  constructor(options: SeatBookOptions) {
    this.#options = options;
    this.now = options.now ?? sinceMachineStarted;
  }

  /** What `work` gives; `otherwise` while another process writes, and when nothing can be noted. */
  use<T>(work: (database: Database) => T, otherwise: (state: "busy" | "given up") => T): T {
    if (this.#given) return otherwise("given up");
    try {
      this.#database ??= openBook(this.#options.base);
      const result = work(this.#database);
      this.#busy = 0;
      return result;
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      this.#busy += 1;
      if (isBusy(error) && this.#busy < BUSY_TRIES) return otherwise("busy");
      this.#giveUp(error);
      return otherwise("given up");
    }
  }

  #giveUp(error: WorkspaceError): void {
    this.#given = true;
    this.#options.warn(
      `Other runs of guideferry on this machine are not counted: what may be sent to a site can't be shared with them. ${error.message}`,
    );
  }
}

/** A file for each machine: a home may be on several. */
function openBook(base: string): Database {
  const folder = join(base, "budgets");
  const file = join(folder, `${hostname().replaceAll(/[^\w.-]/g, "_")}.${FORMAT}.sqlite`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageError(error, `making ${folder}`);
  }
  try {
    return prepared(file);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    // It only holds what is true for seconds.
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    return prepared(file);
  }
}

function prepared(file: string): Database {
  const database = new Database(file, { timeout: BUSY_WAIT });
  try {
    // What a killed process leaves can be read, and nobody who looks waits for one who writes; a lost power line may take it all.
    database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF");
    database.execute(
      "CREATE TABLE IF NOT EXISTS seat (id TEXT PRIMARY KEY, origin TEXT NOT NULL, until INTEGER NOT NULL, lease INTEGER NOT NULL) STRICT, WITHOUT ROWID;" +
        "CREATE TABLE IF NOT EXISTS schedule (origin TEXT PRIMARY KEY, due REAL NOT NULL, count INTEGER NOT NULL, at REAL NOT NULL) STRICT, WITHOUT ROWID;" +
        "CREATE TABLE IF NOT EXISTS start (origin TEXT NOT NULL, place INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (origin, place)) STRICT, WITHOUT ROWID",
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Fractions of a millisecond count: two hundred starts a second are five milliseconds apart. */
function sinceMachineStarted(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
