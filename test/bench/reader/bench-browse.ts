import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { megabytes, printTable, seconds } from "../backup/print-table.js";
import { runNode } from "../backup/run.js";
import { type BrowseFacts, measureBrowse } from "./measure-browse.js";

const MAKE = fileURLToPath(new URL("make-child.js", import.meta.url));

/**
 * `browse` of repositories, from its start on: the first page, the whole catalogue, and guide after
 * guide. `GUIDES` (10,000 and 30,000), `PICTURES` of each (3) and `PAGES` (2,000) come from the
 * environment.
 */
export async function benchBrowse(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { GUIDES: guides = "10000,30000", PICTURES: pictures = "3", PAGES: pages = "2000" } = environment;
  const rows: (readonly string[])[] = [];
  for (const count of guides.split(",")) {
    const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
    try {
      const repository = join(folder, "repository");
      await runNode(MAKE, [repository, count, pictures]);
      rows.push(rowOf(count, await measureBrowse(repository, Number(count), Number(pages))));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  process.stdout.write(
    `browse of a repository with ${pictures} pictures a guide; time / processor time from the start\n\n`,
  );
  printTable(HEAD, rows);
}

const HEAD = [
  "guides",
  "listening",
  "first page",
  "all read",
  "a guide: median",
  "99 %",
  "other time",
  "memory: all read",
  "most",
  "after the guides",
] as const;

function rowOf(guides: string, facts: BrowseFacts): readonly string[] {
  const both = ({ wall, cpu }: BrowseFacts["listening"]): string => `${seconds(wall)} / ${seconds(cpu)}`;
  return [
    guides,
    both(facts.listening),
    both(facts.firstPage),
    both(facts.allRead),
    `${facts.median.toFixed(1)} ms`,
    `${facts.slow.toFixed(0)} ms`,
    seconds(facts.otherTime),
    megabytes(facts.memoryRead),
    megabytes(facts.memoryMost),
    megabytes(facts.memoryWalked),
  ];
}
