import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderSize } from "../backup/folder-size.js";
import { megabytes, printTable, seconds } from "../backup/print-table.js";
import { runGuideferry, runNode, type Took } from "../backup/run.js";
import { serveIndex } from "./served-index.js";

const MAKE = fileURLToPath(new URL("make-child.js", import.meta.url));

/**
 * `export-html` of a repository, twice, and the index that `browse` makes of it. `GUIDES` (10,000)
 * and `PICTURES` of each (2) come from the environment.
 */
export async function benchExport(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { GUIDES: guides = "10000", PICTURES: pictures = "2" } = environment;
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    const [repo, site] = [join(folder, "repo"), join(folder, "site")];
    await runNode(MAKE, [repo, guides, pictures]);
    const first = await runGuideferry(["export-html", repo, "-o", site]);
    const again = await runGuideferry(["export-html", repo, "-o", site]);
    const other = await runGuideferry(["export-html", repo, "-o", site, "--at", "20261119T030000Z"]);
    process.stdout.write(
      `export-html of ${guides} guides with ${pictures} pictures each: ${megabytes(await folderSize(site))}.\n\n`,
    );
    const times = join(folder, "times");
    const all = await runGuideferry(["export-html", repo, "--snapshots", "all", "-o", times]);
    const allAgain = await runGuideferry(["export-html", repo, "--snapshots", "all", "-o", times]);
    const twoSize = megabytes(await folderSize(times));
    printTable(
      ["export-html", "time", "processor", "most memory"],
      [
        rowOf("into an empty folder", first),
        rowOf("again", again),
        rowOf("of another time", other),
        rowOf(`both times (${twoSize}, links counted each)`, all),
        rowOf("both times again", allAgain),
      ],
    );
    const { seconds: time, peak, rest } = await serveIndex(repo);
    process.stdout.write(
      `browse: everything can be found after ${seconds(time)}; memory ${megabytes(peak)} at most, ${megabytes(rest)} at the end.\n\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, { seconds: time, cpuSeconds, peakBytes }: Took): readonly string[] {
  return [name, seconds(time), seconds(cpuSeconds), megabytes(peakBytes)];
}
