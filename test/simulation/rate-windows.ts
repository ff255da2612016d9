import type { Queries } from "../../src/fleet/database.js";
import { EventQueue, openVirtualDatabase, seededRandom } from "./virtual-fleet.js";

export interface RateScale {
  /** Requests per second of the budget of a vendor. */
  readonly rate: number;
  /** Runs that share it, each at a site of its own. */
  readonly sharers: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface RateFigures {
  readonly sent: number;
  /** Of what the rate allows while Postgres answers. */
  readonly used: number;
  /** Windows of a second with more requests than the rate. */
  readonly over: number;
  /** The most requests in a window of a second. */
  readonly most: number;
  readonly calls: number;
}

/** Milliseconds. */
const BEGIN = Date.UTC(2026, 2, 10, 1);
const WINDOW = 1000;
/** A granted start may be sent for so long: START_VALID in rate-budget.ts. */
const VALID = 2000;
const ASK_AGAIN = 50;
const AWAY = 5000;
/** Starts that a run fetches at once. */
const LOT = 4;
/** Of all starts: sent late, given back, and sent by a run that dies before it reports them. */
const LATE = 0.05;
const GIVEN_BACK = 0.03;
const DEATH = 0.01;

interface Sharer {
  readonly origin: string;
  reports: { readonly start: number; readonly began: number }[];
}

/**
 * Many runs take their starts from the budget of one vendor; Postgres crashes in the middle, which
 * empties the windows, and is away for 5 s.
 */
export async function simulateRate(address: string, scale: RateScale): Promise<RateFigures> {
  const { database, at } = await openVirtualDatabase(address, scale.seed);
  try {
    await database.query("INSERT INTO guideferry.budget (name, rate) VALUES ('vendor', $1)", [scale.rate]);
    await database.query(
      "INSERT INTO guideferry.origin SELECT 'https://site' || number, 'vendor' FROM generate_series(1, $1) AS number",
      [scale.sharers],
    );
    return await send(database, at, scale);
  } finally {
    await database.close();
  }
}

async function send(
  queries: Queries,
  at: (time: number) => Promise<void>,
  { rate, sharers, seconds, seed }: RateScale,
): Promise<RateFigures> {
  const random = seededRandom(seed);
  const events = new EventQueue();
  const sent: number[] = [];
  const crash = BEGIN + (seconds * 1000) / 2;
  let calls = 0;
  let begun: number | undefined;
  const ask = (sharer: Sharer, time: number): void =>
    events.plan(time, async () => {
      if (time >= crash && time < crash + AWAY) {
        ask(sharer, crash + AWAY + random() * ASK_AGAIN);
        return;
      }
      await at(time);
      calls += 1;
      const starts = await takeStarts(queries, sharer, rate);
      sharer.reports = [];
      let next = time + (starts.length === 0 ? Math.max(ASK_AGAIN, WINDOW / 8 / rate) * (1 + random()) : 0);
      for (const start of starts) {
        const fate = random();
        if (fate < GIVEN_BACK) {
          sharer.reports.push({ start, began: -1 });
          continue;
        }
        const delay = fate < GIVEN_BACK + LATE ? random() * VALID : random() * 5;
        const moment = Math.min(Math.max(time, start / 1000) + delay, start / 1000 + VALID);
        sent.push(moment);
        begun ??= moment;
        if (fate > 1 - DEATH) {
          // Another run goes on at the site.
          sharer.reports = [];
          break;
        }
        sharer.reports.push({ start, began: Math.ceil(moment * 1000) });
        next = Math.max(next, moment);
      }
      ask(sharer, next + 1);
    });
  events.plan(crash, async () => {
    await queries.query("TRUNCATE guideferry.rate_window");
  });
  for (let number = 1; number <= sharers; number += 1) {
    ask({ origin: `https://site${number}`, reports: [] }, BEGIN + random() * ASK_AGAIN);
  }
  const end = BEGIN + seconds * 1000;
  for (let event = events.next(); event !== undefined && event.time < end; event = events.next()) await event.act();
  const windows = windowsOf(sent);
  return {
    sent: sent.length,
    used: sent.length / ((rate * (end - (begun ?? BEGIN) - AWAY)) / 1000),
    over: windows.filter((count) => count > rate).length,
    most: Math.max(0, ...windows),
    calls,
  };
}

async function takeStarts(queries: Queries, { origin, reports }: Sharer, rate: number): Promise<readonly number[]> {
  const [row] = await queries.query<{ readonly granted: readonly string[] }>(
    "SELECT granted FROM guideferry.take_starts($1, $2, $3, $4, $5, 0, false, NULL, NULL, NULL, 0)",
    [origin, rate, LOT, reports.map(({ start }) => start), reports.map(({ began }) => began)],
  );
  return (row?.granted ?? []).map(Number);
}

/** The requests in the second that begins with each request. */
function windowsOf(sent: readonly number[]): readonly number[] {
  const sorted = sent.toSorted((one, other) => one - other);
  let end = 0;
  return sorted.map((begin, index) => {
    while ((sorted[end] ?? Number.POSITIVE_INFINITY) < begin + WINDOW) end += 1;
    return end - index;
  });
}
