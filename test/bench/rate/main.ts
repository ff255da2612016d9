import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Long enough for several windows of ten seconds. */
const SECONDS = Number(process.env["RATE_BENCH_SECONDS"] ?? 13);
const RATES = [5, 20, 60, 200];
const LATENCIES = [0, 150];

interface Case {
  readonly rate: number;
  /** Milliseconds. */
  readonly latency: number;
  /** Other processes work on every core. */
  readonly busy: boolean;
  /** Processes that share the rate. */
  readonly clients: number;
}

/**
 * How a site that counts arrivals sees a rate: the most in any second and in any ten as multiples
 * of it, and how much of it is used.
 */
export async function benchRate(): Promise<void> {
  const cases: readonly Case[] = [
    ...RATES.flatMap((rate) =>
      LATENCIES.flatMap((latency) => [false, true].map((busy) => ({ rate, latency, busy, clients: 1 }))),
    ),
    ...[20, 60].map((rate) => ({ rate, latency: 0, busy: false, clients: 3 })),
  ];
  console.log(
    "rate/s | latency ms | machine | processes | arrived in any 1 s | in any 10 s | started in any 1 s | used",
  );
  for (const each of cases) {
    const { arrivals, starts } = await measure(each);
    const most = (times: readonly number[], window: number) => (mostIn(times, window) * 1000) / window / each.rate;
    const shares = [most(arrivals, 1000).toFixed(2), most(arrivals, 10_000).toFixed(3), most(starts, 1000).toFixed(2)];
    const used = ((arrivals.length - 1) * 1000) / ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / each.rate;
    const { rate, latency, busy, clients } = each;
    console.log(
      [rate, latency, busy ? "busy" : "idle", clients, ...shares, `${(used * 100).toFixed(1)} %`].join(" | "),
    );
  }
}

/**
 * What started is what the program counts; where more arrives than starts in a second, the machine
 * held requests up on their way.
 */
async function measure({ rate, latency, busy, clients }: Case) {
  const base = mkdtempSync(join(tmpdir(), "guideferry-rate-"));
  const server = fork(script("server.js"), [String(latency)]);
  preferred(server);
  const spinning = busy ? Array.from({ length: 2 }, spin) : [];
  try {
    const [port] = await once(server, "message");
    const words = [String(port), String(rate), String(SECONDS * 1000), clients > 1 ? base : ""];
    const told = await Promise.all(
      Array.from({ length: clients }, () => once(fork(script("client.js"), words), "message")),
    );
    const starts = (told as [number[]][]).flatMap(([times]) => times).toSorted((one, other) => one - other);
    server.send("report");
    const [arrivals] = (await once(server, "message")) as [number[]];
    return { arrivals, starts };
  } finally {
    for (const process of [server, ...spinning]) process.kill("SIGKILL");
    rmSync(base, { recursive: true, force: true });
  }
}

/**
 * A server that waits for a processor stamps several arrivals at once, and shows a burst that no
 * client sent.
 */
function preferred({ pid }: ChildProcess): void {
  try {
    setPriority(pid ?? 0, constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    console.log(`The server has no priority, so its stamps may come late on a busy machine: ${String(error)}`);
  }
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function spin(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;) Math.random()"], { stdio: "ignore" });
}

/** The largest number in any window of so many milliseconds. */
function mostIn(times: readonly number[], window: number): number {
  let first = 0;
  return times.reduce((most, time, at) => {
    while ((times[first] ?? time) <= time - window) first += 1;
    return Math.max(most, at - first + 1);
  }, 0);
}
