import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytes, printTable, seconds, times } from "../backup/print-table.js";
import { run, runGuideferry, type Took } from "../backup/run.js";
import { writeSite } from "../backup/site-folder.js";
import { sizesOf } from "../backup/sizes.js";
import type { Copied, CopyTask } from "./copy-child.js";
import { type Exchange, type SiteProcess, startSite } from "./site-process.js";

const COPY = fileURLToPath(new URL("copy-child.js", import.meta.url));

interface Setting {
  readonly folder: string;
  readonly source: SiteProcess;
  readonly concurrency: string;
  /** Milliseconds. */
  readonly delay: number;
}

/** What a program took, and what its two sites took meanwhile. */
interface Spent {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly sitesCpuSeconds: number;
}

interface Migrated {
  readonly took: Took & Spent;
  /** Of the source and of the target, in the order of their answers. */
  readonly read: readonly Exchange[];
  readonly there: readonly Exchange[];
}

/**
 * Migrates a site between two sites that answer late, and sends the same requests with fetch and
 * no checkpoints; the middle of some rounds, by processor time.
 */
export async function benchMigrate(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const sizes = sizesOf({ GUIDES: "200", MEDIA: "2260", MEDIA_BYTES: "10000", ...environment });
  const [concurrency, delay] = [environment["CONCURRENCY"] ?? "16", Number(environment["DELAY"] ?? 20)];
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    await writeSite(join(folder, "site"), sizes);
    const source = await startSite({ folder: join(folder, "site"), delay });
    try {
      const setting = { folder, source, concurrency, delay };
      const ours: Migrated["took"][] = [];
      const theirs: Spent[] = [];
      let requests = 0;
      for (let round = 0; round < sizes.rounds; round += 1) {
        const migrated = await migrate(setting);
        ours.push(migrated.took);
        theirs.push(await copy(setting, migrated));
        if (round === 0) describe(migrated, setting, sizes.guides);
        requests = migrated.read.length + migrated.there.length;
      }
      report(middle(ours), middle(theirs));
      reportLeast(middle(ours), middle(theirs), (requests * delay) / 1000 / Number(concurrency));
    } finally {
      await source.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function migrate({ folder, source, concurrency, delay }: Setting): Promise<Migrated> {
  const target = await startSite({ delay });
  const workspace = join(folder, "workspace");
  try {
    await source.passed();
    const environment = {
      GUIDEFERRY_SOURCE_TOKEN: source.token,
      GUIDEFERRY_TARGET_TOKEN: target.token,
      XDG_STATE_HOME: workspace,
    };
    const words = ["migrate", source.door, target.door, "--workspace", workspace, "--concurrency", concurrency];
    const before = await cpuOf(source, target);
    const took = await runGuideferry([...words, "--quiet"], { environment });
    const sitesCpuSeconds = (await cpuOf(source, target)) - before;
    return { took: { ...took, sitesCpuSeconds }, read: await source.passed(), there: await target.passed() };
  } finally {
    await target.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

async function cpuOf(...sites: readonly SiteProcess[]): Promise<number> {
  const each = await Promise.all(sites.map((site) => site.cpuSeconds()));
  return each.reduce((sum, one) => sum + one, 0);
}

async function copy(setting: Setting, { read, there }: Migrated): Promise<Spent> {
  const { folder, source, concurrency, delay } = setting;
  const target = await startSite({ delay });
  const [task, files] = [join(folder, "task.json"), join(folder, "files")];
  const isRead = ({ method }: Exchange): boolean => method === "GET";
  const told: CopyTask = {
    read: read.map(({ url }) => url),
    writes: there.filter((exchange) => !isRead(exchange)),
    readBack: there.filter(isRead),
  };
  try {
    await mkdir(files);
    await writeFile(task, JSON.stringify(told));
    const sites = [source.door, source.token, target.door, target.token];
    const before = await cpuOf(source, target);
    const { output } = await run(process.execPath, [COPY, task, files, ...sites, concurrency]);
    const copied: Copied = JSON.parse(output);
    if (copied.refused > 0) process.stdout.write(`${copied.refused} requests were answered otherwise than before.\n`);
    return { ...copied, sitesCpuSeconds: (await cpuOf(source, target)) - before };
  } finally {
    await target.close();
    await rm(files, { recursive: true });
  }
}

function describe({ read, there }: Migrated, { concurrency, delay }: Setting, guides: number): void {
  const writes = there.filter(({ method }) => method !== "GET").length;
  process.stdout.write(
    `${guides} guides, ${read.length} requests to the source, ${writes} writes and ${there.length - writes} reads at the target, ` +
      `${delay} ms an answer, ${concurrency} at a time\n\n`,
  );
}

function report(own: Migrated["took"], bare: Spent): void {
  const row = (name: string, { seconds: wall, cpuSeconds }: Spent, peak?: number) => [
    name,
    `${seconds(wall)} (${times(wall, bare.seconds)})`,
    `${seconds(cpuSeconds)} (${times(cpuSeconds, bare.cpuSeconds)})`,
    megabytes(peak),
  ];
  const rows = [row("guideferry migrate", own, own.peakBytes), row("fetch, nothing else", bare)];
  printTable(["copied by", "wall", "CPU", "most memory"], rows);
}

/** The bounds below which no program gets on this machine, and what each program took. */
function reportLeast(own: Spent, bare: Spent, waiting: number): void {
  const cores = availableParallelism();
  const busy = ({ sitesCpuSeconds, cpuSeconds }: Spent): number => (sitesCpuSeconds + cpuSeconds) / cores;
  const row = (name: string, of: (spent: Spent) => number) => [name, seconds(of(own)), seconds(of(bare))];
  const rows = [
    row("waiting: requests × latency / at a time", () => waiting),
    row("CPU of the two sites", ({ sitesCpuSeconds }) => sitesCpuSeconds),
    row("CPU of the program", ({ cpuSeconds }) => cpuSeconds),
    row(`least wall time: both CPUs / ${cores} cores`, busy),
    row("wall time", (spent) => spent.seconds),
    ["0.9 of the copy's wall time", seconds(0.9 * bare.seconds), ""],
  ];
  printTable(["", "guideferry migrate", "fetch, nothing else"], rows);
}

function middle<T extends { readonly cpuSeconds: number }>(runs: readonly T[]): T {
  const found = runs.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds)[Math.floor((runs.length - 1) / 2)];
  if (found === undefined) throw new Error("Nothing was run.");
  return found;
}
