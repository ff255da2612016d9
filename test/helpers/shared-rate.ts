import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { migrateTables, openDatabase } from "../../src/fleet/database.js";
import { type BuiltChild, runBuilt } from "./built-code.js";
import { listen } from "./local-server.js";
import type { PostgresServer } from "./postgres-server.js";

/** One request: it was sent between the two, in milliseconds by the clock of the machine's start. */
export interface Sent {
  readonly begun: number;
  readonly arrived: number;
}

export interface Senders {
  readonly children: readonly BuiltChild[];
  /** Milliseconds by the clock of the machine's start. */
  now(): number;
  arrivals(): readonly number[];
  /** Ends them, and returns the windows of a second in which surely more than `rate` were sent. */
  end(): Promise<{ readonly over: number; readonly sent: number }>;
}

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Processes that send as many requests as the rate of the fleet allows to a server that records
 * them. A request counts for the whole time between the turn of its sender's queue and its arrival,
 * so a busy machine makes no window look fuller.
 */
export async function startSenders(postgres: PostgresServer, rate: number, processes: number): Promise<Senders> {
  const database = await openDatabase(postgres.address);
  await migrateTables(database);
  await database.close();
  const arrived = new Map<string, number>();
  const begun = new Map<string, number>();
  const server = createServer((request, response) => {
    arrived.set(request.url ?? "", now());
    response.setHeader("content-type", "application/json");
    request.resume().on("end", () => response.end("{}"));
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const children = Array.from({ length: processes }, (_, index) =>
    runBuilt(sender({ address: postgres.address, origin, rate, name: `s${index}` })),
  );
  onTestFinished(() => {
    for (const child of children) child.process.kill("SIGKILL");
  });
  const reading = children.map(async ({ lines }) => {
    for await (const line of lines) {
      const [path = "", time = ""] = line.split(" ");
      begun.set(path, Number(time));
    }
  });
  return {
    children,
    now,
    arrivals: () => [...arrived.values()],
    end: async () => {
      for (const child of children) child.process.kill("SIGKILL");
      await Promise.all(reading);
      // What was on its way when its sender ended.
      await sleep(100);
      const sent = [...arrived].map(([path, time]) => ({ begun: begun.get(path) ?? time, arrived: time }));
      return { over: windowsOver(sent, rate), sent: sent.length };
    },
  };
}

/** Windows of a second with more requests than the rate that surely lie in it as a whole. */
export function windowsOver(sent: readonly Sent[], rate: number): number {
  const sorted = sent.toSorted((one, other) => one.begun - other.begun);
  const isOver = ({ begun }: Sent, index: number): boolean => {
    let count = 0;
    for (let at = index; at < sorted.length; at += 1) {
      const one = sorted[at];
      if (one === undefined || one.begun >= begun + 1000) break;
      if (one.arrived < begun + 1000) count += 1;
    }
    return count > rate;
  };
  return sorted.filter(isOver).length;
}

interface Sender {
  readonly address: string;
  readonly origin: string;
  readonly rate: number;
  readonly name: string;
}

/** Prints the path and the time of each request at its turn. */
function sender({ address, origin, rate, name }: Sender): string {
  return `
    import { writeSync } from "node:fs";
    import { openDatabase } from "./src/fleet/database.js";
    import { createFleetBudget } from "./src/fleet/rate-budget.js";
    import { createStack } from "./src/service/http/stack.js";
    const database = await openDatabase("${address}");
    const budget = createFleetBudget(database, (error) => { throw error; });
    const observe = ({ url }) => {
      writeSync(1, url.pathname + " " + Number(process.hrtime.bigint()) / 1e6 + "\\n");
      return () => undefined;
    };
    const { client } = createStack({
      root: "${origin}", credentials: { kind: "none" }, variables: "GUIDEFERRY_SOURCE",
      concurrency: 8, environment: {}, rate: ${rate}, budget, observe,
    });
    const { signal } = new AbortController();
    let count = 0;
    const send = async () => {
      // A path is used once: a repetition would replace its time.
      for (;;) await client.get("${name}-" + ++count, {}, signal).catch((error) => console.error(error.message));
    };
    await Promise.all(Array.from({ length: 8 }, send));
  `;
}
