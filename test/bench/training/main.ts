import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytes, printTable, seconds, times } from "../backup/print-table.js";
import { isThere, median, run, runNode, type Took } from "../backup/run.js";
import { makePackages } from "./make-packages.js";

const COLLECTION = resolve("../shared/data/training");
const CHILD = fileURLToPath(new URL("check-child.js", import.meta.url));
/** One process a file, as a shell does it; what it says of broken ones is not asked. */
const UNZIP = 'for file in "$@"; do unzip -tqq -P "" "$file" < /dev/null > /dev/null 2>&1; done; true';

/** Looks at training packages, beside `unzip -t` over the same files; prints what each took. */
export async function benchTraining(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const rounds = Number(environment["ROUNDS"] ?? 3);
  const scratch = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  try {
    if (existsSync(COLLECTION)) await measure("archives of the collection", collected(), scratch, rounds);
    else process.stdout.write("../shared/data/training is not there: only packages made here are measured.\n\n");
    const made = await makePackages(scratch, Number(environment["PACKAGES"] ?? 40));
    await measure("packages of 5 MB with media", made, scratch, rounds);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function collected(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(COLLECTION, "index.json"), "utf8")) as {
    readonly files: readonly { readonly file: string; readonly zip?: string }[];
  };
  return files.filter(({ zip }) => zip !== undefined).map(({ file }) => join(COLLECTION, file));
}

interface Contender {
  readonly name: string;
  readonly look: () => Promise<Took>;
}

async function measure(what: string, paths: readonly string[], scratch: string, rounds: number): Promise<void> {
  const list = join(scratch, "list.json");
  await writeFile(list, JSON.stringify(paths));
  const contenders = await contendersOf(list, paths);
  const results = contenders.map((contender) => ({ contender, runs: [] as Took[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { contender, runs } of results) runs.push(await contender.look());
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const accepted = Number(median(results[0]?.runs ?? []).output);
  process.stdout.write(
    `${paths.length} ${what}, ${megabytes(bytes)} packed, ${accepted} accepted, the middle of ${rounds} runs\n\n`,
  );
  const unzip = results.find(({ contender }) => contender.name.startsWith("unzip"));
  const peer = unzip === undefined ? undefined : median(unzip.runs);
  printTable(
    ["looked at by", "wall", "CPU", "packages/s", "MB/s", "most memory"],
    results.map(({ contender: { name }, runs }) => {
      const took = median(runs);
      return [
        name,
        `${seconds(took.seconds)} (${times(took.seconds, peer?.seconds)})`,
        `${seconds(took.cpuSeconds)} (${times(took.cpuSeconds, peer?.cpuSeconds)})`,
        (paths.length / took.seconds).toFixed(0),
        (bytes / 1e6 / took.seconds).toFixed(0),
        megabytes(took.peakBytes),
      ];
    }),
  );
}

async function contendersOf(list: string, paths: readonly string[]): Promise<readonly Contender[]> {
  const ours: readonly Contender[] = [
    { name: "guideferry, checked", look: () => runNode(CHILD, ["check", list]) },
    { name: "guideferry, with digests", look: () => runNode(CHILD, ["digest", list]) },
  ];
  if (!(await isThere("unzip"))) {
    process.stdout.write("unzip is not installed: guideferry looks alone.\n\n");
    return ours;
  }
  return [...ours, { name: "unzip -t, a process each", look: () => run("bash", ["-c", UNZIP, "bash", ...paths]) }];
}
