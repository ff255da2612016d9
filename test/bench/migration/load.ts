import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillWorkspace } from "../../helpers/fill-workspace.js";
import { printTable, seconds } from "../backup/print-table.js";
import { run, runGuideferry, type Took } from "../backup/run.js";
import { type Exchange, type SiteProcess, startSite } from "./site-process.js";

const REPLAY = fileURLToPath(new URL("replay-child.js", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor-child.js", import.meta.url));
/** Milliseconds until the site answers. */
const DELAY = "25";

interface Round {
  readonly took: Took;
  /** From the first write's arrival to the last one's answer. */
  readonly writing: number;
  readonly writes: readonly Exchange[];
}

type Programs = Readonly<Record<"guideferry load" | "floor" | "undici", Round[]>>;

/**
 * Loads guides into a site that answers after 25 ms. The same bodies are posted by a program that
 * does only what the load protocol makes unavoidable, and by bare undici; the middle of some rounds.
 */
export async function benchLoad(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [guides, rounds] = [Number(environment["GUIDES"] ?? 300), Number(environment["ROUNDS"] ?? 3)];
  const concurrency = Number(environment["CONCURRENCY"] ?? 8);
  const delay = Number(environment["DELAY"] ?? DELAY);
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    const programs: Programs = { "guideferry load": [], floor: [], undici: [] };
    for (let round = 0; round < rounds; round += 1) {
      const workspace = join(folder, `workspace-${round}`);
      await fillWorkspace(workspace, guides);
      const loaded = await atSite(delay, (site) => loadInto(site, workspace, concurrency));
      const file = join(folder, "writes.json");
      await writeFile(file, JSON.stringify(loaded.writes));
      const state = join(workspace, "state.sqlite");
      const scratch = await mkdtemp(join(folder, "floor-"));
      programs["guideferry load"].push(loaded);
      programs.floor.push(await replayed(FLOOR, [file, state, scratch], { concurrency, delay }));
      programs.undici.push(await replayed(REPLAY, [file], { concurrency, delay }));
      await rm(workspace, { recursive: true });
    }
    report(programs, { guides, concurrency, delay, rounds });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function atSite(delay: number, work: (site: SiteProcess) => Promise<Took>): Promise<Round> {
  const site = await startSite({ delay });
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

interface Setting {
  readonly concurrency: number;
  readonly delay: number;
}

function replayed(script: string, words: readonly string[], { concurrency, delay }: Setting): Promise<Round> {
  return atSite(delay, async (site) => {
    const took = await run(process.execPath, [script, ...words, site.door, site.token, String(concurrency)]);
    const other = Number(took.output);
    if (other > 0) process.stdout.write(`${other} requests were answered otherwise than before.\n`);
    return took;
  });
}

/** Shares are those of each round, whose programs ran one after the other: the middle, then all. */
function report(programs: Programs, { guides, concurrency, delay, rounds }: Readonly<Record<string, number>>): void {
  const { floor, undici } = programs;
  const { writes } = middle(programs["guideferry load"]);
  process.stdout.write(
    `${guides} guides, ${writes.length} writes, ${delay} ms an answer, ${concurrency} at a time, ${rounds} rounds\n\n`,
  );
  const rows = Object.entries(programs).map(([name, all]) => {
    const { took, writing, writes: sent } = middle(all);
    return [
      name,
      (sent.length / writing).toFixed(0),
      shares(all, floor, rate, "%"),
      shares(all, undici, rate, "%"),
      seconds(writing),
      seconds(took.seconds),
      seconds(took.cpuSeconds),
      `${((1000 * took.cpuSeconds) / sent.length).toFixed(2)} ms`,
      shares(all, floor, cpuSeconds, "×"),
      shares(all, undici, cpuSeconds, "×"),
    ];
  });
  const rates = ["posted by", "writes/s", "of the floor's", "of undici's", "first to last write", "whole process"];
  printTable([...rates, "CPU", "a write", "to the floor's", "to undici's"], rows);
}

function rate({ writes, writing }: Round): number {
  return writes.length / writing;
}

function cpuSeconds({ took }: Round): number {
  return took.cpuSeconds;
}

function shares(all: readonly Round[], others: readonly Round[], of: (round: Round) => number, as: "%" | "×"): string {
  const each = all.map((round, at) => of(round) / of(others[at] ?? round)).sort((one, other) => one - other);
  const text = (share = 1): string => (as === "%" ? (100 * share).toFixed(0) : share.toFixed(2));
  const middleOne = text(each[Math.floor((each.length - 1) / 2)]);
  const list = each.map((share) => text(share)).join(", ");
  return `${as === "%" ? `${middleOne} %` : `×${middleOne}`}${all === others ? "" : ` (${list})`}`;
}

function middle(rounds: readonly Round[]): Round {
  const found = rounds.toSorted((one, other) => one.writing - other.writing)[Math.floor((rounds.length - 1) / 2)];
  if (found === undefined) throw new Error("Nothing was run.");
  return found;
}
