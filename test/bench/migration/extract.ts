import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytes, printTable, seconds, times } from "../backup/print-table.js";
import { isThere, run, runGuideferry, runNode, type Took } from "../backup/run.js";
import { writeSite } from "../backup/site-folder.js";
import { type Sizes, sizesOf } from "../backup/sizes.js";
import { type SiteProcess, startSite } from "./site-process.js";

const FETCH = fileURLToPath(new URL("fetch-child.js", import.meta.url));

/**
 * A second site with so much less: what the rest costs more is the cost of its guides, without that
 * of starting.
 */
const PART = 10;

interface Readers {
  readonly ours: Took[];
  readonly bare: Took[];
  readonly theirs: Took[];
}

/**
 * Extracts a site, and fetches the same addresses with parallel curl into as many files; the middle
 * of some rounds, by processor time.
 */
export async function benchExtract(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const sizes = sizesOf({ GUIDES: "1000", MEDIA: "3000", ...environment });
  const concurrency = environment["CONCURRENCY"] ?? "8";
  if (!(await isThere("curl"))) process.stdout.write("curl is not installed: guideferry reads alone.\n");
  const few = { ...sizes, guides: Math.ceil(sizes.guides / PART), media: Math.ceil(sizes.media / PART) };
  report(await read(few, concurrency), await read(sizes, concurrency), sizes.guides - few.guides);
}

async function read(sizes: Sizes, concurrency: string): Promise<Readers> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    await writeSite(join(folder, "site"), sizes);
    const site = await startSite({ folder: join(folder, "site") });
    try {
      return await readInTurns(site, folder, sizes, concurrency);
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readInTurns(site: SiteProcess, folder: string, sizes: Sizes, concurrency: string): Promise<Readers> {
  const hasCurl = await isThere("curl");
  const readers: Readers = { ours: [], bare: [], theirs: [] };
  for (let round = 0; round < sizes.rounds; round += 1) {
    const before = (await site.paths()).length;
    const workspace = join(folder, `workspace-${round}`);
    readers.ours.push(await extractFrom(site, workspace, concurrency));
    const asked = (await site.paths()).slice(before);
    const addresses = asked.map(({ isApi, path, query }) => addressOf(site, isApi, path, query));
    readers.bare.push(await undici(addresses, site.token, join(folder, `undici-${round}`), concurrency));
    if (hasCurl) readers.theirs.push(await curl(addresses, site.token, join(folder, `curl-${round}`), concurrency));
    if (round === 0) process.stdout.write(`${addresses.length} requests for ${sizes.guides} guides\n`);
    await rm(workspace, { recursive: true });
  }
  return readers;
}

function extractFrom(site: SiteProcess, workspace: string, concurrency: string): Promise<Took> {
  const environment = { GUIDEFERRY_SOURCE_TOKEN: site.token, XDG_STATE_HOME: workspace };
  const words = ["extract", site.direct, "--workspace", workspace, "--concurrency", concurrency, "--quiet"];
  return runGuideferry(words, { environment });
}

function addressOf({ direct }: SiteProcess, isApi: boolean, path: string, query: string): string {
  return `${direct}${isApi ? "/api/2.0" : ""}${path}${query === "" ? "" : `?${query}`}`;
}

async function undici(addresses: readonly string[], token: string, folder: string, concurrency: string): Promise<Took> {
  await mkdir(folder);
  const list = join(folder, "list.json");
  await writeFile(list, JSON.stringify(addresses));
  const took = await runNode(FETCH, [list, token, folder, concurrency]);
  await rm(folder, { recursive: true });
  return took;
}

async function curl(addresses: readonly string[], token: string, folder: string, concurrency: string): Promise<Took> {
  await mkdir(folder);
  const config = join(folder, "config");
  const lines = addresses.flatMap((address, at) => [`url = "${address}"`, `output = "${join(folder, String(at))}"`]);
  await writeFile(config, [`header = "Authorization: api ${token}"`, "globoff", ...lines].join("\n"));
  const words = ["--silent", "--parallel", "--parallel-max", concurrency, "--config", config];
  const took = await run("curl", words);
  await rm(folder, { recursive: true });
  return took;
}

function report(few: Readers, all: Readers, more: number): void {
  const rows = NAMES.flatMap(([name, reader]) => {
    const took = middle(all[reader]);
    const each = eachOf(few, all, reader, more);
    if (took === undefined || each === undefined) return [];
    return [
      [
        name,
        `${seconds(took.cpuSeconds)} (${times(took.cpuSeconds, middle(all.theirs)?.cpuSeconds)})`,
        `${each.toFixed(2)} ms (${times(each, eachOf(few, all, "theirs", more))})`,
        seconds(took.seconds),
        megabytes(took.peakBytes),
      ],
    ];
  });
  process.stdout.write("\n");
  printTable(["read by", "CPU", "CPU a guide more", "wall", "most memory"], rows);
}

const NAMES = [
  ["guideferry extract", "ours"],
  ["undici, nothing else", "bare"],
  ["curl --parallel", "theirs"],
] as const satisfies readonly (readonly [string, keyof Readers])[];

/** Milliseconds of processor time that a guide costs beside the start, with its pictures. */
function eachOf(few: Readers, all: Readers, reader: keyof Readers, more: number): number | undefined {
  const [less, whole] = [middle(few[reader]), middle(all[reader])];
  return less === undefined || whole === undefined ? undefined : (1000 * (whole.cpuSeconds - less.cpuSeconds)) / more;
}

/** By processor time: the other programs of the machine lengthen the rest far more. */
function middle(runs: readonly Took[]): Took | undefined {
  return runs.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds)[Math.floor((runs.length - 1) / 2)];
}
