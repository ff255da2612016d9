import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillWorkspace } from "../../helpers/fill-workspace.js";
import { printTable, seconds } from "../backup/print-table.js";
import { run, runGuideferry, type Took } from "../backup/run.js";
import { type Exchange, type SiteProcess, startSite } from "./site-process.js";

const REPLAY = fileURLToPath(new URL("replay-child.js", import.meta.url));
const DELAY = 25;

interface Round {
  readonly took: Took;
  /** From the first write's arrival to the last one's answer. */
  readonly writing: number;
  readonly writes: readonly Exchange[];
}

/**
 * Loads guides into a site that answers after 25 ms, and posts the same bodies with bare undici;
 * the middle of some rounds.
 */
export async function benchLoad(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [guides, rounds] = [Number(environment["GUIDES"] ?? 300), Number(environment["ROUNDS"] ?? 3)];
  const concurrency = Number(environment["CONCURRENCY"] ?? 8);
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    const ours: Round[] = [];
    const theirs: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const workspace = join(folder, `workspace-${round}`);
      await fillWorkspace(workspace, guides);
      const loaded = await atSite((site) => loadInto(site, workspace, concurrency));
      ours.push(loaded);
      theirs.push(await atSite((site) => replayAt(site, loaded.writes, folder, concurrency)));
    }
    report(ours, theirs, { guides, concurrency, rounds });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function atSite(work: (site: SiteProcess) => Promise<Took>): Promise<Round> {
  const site = await startSite({ delay: DELAY });
  try {
    const took = await work(site);
    const writes = (await site.passed()).filter(({ method }) => method !== "GET");
    const [begun, ended] = [Math.min(...writes.map((one) => one.begun)), Math.max(...writes.map((one) => one.ended))];
    return { took, writing: (ended - begun) / 1000, writes };
  } finally {
    await site.close();
  }
}

function loadInto(site: SiteProcess, workspace: string, concurrency: number): Promise<Took> {
  const environment = { GUIDEFERRY_TARGET_TOKEN: site.token, XDG_STATE_HOME: workspace };
  return runGuideferry(["load", workspace, site.door, "--concurrency", String(concurrency), "--quiet"], {
    environment,
  });
}

async function replayAt(site: SiteProcess, writes: readonly Exchange[], folder: string, concurrency: number) {
  const file = join(folder, "writes.json");
  await writeFile(file, JSON.stringify(writes));
  const took = await run(process.execPath, [REPLAY, file, site.door, site.token, String(concurrency)]);
  const other = Number(took.output);
  if (other > 0) process.stdout.write(`${other} of ${writes.length} requests were answered otherwise than before.\n`);
  return took;
}

function report(ours: readonly Round[], theirs: readonly Round[], facts: Readonly<Record<string, number>>): void {
  const [own, peer] = [middle(ours), middle(theirs)];
  const { guides, concurrency, rounds } = facts;
  process.stdout.write(
    `${guides} guides, ${own.writes.length} writes, ${DELAY} ms an answer, ${concurrency} at a time, the middle of ${rounds} rounds\n\n`,
  );
  const rate = ({ writes, writing }: Round): number => writes.length / writing;
  const row = (name: string, round: Round) => [
    name,
    rate(round).toFixed(0),
    `${((100 * rate(round)) / rate(peer)).toFixed(0)} %`,
    seconds(round.writing),
    seconds(round.took.seconds),
    seconds(round.took.cpuSeconds),
  ];
  const head = ["posted by", "writes/s", "of undici's", "first to last write", "whole process", "CPU"];
  printTable(head, [row("guideferry load", own), row("undici", peer)]);
}

function middle(rounds: readonly Round[]): Round {
  const found = rounds.toSorted((one, other) => one.writing - other.writing)[Math.floor((rounds.length - 1) / 2)];
  if (found === undefined) throw new Error("Nothing was run.");
  return found;
}
