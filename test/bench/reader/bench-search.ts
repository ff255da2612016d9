import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { megabytes, printTable, seconds } from "../backup/print-table.js";
import { makeSearchSite } from "./search-site.js";
import { measureTyping, type Spread, TYPED, type TypingFacts } from "./typing.js";

/** Guides of the two sites that are searched. */
const SIZES = [10_000, 30_000] as const;

/** The search of the reader, in a browser: what its index takes to make and to load, and how long a keystroke waits for its results. */
export async function benchSearch(): Promise<void> {
  if (!existsSync("/usr/bin/chromium")) {
    process.stdout.write("chromium is not installed: search is not measured.\n");
    return;
  }
  for (const guides of SIZES) {
    const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
    try {
      const { time, shards, bytes } = await makeSearchSite(folder, guides);
      process.stdout.write(`${guides} guides of 350 words, ${shards} shards, indexed in ${seconds(time / 1000)}.\n`);
      process.stdout.write(
        `Files: titles ${megabytes(bytes.titles)}, words ${megabytes(bytes.words)}, texts ${megabytes(bytes.texts)}.\n\n`,
      );
      report(await measureTyping(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function report({ titles, texts, first, all, stallLoading, stallTyping, heap }: TypingFacts): void {
  printTable(
    ["keystroke to results", "median", "worst", "of"],
    [
      ["something is shown", ...cellsOf(first)],
      ["everything was searched", ...cellsOf(all)],
    ],
  );
  process.stdout.write(
    `Loaded after the focus: titles ${milliseconds(titles)}, texts ${milliseconds(texts)}. The page stood still for ${milliseconds(stallLoading)} at most while it ` +
      `loaded, ${milliseconds(stallTyping)} while somebody typed. Its heap: ${megabytes(heap)}. Typed: ${TYPED.join(", ")}.\n\n`,
  );
}

function cellsOf({ median, worst, words }: Spread): readonly string[] {
  return [milliseconds(median), milliseconds(worst), JSON.stringify(words)];
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}
