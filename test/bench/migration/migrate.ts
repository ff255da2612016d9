import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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

interface Migrated {
  readonly took: Took;
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
      const ours: Took[] = [];
      const theirs: Copied[] = [];
      for (let round = 0; round < sizes.rounds; round += 1) {
        const migrated = await migrate(setting);
        ours.push(migrated.took);
        theirs.push(await copy(setting, migrated));
        if (round === 0) describe(migrated, setting, sizes.guides);
      }
      report(middle(ours), middle(theirs));
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
    const took = await runGuideferry([...words, "--quiet"], { environment });
    return { took, read: await source.passed(), there: await target.passed() };
  } finally {
    await target.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

async function copy(setting: Setting, { read, there }: Migrated): Promise<Copied> {
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
    const { output } = await run(process.execPath, [COPY, task, files, ...sites, concurrency]);
    const copied: Copied = JSON.parse(output);
    if (copied.refused > 0) process.stdout.write(`${copied.refused} requests were answered otherwise than before.\n`);
    return copied;
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

function report(own: Took, bare: Copied): void {
  const row = (name: string, { seconds: wall, cpuSeconds }: Omit<Copied, "refused">, peak?: number) => [
    name,
    `${seconds(wall)} (${times(wall, bare.seconds)})`,
    `${seconds(cpuSeconds)} (${times(cpuSeconds, bare.cpuSeconds)})`,
    megabytes(peak),
  ];
  const rows = [row("guideferry migrate", own, own.peakBytes), row("fetch, nothing else", bare)];
  printTable(["copied by", "wall", "CPU", "most memory"], rows);
}

function middle<T extends { readonly cpuSeconds: number }>(runs: readonly T[]): T {
  const found = runs.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds)[Math.floor((runs.length - 1) / 2)];
  if (found === undefined) throw new Error("Nothing was run.");
  return found;
}
