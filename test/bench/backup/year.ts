import { rm } from "node:fs/promises";
import { join } from "node:path";
import { addNights } from "./add-snapshots.js";
import { printTable, seconds } from "./print-table.js";
import { median, runGuideferry, type Took } from "./run.js";

const WATCHED = "guide/1";

/**
 * Lets the repository have a year of nights, reads one guide out of it and checks it; prints how
 * long that took.
 */
export async function measureYear(
  parts: { readonly folder: string; readonly scratch: string },
  nights: number,
  rounds: number,
): Promise<void> {
  const snapshots = await addNights(parts, WATCHED, nights);
  const at = (share: number): string => snapshots[Math.floor((snapshots.length - 1) * share)] ?? "";
  const calls: readonly (readonly string[])[] = [
    ["cat", parts.folder, WATCHED],
    ["cat", parts.folder, WATCHED, "--at", at(0)],
    ["cat", parts.folder, WATCHED, "--at", at(0.5)],
    ["restore", parts.folder, join(parts.scratch, "restored"), "--include", WATCHED],
    ["history", parts.folder, WATCHED],
    ["snapshots", parts.folder],
    ["diff", parts.folder, at(0), at(1)],
    ["verify", parts.folder, "--structure"],
    ["verify", parts.folder],
  ];
  const runs = calls.map(() => [] as Took[]);
  for (let round = 0; round < rounds; round += 1)
    for (const [number, words] of calls.entries()) {
      await rm(join(parts.scratch, "restored"), { recursive: true, force: true });
      runs[number]?.push(await runGuideferry([...words, "--quiet"]));
    }
  process.stdout.write(`One of ${snapshots.length} nights, the middle of ${rounds} runs\n\n`);
  printTable(
    ["command", "wall", "CPU", "peak memory"],
    calls.map((words, number) => {
      const { seconds: wall, cpuSeconds, peakBytes } = median(runs[number] ?? []);
      const name = words.filter((word) => !word.startsWith(parts.folder) && !word.startsWith(parts.scratch)).join(" ");
      return [name, seconds(wall), seconds(cpuSeconds), `${Math.round((peakBytes ?? 0) / 1e6)} MB`];
    }),
  );
}
