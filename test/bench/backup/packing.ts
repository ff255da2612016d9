import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { folderSize } from "./folder-size.js";
import { megabytes, printTable, seconds, times } from "./print-table.js";
import { isThere, median, run, runNode, type Took } from "./run.js";

/** A file that is packed. */
export interface Packed {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

interface Contender {
  readonly name: string;
  readonly pack: (goal: string) => Promise<Took>;
}

/** What an archive's media end with: stored by both. */
const STORED = ".png:.jpg:.jpeg:.gif:.mp4";

/** Packs the same files with our writer and with Info-ZIP, in turns; prints what each took. */
export async function measurePacking(tree: string, scratch: string, rounds: number): Promise<void> {
  const files = await listFiles(tree);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const list = join(scratch, "files.json");
  await writeFile(list, JSON.stringify(files));
  const contenders = await contendersOf(tree, list);
  const results = contenders.map((contender) => ({ contender, runs: [] as Took[], size: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const result of results) {
      const goal = join(scratch, "packed");
      await rm(goal, { recursive: true, force: true });
      result.runs.push(await result.contender.pack(goal));
      result.size = await folderSize(scratch, (path) => path.startsWith(goal));
      await rm(goal, { recursive: true, force: true });
      await rm(`${goal}.zip`, { force: true });
    }
  }
  process.stdout.write(`Packing ${files.length} files of ${megabytes(bytes)}, the middle of ${rounds} runs\n\n`);
  const head = ["packed by", "wall", "CPU", "MB/s", "size"];
  const [ours] = results.map(({ runs }) => median(runs));
  printTable(
    head,
    results.map(({ contender: { name }, runs, size }, at) => {
      const { seconds: wall, cpuSeconds } = median(runs);
      const ratio = at === 0 ? "" : ` (${times(wall, ours?.seconds)})`;
      const speed = `${(bytes / 1e6 / wall).toFixed(0)}${ratio}`;
      return [name, seconds(wall), seconds(cpuSeconds), speed, megabytes(size)];
    }),
  );
}

async function contendersOf(tree: string, list: string): Promise<readonly Contender[]> {
  const script = fileURLToPath(new URL("pack-child.js", import.meta.url));
  const ours = { name: "guideferry", pack: (goal: string) => runNode(script, [list, tree, goal]) };
  if (!(await isThere("zip"))) {
    process.stdout.write("zip is not installed: guideferry packs alone.\n\n");
    return [ours];
  }
  const zip = (...words: readonly string[]) => {
    return (goal: string): Promise<Took> => run("zip", ["-q", "-r", ...words, `${goal}.zip`, "."], { folder: tree });
  };
  return [ours, { name: "zip -6, media stored", pack: zip("-6", "-n", STORED) }, { name: "zip -0", pack: zip("-0") }];
}

async function listFiles(tree: string): Promise<readonly Packed[]> {
  const files: Packed[] = [];
  for (const entry of await readdir(tree, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ path: relative(tree, path), sha256, size: bytes.length });
  }
  return files;
}
