import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { EXIT, messageOf, StoppedError, UsageError } from "../core/errors.js";
import type { SharedBudget } from "../service/http/request-rate.js";
import type { WriteGate } from "../service/http/transport.js";
import { Database } from "../storage/sqlite.js";
import { type Layout, layoutOf } from "../storage/workspace/layout.js";
import type { Elsewhere } from "../storage/workspace/media-store.js";
import type { SharedState } from "../storage/workspace/workspace.js";
import { checkTables, type FleetDatabase, FleetDatabaseError, openDatabase } from "./database.js";
import { KeptFiles } from "./kept-files.js";
import { type Held, type Lease, takeLease, type Wanted } from "./lease.js";
import { ObjectStore, Seal } from "./object-store.js";
import { createFleetBudget, type FleetBudget } from "./rate-budget.js";
import { StateShipping } from "./state-shipping.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface LinkOptions {
  /** With the secrets of files and commands resolved. */
  readonly environment: Environment;
  /** The command of the session, `migrate`; only that of the task has the task's state. */
  readonly command: string;
  readonly directory: string;
  /** Does the task encrypt what it writes? */
  readonly encrypts: boolean;
  /** Contents outside the folder, in archives. Default: none. */
  readonly elsewhere?: Elsewhere | undefined;
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** A command that runs for a task of the fleet. */
export interface FleetLink {
  /** For the workspace. */
  readonly shared: SharedState;
  readonly elsewhere: Elsewhere | undefined;
  /** For the connections of sites. */
  readonly gate: WriteGate;
  /** For the connections of sites: all workers of the fleet share the rate of an origin. */
  readonly budget: SharedBudget;
  /** Aborted when an operator wants the run to stop. */
  readonly stop: AbortSignal;
  /** Aborted when the run may not write any more, with the error that ends it: mostly exit 75. */
  readonly over: AbortSignal;
  /**
   * Call it when the workspace is closed. Releases the lease.
   *
   * @param mayBeActive may a request still have its effect, because it was aborted?
   */
  close(mayBeActive: boolean): Promise<void>;
}

/** Variables of a child. The address of the database and the key are secrets. */
const VARIABLES = {
  task: "GUIDEFERRY_FLEET_TASK",
  run: "GUIDEFERRY_FLEET_RUN",
  database: "GUIDEFERRY_DATABASE",
  store: "GUIDEFERRY_STORE",
  key: "GUIDEFERRY_FLEET_KEY",
  /** Seconds without a renewal after which another worker may take the task over. */
  lease: "GUIDEFERRY_FLEET_LEASE",
  /** Seconds within which a request has its effect at a site. */
  longestRequest: "GUIDEFERRY_FLEET_LONGEST_REQUEST",
} as const;

/** Milliseconds for a statement, which must not outlast the lease. */
const STATEMENT = 5000;
/** Milliseconds that the database may be away when a command begins, and between two tries. */
const AWAY = 8000;
const TRY_AGAIN = 250;
/** Milliseconds after the end of a lease: it has a clock of its own. */
const GRACE = 200;

/**
 * Joins the fleet for the task that the environment names: takes the lease, and puts the task's
 * state into the folder of the workspace. undefined: the task is of another command.
 *
 * @throws UsageError for a missing or wrong variable, LeaseLostError's exit 75 when another worker
 * has the task, and the errors of StateShipping.takeUp
 */
export async function joinFleet(options: LinkOptions): Promise<FleetLink | undefined> {
  const { environment, encrypts } = options;
  const [task, address, place] = [VARIABLES.task, VARIABLES.database, VARIABLES.store].map((name) =>
    needed(environment, name),
  );
  const seal = new Seal(environment[VARIABLES.key] || undefined);
  if (encrypts && !seal.encrypts) {
    throw new UsageError(
      "This task encrypts its backup, but the state of its workspace would be stored unencrypted. Nothing was done. " +
        "Set GUIDEFERRY_FLEET_KEY to the same value on all workers. Make one: openssl rand -base64 32",
    );
  }
  const giveUp = performance.now() + (milliseconds(environment, VARIABLES.lease, "length").length ?? AWAY);
  for (;;) {
    try {
      return await join(options, { task: task ?? "", address: address ?? "", place: place ?? "", seal });
    } catch (error) {
      const isAway = error instanceof FleetDatabaseError && error.retriable;
      if (!isAway || performance.now() > giveUp) throw error;
      // A server that restarts is back sooner than the next attempt of the task would come.
      await delay(TRY_AGAIN);
    }
  }
}

