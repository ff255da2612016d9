import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { addNights } from "./add-snapshots.js";
import { printTable, seconds } from "./print-table.js";
import { median, runGuideferry, runNode, type Took } from "./run.js";
import { writeSite } from "./site-folder.js";
import { type SiteProcess, startSite } from "./site-process.js";
import { sizesOf } from "./sizes.js";

const WATCHED = "guide/1";
/** As npm installs it: loading single modules takes longer than finding a guide. */
const PACKED = resolve("lib/src/cli.js");

interface YearParts {
  /** The repository. */
  readonly folder: string;
  readonly scratch: string;
  /** The origin site. */
  readonly site: SiteProcess;
}

/**
 * `npm run build && npm run bench -- year`: one guide out of a year of snapshots, whose pictures
 * are small.
 */
export async function benchYear(): Promise<void> {
  const sizes = sizesOf({ MEDIA_BYTES: "100", ...process.env });
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const [source, scratch] = [join(folder, "site"), join(folder, "scratch")];
  try {
    await mkdir(scratch);
    await writeSite(source, sizes);
    const site = await startSite(source);
    try {
      const parts = { folder: join(folder, "repository"), scratch, site };
      const words = ["backup", site.url, "--to", parts.folder, "--quiet", "--rate", "1000/s"];
      await runGuideferry(words, { environment: signedIn(parts) });
      await measureYear(parts, sizes.yearNights, sizes.rounds);
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Lets the repository have a year of nights, reads one guide out of it and checks it; prints how
 * long that took.
 */
export async function measureYear(parts: YearParts, nights: number, rounds: number): Promise<void> {
  const { folder, scratch, site } = parts;
  const snapshots = await addNights(parts, WATCHED, nights);
  const at = (share: number): string => snapshots[Math.floor((snapshots.length - 1) * share)] ?? "";
  const [restored, workspace] = [join(scratch, "restored"), join(scratch, "workspace")];
  const toOrigin = ["restore", folder, site.url, "--include", WATCHED, "--workspace", workspace, "--no-snapshot-first"];
  const calls: readonly (readonly string[])[] = [
    ["cat", folder, WATCHED],
    ["cat", folder, WATCHED, "--at", at(0)],
    ["cat", folder, WATCHED, "--at", at(0.5)],
    ["restore", folder, restored, "--include", WATCHED],
    ["restore", folder, restored, "--include", WATCHED, "--at", at(0.5)],
    toOrigin,
    [...toOrigin, "--at", at(0.5)],
    ["history", folder, WATCHED],
    ["snapshots", folder],
    ["diff", folder, at(0), at(1)],
    ["verify", folder, "--structure"],
    ["verify", folder],
  ];
  const runs = calls.map(() => [] as Took[]);
  for (let round = 0; round < rounds; round += 1)
    for (const [number, words] of calls.entries()) {
      for (const left of [restored, workspace]) await rm(left, { recursive: true, force: true });
      const environment = signedIn(parts);
      runs[number]?.push(await runNode(PACKED, [...words, "--quiet", "--no-progress"], { environment }));
    }
  process.stdout.write(`One of ${snapshots.length} nights, the middle of ${rounds} runs\n\n`);
  printTable(
    ["command", "wall", "CPU", "peak memory"],
    calls.map((words, number) => {
      const { seconds: wall, cpuSeconds, peakBytes } = median(runs[number] ?? []);
      const name = words.filter((word) => !word.startsWith(folder) && !word.startsWith(scratch)).join(" ");
      return [name, seconds(wall), seconds(cpuSeconds), `${Math.round((peakBytes ?? 0) / 1e6)} MB`];
    }),
  );
}

function signedIn({ site, scratch }: YearParts): Readonly<Record<string, string>> {
  return { GUIDEFERRY_SOURCE_TOKEN: site.token, GUIDEFERRY_TARGET_TOKEN: site.token, XDG_STATE_HOME: scratch };
}
