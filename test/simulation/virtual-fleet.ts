import { type FleetDatabase, migrateTables, openDatabase } from "../../src/fleet/database.js";

/** A database whose clock is that of the simulation. */
export interface VirtualDatabase {
  readonly database: FleetDatabase;
  /** Sets the clock of the server: milliseconds since 1970, exact to a microsecond. */
  at(time: number): Promise<void>;
}

/**
 * What the SQL of the fleet and of pg-boss asks the server for, in a schema that is looked up before
 * pg_catalog: the statements stay as they are. `current_timestamp` and its like are keywords and
 * keep the real clock; neither uses them where a time matters. The ids of jobs decide between jobs
 * of the same age, so they follow the seed too.
 */
const CLOCK = `
  CREATE SCHEMA simulation;
  CREATE FUNCTION simulation.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT pg_catalog.to_timestamp(pg_catalog.current_setting('simulation.now')::float8 / 1000) $$;
  CREATE FUNCTION simulation.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT pg_catalog.to_timestamp(pg_catalog.current_setting('simulation.now')::float8 / 1000) $$;
  CREATE FUNCTION simulation.gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.md5(pg_catalog.random()::text)::uuid $$;
`;

/** Creates the tables of a fleet under a virtual clock in an empty database. */
export async function openVirtualDatabase(address: string, seed: number): Promise<VirtualDatabase> {
  const url = new URL(address);
  // Nothing has to outlive the simulation.
  const settings = ["search_path=simulation,guideferry,pg_catalog", "simulation.now=0", "synchronous_commit=off"];
  url.searchParams.set("options", settings.map((setting) => `-c ${setting}`).join(" "));
  // The clock belongs to a connection, so there is one. A statement must never wait for another.
  const database = await openDatabase(url.href, { connections: 1, statementTimeout: 120_000 });
  await database.query(CLOCK);
  await database.query("SELECT setseed($1)", [(seed % 1000) / 1000]);
  await migrateTables(database);
  let set = 0;
  return {
    database,
    at: async (time) => {
      if (time === set) return;
      set = time;
      await database.query("SELECT set_config('simulation.now', $1, false)", [String(time)]);
    },
  };
}

/** What happens later, in the order of its time, and of its planning at the same time. */
export class EventQueue {
  readonly #heap: Event[] = [];
  #planned = 0;

  plan(time: number, act: () => Promise<void> | void): void {
    this.#planned += 1;
    const event = { time, place: this.#planned, act };
    let at = this.#heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapUnlessOrdered(parent, at)) break;
      at = parent;
    }
  }

  /** Removes the next one; undefined: none is left. */
  next(): Event | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || last === first) return first;
    this.#heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const [one, other] = [this.#heap[left], this.#heap[left + 1]];
      if (one === undefined) return first;
      const child = other !== undefined && isBefore(other, one) ? left + 1 : left;
      if (!this.#swapUnlessOrdered(at, child)) return first;
      at = child;
    }
  }

  #swapUnlessOrdered(parent: number, child: number): boolean {
    const [upper, lower] = [this.#heap[parent], this.#heap[child]];
    if (upper === undefined || lower === undefined || isBefore(upper, lower)) return false;
    this.#heap[parent] = lower;
    this.#heap[child] = upper;
    return true;
  }
}

interface Event {
  readonly time: number;
  readonly place: number;
  readonly act: () => Promise<void> | void;
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.place < other.place);
}

/** Numbers from 0 to below 1, the same for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