interface Joining {
  readonly task: string;
  readonly address: string;
  readonly place: string;
  readonly seal: Seal;
}

async function join(options: LinkOptions, { task, address, place, seal }: Joining): Promise<FleetLink | undefined> {
  const database = await openDatabase(address, { statementTimeout: STATEMENT });
  try {
    await checkTables(database);
    const [row] = await database.query<{ readonly verb: string }>("SELECT verb FROM guideferry.task WHERE id = $1", [
      task,
    ]);
    if (row !== undefined && row.verb !== options.command) {
      await database.close();
      return undefined;
    }
    return await Link.begin(options, { database, store: await ObjectStore.open(place, task, seal), task });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function needed(environment: Environment, name: string): string {
  const value = environment[name]?.trim() ?? "";
  if (value !== "") return value;
  throw new UsageError(
    `${name} is not set. A worker sets it for the commands that it starts: do not set GUIDEFERRY_FLEET_TASK yourself.`,
  );
}

interface Places {
  readonly database: FleetDatabase;
  readonly store: ObjectStore;
  readonly task: string;
}

class Link implements FleetLink {
  readonly shared: StateShipping;
  readonly elsewhere: Elsewhere | undefined;
  readonly budget: FleetBudget;
  readonly stop: AbortSignal;
  readonly over: AbortSignal;
  readonly #places: Places;
  readonly #lease: Lease;
  readonly #kept: KeptFiles;
  readonly #options: LinkOptions;
  readonly #worker = new WorkerChannel();
  /** The state can't be shipped any more, or no request may start. */
  readonly #broken = new AbortController();

  static async begin(options: LinkOptions, places: Places): Promise<Link> {
    const stop = new AbortController();
    const lease = await leaseOf(options, places, (wanted) => {
      options.note(`An operator wants this run to stop (${wanted}): finishing running work.`);
      stop.abort(new StoppedError(`Stopped by an operator (${wanted}).`, { exitCode: EXIT.stopped }));
    });
    const link = new Link(options, places, lease, stop.signal);
    try {
      await link.#takeUp();
      return link;
    } catch (error) {
      link.#worker.close();
      await link.budget.close();
      await lease.release();
      throw lease.lost.aborted ? lease.lost.reason : error;
    }
  }

  private constructor(options: LinkOptions, places: Places, lease: Lease, stop: AbortSignal) {
    const { directory, elsewhere, warn } = options;
    const layout = layoutOf(directory);
    this.#options = options;
    this.#places = places;
    this.#lease = lease;
    this.stop = stop;
    this.over = AbortSignal.any([lease.lost, this.#worker.gone, this.#broken.signal]);
    this.shared = new StateShipping(layout, { ...places, lease, warn, failed: (why) => this.#broken.abort(why) });
    this.budget = createFleetBudget(places.database, (why) => this.#broken.abort(why));
    this.#kept = new KeptFiles(layout, places.store);
    this.elsewhere = this.#hasArchives ? elsewhere : both(this.#kept, elsewhere);
  }

  /** The archives of a backup have its items and media. */
  get #hasArchives(): boolean {
    return this.#options.command === "backup";
  }

  readonly gate = (): void => {
    this.#lease.assertWritable();
    this.over.throwIfAborted();
  };

  async close(mayBeActive: boolean): Promise<void> {
    const { database, store } = this.#places;
    this.#worker.close();
    try {
      await this.budget.close();
      if (this.over.aborted) return;
      await this.shared.leave();
      await this.#kept.removeUnused(this.shared.baseObject);
    } catch (error) {
      // The database has the whole state; only the next run is slower.
      this.#options.warn(`The end of this run for the fleet is not complete: ${messageOf(error)}`);
    } finally {
      await this.#lease.release(mayBeActive);
      store.close();
      await database.close();
    }
  }

  async #takeUp(): Promise<void> {
    const { directory, note } = this.#options;
    const started = performance.now();
    const how = await this.shared.takeUp();
    await this.#kept.takeUp(how === "restored" && !this.#hasArchives);
    if (how === "restored") {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      note(`Restored the state of this task from the fleet into ${directory}, in ${seconds} s.`);
    }
    if (how !== "new") await this.#awaitEarlierRequests(layoutOf(directory));
  }

  /** A request of a killed holder may still create what a search would not find yet. */
  async #awaitEarlierRequests(layout: Layout): Promise<void> {
    const wait = this.#lease.recoverIn;
    if (wait <= 0 || !hasPending(layout)) return;
    this.#options.note(
      `Another run of this task ended amid a write: waiting ${Math.ceil(wait / 1000)} s for what it sent.`,
    );
    await delay(wait, undefined, { signal: this.over }).catch(() => this.over.throwIfAborted());
  }
}

async function leaseOf(
  { environment }: LinkOptions,
  { database, task }: Places,
  onWanted: (wanted: Wanted) => void,
): Promise<Lease> {
  const holder = `${hostname()}/${environment[VARIABLES.run]?.slice(0, 8) ?? process.pid}`;
  const times = {
    ...milliseconds(environment, VARIABLES.lease, "length"),
    ...milliseconds(environment, VARIABLES.longestRequest, "longestRequest"),
  };
  const take = () => takeLease(database, { task, holder, onWanted, ...times });
  const taken = await take();
  if (!("holder" in taken)) return taken;
  // A killed holder does not renew it.
  await delay(taken.endsIn + GRACE);
  const again = await take();
  if (!("holder" in again)) return again;
  throw heldBy(again);
}

function milliseconds<Key extends string>(
  environment: Environment,
  name: string,
  key: Key,
): Partial<Record<Key, number>> {
  const seconds = Number(environment[name] || Number.NaN);
  const none: Partial<Record<Key, number>> = {};
  return seconds > 0 ? { ...none, [key]: seconds * 1000 } : none;
}

function heldBy({ holder }: Held): StoppedError {
  return new StoppedError(
    `The worker ${holder} runs this task and renews its lease. Nothing was done here. It is tried again later.`,
    { exitCode: EXIT.leaseLost },
  );
}

/** Is there an operation whose outcome is unknown, or a package that is being imported? */
function hasPending({ state }: Layout): boolean {
  const database = new Database(state, { readOnly: true });
  try {
    const sql = `SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'begun')
      OR EXISTS (SELECT 1 FROM earlier WHERE undone = 0 AND json_extract(sent, '$.again') = 1)
      OR EXISTS (SELECT 1 FROM module_import WHERE json_extract(body, '$.before') <> '[]') AS pending`;
    return database.get<{ readonly pending: number }>(sql)?.pending === 1;
  } finally {
    database.close();
  }
}

/** What the storage of the fleet has, and otherwise the archives. */
function both(kept: KeptFiles, archives: Elsewhere | undefined): Elsewhere {
  return {
    has: (sha256) => kept.has(sha256) || archives?.has(sha256) === true,
    open: (sha256) => (archives === undefined || kept.has(sha256) ? kept : archives).open(sha256),
    keep: kept.keep,
    ...(archives?.item === undefined ? {} : { item: archives.item.bind(archives) }),
  };
}

/** The channel to the worker that started this process, if one did. */
class WorkerChannel {
  readonly #gone = new AbortController();

  constructor() {
    if (process.send === undefined) return;
    process.once("disconnect", this.#end);
    if (!process.connected) this.#end();
  }

  /** Aborted when the worker has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  close(): void {
    process.off("disconnect", this.#end);
  }

  readonly #end = (): void => {
    const words = "The worker that started this run has ended, so the run ends too. All results so far are kept.";
    this.#gone.abort(new StoppedError(words, { exitCode: EXIT.leaseLost }));
  };
}
