import { join } from "node:path";
import { megabytes, printTable, seconds, times } from "./print-table.js";
import type { Restic } from "./restic.js";
import { isThere, median, run, runGuideferry, type Took } from "./run.js";
import { archivesIn } from "./tree.js";

/**
 * Checks every byte of the repository, with ours and with `unzip -t` of each archive, in turns; and
 * restic its own.
 */
export async function measureChecking(repository: string, restic: Restic | undefined, rounds: number): Promise<void> {
  const archives = (await archivesIn(repository)).map((name) => join(repository, name));
  const contenders: { readonly name: string; readonly check: () => Promise<Took> }[] = [
    { name: "guideferry verify", check: () => runGuideferry(["verify", repository, "--quiet"]) },
  ];
  if (await isThere("unzip")) contenders.push({ name: "unzip -t of each archive", check: () => unzipAll(archives) });
  else process.stdout.write("unzip is not installed: guideferry verifies alone.\n\n");
  if (restic !== undefined) contenders.push({ name: "restic check --read-data", check: () => restic.check() });
  const results = contenders.map((contender) => ({ contender, runs: [] as Took[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { contender, runs } of results) runs.push(await contender.check());
  const [ours] = results.map(({ runs }) => median(runs));
  process.stdout.write(`Checking ${archives.length} archives, the middle of ${rounds} runs\n\n`);
  printTable(
    ["checked by", "wall", "CPU", "ours is", "peak memory"],
    results.map(({ contender: { name }, runs }, at) => {
      const { seconds: wall, cpuSeconds, peakBytes } = median(runs);
      const ratio = at === 0 ? "" : times(wall, ours?.seconds);
      return [name, seconds(wall), seconds(cpuSeconds), ratio, megabytes(peakBytes)];
    }),
  );
}

/** In one shell, so that only unzip's own starts are paid for. */
function unzipAll(archives: readonly string[]): Promise<Took> {
  return run("bash", ["-c", 'for archive; do unzip -tqq "$archive" || exit; done', "bash", ...archives]);
}
