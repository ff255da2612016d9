import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atOnce, parsed, Replay, type Sent } from "./replay.js";
import type { Exchange } from "./site-process.js";

// Copies a site with fetch and nothing else: reads what a recorded migration read into files, sends
// its writes, and reads the target as it did. It prints what it took without its start.

/** What the copy is told to do, and what it says about it. */
export interface CopyTask {
  /** Paths at the source. */
  readonly read: readonly string[];
  readonly writes: readonly Exchange[];
  readonly readBack: readonly Exchange[];
}

export interface Copied {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Requests that were answered otherwise than before. */
  readonly refused: number;
}

const [file = "", folder = "", source = "", sourceToken = "", target = "", token = "", many = "1"] =
  process.argv.slice(2);
const concurrency = Number(many);
const { read, writes, readBack }: CopyTask = JSON.parse(await readFile(file, "utf8"));
const begun = { at: performance.now(), cpu: process.cpuUsage() };

await atOnce(read, concurrency, async (path, at) => {
  const answer = await fetch(`${source}${path}`, { headers: { authorization: `api ${sourceToken}` } });
  await writeFile(join(folder, String(at)), Buffer.from(await answer.arrayBuffer()));
});
const replay = new Replay(token, async ({ path, method, headers, body }: Sent) => {
  const sent = body === null ? {} : { body: new Uint8Array(body) };
  const answer = await fetch(`${target}${path}`, { method, headers, ...sent });
  return { status: answer.status, json: parsed(await answer.text()) };
});
await replay.send(writes, concurrency);
await replay.send(readBack, concurrency);

const { user, system } = process.cpuUsage(begun.cpu);
const copied: Copied = {
  seconds: (performance.now() - begun.at) / 1000,
  cpuSeconds: (user + system) / 1e6,
  refused: replay.refused(),
};
process.stdout.write(JSON.stringify(copied));
