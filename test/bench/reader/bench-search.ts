import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveFolder } from "../../helpers/serve-folder.js";
import { megabytes, printTable, seconds } from "../backup/print-table.js";
import { makeSearchSite } from "./search-site.js";
import { measureTyping, type Spread, TYPED } from "./typing.js";

/** Guides of the two sites that are searched. */
const SIZES = [10_000, 30_000] as const;

/**
 * The search of the reader, in a browser: what its index takes to make and to load, and how long a
 * keystroke waits for its results.
 */
export async function benchSearch(): Promise<void> {
  if (!existsSync("/usr/bin/chromium")) {
    process.stdout.write("chromium is not installed: search is not measured.\n");
    return;
  }
  for (const guides of SIZES) {
    const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
    try {
      const { time, segments, bytes } = await makeSearchSite(folder, guides);
      process.stdout.write(
        `${guides} guides of 350 words, ${segments} segments, indexed in ${seconds(time / 1000)}.\n`,
      );
      process.stdout.write(
        `Files: titles ${megabytes(bytes.titles)}, words ${megabytes(bytes.words)}, texts ${megabytes(bytes.texts)}. Typed: ${TYPED.join(", ")}.\n\n`,
      );
      await measure("opened from the disk", pathToFileURL(join(folder, "index.html")).href);
      const site = await serveFolder(folder);
      try {
        await measure("from a web server", site.url);
      } finally {
        await site.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function measure(where: string, address: string): Promise<void> {
  const { first, all, fresh, again, stallFresh, stallTyping, heap } = await measureTyping(address);
  process.stdout.write(
    `${where}: a word in a page just opened is found after ${milliseconds(fresh)}, on the pages opened after it after ${milliseconds(again)}; ` +
      `the page stood still for ${milliseconds(stallFresh)} at most. While somebody typed on it stood still for ${milliseconds(stallTyping)}; its heap at the end: ${megabytes(heap)}.\n`,
  );
  printTable(
    ["keystroke to results", "median", "worst", "of"],
    [
      ["something is shown", ...cellsOf(first)],
      ["everything was searched", ...cellsOf(all)],
    ],
  );
}

function cellsOf({ median, worst, words }: Spread): readonly string[] {
  return [milliseconds(median), milliseconds(worst), JSON.stringify(words)];
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}
