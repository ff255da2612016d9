import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { HostileFile } from "../../fixtures/omanual/hostile-file.js";
import { HOSTILE_FILES } from "../../fixtures/omanual/make.js";
import { smallHeap } from "../../helpers/small-heap.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const READER = fileURLToPath(new URL("../../fixtures/omanual/read-each.mjs", import.meta.url));
const REPORTER = new URL("../../helpers/report-usage.mjs", import.meta.url).href;
const PROGRAM = fileURLToPath(new URL("../../../dist/transforms/omanual/read-manual.js", import.meta.url));

/** Of the whole process, of which Node and the built program take a third. */
const MOST_MEMORY = 200 * 1024 * 1024;
/** The most memory that a process held which read these files as far as items. */
async function peakOf(files: readonly HostileFile[]): Promise<number> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: run \`npm run build\` first.`);
  const folder = await temporaryFolder();
  const [input, report] = [join(folder, "input"), join(folder, "usage")];
  mkdirSync(input);
  for (const { name, content } of files) writeFileSync(join(input, `${name}.xml`), content);
  const words = [...smallHeap(128), "--import", REPORTER, READER, input];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, USAGE_REPORT: report },
  });
  expect(Number(stdout)).toBe(files.length);
  const { peakBytes } = JSON.parse(readFileSync(report, "utf8")) as { readonly peakBytes: number };
  return peakBytes;
}

it("a process that reads every hostile file stays below 200 MB", async () => {
  expect(await peakOf(HOSTILE_FILES)).toBeLessThan(MOST_MEMORY);
});
