import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytes, printTable, seconds, times } from "../backup/print-table.js";
import { isThere, median, run, runGuideferry, runNode, type Took } from "../backup/run.js";
import { writeSite } from "../backup/site-folder.js";
import { sizesOf } from "../backup/sizes.js";
import { type SiteProcess, startSite } from "./site-process.js";

const FETCH = fileURLToPath(new URL("fetch-child.js", import.meta.url));

/** Extracts a site, and fetches the same addresses with parallel curl into as many files; the middle of some rounds. */
export async function benchExtract(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const sizes = { ...sizesOf({ GUIDES: "1000", MEDIA: "3000", ...environment }) };
  const concurrency = environment["CONCURRENCY"] ?? "8";
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    await writeSite(join(folder, "site"), sizes);
    const site = await startSite({ folder: join(folder, "site") });
    try {
      const hasCurl = await isThere("curl");
      if (!hasCurl) process.stdout.write("curl is not installed: guideferry reads alone.\n");
      const [ours, bare, theirs]: [Took[], Took[], Took[]] = [[], [], []];
      for (let round = 0; round < sizes.rounds; round += 1) {
        const before = (await site.paths()).length;
        const workspace = join(folder, `workspace-${round}`);
        ours.push(await extractFrom(site, workspace, concurrency));
        const asked = (await site.paths()).slice(before);
        const addresses = asked.map(({ isApi, path, query }) => addressOf(site, isApi, path, query));
        bare.push(await undici(addresses, site.token, join(folder, `undici-${round}`), concurrency));
        if (hasCurl) theirs.push(await curl(addresses, site.token, join(folder, `curl-${round}`), concurrency));
        if (round === 0) process.stdout.write(`${addresses.length} requests for ${sizes.guides} guides\n\n`);
        await rm(workspace, { recursive: true });
      }
      report(ours, bare, theirs);
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

function report(ours: readonly Took[], bare: readonly Took[], theirs: readonly Took[]): void {
  const peer = theirs.length === 0 ? undefined : median(theirs);
  const row = (name: string, took: Took) => [
    name,
    `${seconds(took.cpuSeconds)} (${times(took.cpuSeconds, peer?.cpuSeconds)})`,
    `${seconds(took.seconds)} (${times(took.seconds, peer?.seconds)})`,
    megabytes(took.peakBytes),
  ];
  const own = [row("guideferry extract", median(ours)), row("undici, nothing else", median(bare))];
  const rows = [...own, ...(peer === undefined ? [] : [row("curl --parallel", peer)])];
  printTable(["read by", "CPU", "wall", "most memory"], rows);
}
