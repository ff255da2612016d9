import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureChecking } from "./checking.js";
import { printTable, seconds } from "./print-table.js";
import { median, run, runGuideferry, type Took } from "./run.js";
import { writeSite } from "./site-folder.js";
import { startSite } from "./site-process.js";
import { sizesOf } from "./sizes.js";

/**
 * `npm run bench -- verify`: a repository of 34 MB, checked by `verify` and by `unzip -t`, and what
 * the start alone takes.
 */
export async function benchVerify(): Promise<void> {
  const sizes = sizesOf({ GUIDES: "300", MEDIA: "850", MEDIA_BYTES: "38000", ...process.env });
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const [source, repository, empty] = [join(folder, "site"), join(folder, "repository"), join(folder, "empty")];
  try {
    await writeSite(source, sizes);
    await mkdir(empty);
    const site = await startSite(source);
    try {
      const environment = { GUIDEFERRY_SOURCE_TOKEN: site.token, XDG_STATE_HOME: folder };
      const words = ["backup", site.url, "--to", repository, "--quiet", "--rate", "1000/s"];
      for (const _night of ["full", "unchanged"]) await runGuideferry(words, { environment });
    } finally {
      await site.close();
    }
    await measureStart(empty, sizes.rounds);
    await measureChecking(repository, undefined, sizes.rounds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureStart(empty: string, rounds: number): Promise<void> {
  const refused = { allowed: [2] };
  const starts: readonly (readonly [string, () => Promise<Took>])[] = [
    ["node alone", () => run(process.execPath, ["-e", "0"])],
    ["guideferry --version", () => runGuideferry(["--version"])],
    ["guideferry verify of an empty folder", () => runGuideferry(["verify", empty], refused)],
  ];
  const rows: string[][] = [];
  for (const [name, start] of starts) {
    const runs: Took[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await start());
    rows.push([name, seconds(median(runs).cpuSeconds)]);
  }
  printTable(["started", "CPU"], rows);
}
