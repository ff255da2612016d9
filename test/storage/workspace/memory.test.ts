import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBuilt } from "../../helpers/built-code.js";
import { site } from "./helpers/samples.js";

const OPERATIONS = 4000;
/**
 * Bytes. What is held back for each of the rows counts many times over in 12,000 rows; caches and
 * free pages do not.
 */
const HEAP_GROWTH = 1_500_000;
const RESIDENT_GROWTH = 50_000_000;

/**
 * In memory where there is such a folder: 4000 transactions wait 8 s for a disk, and what is
 * measured is not the disk.
 */
function fastFolder(): string {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "guideferry-memory-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("sixteen thousand rows of a ledger are written and read without growing memory", async () => {
  const child = runBuilt(
    `
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    const workspace = await openWorkspace(${JSON.stringify(join(fastFolder(), "workspace"))}, { create: true, command: "writer" });
    const ledger = workspace.ledger(${JSON.stringify(site())});
    for (let n = 0; n < ${OPERATIONS / 4}; n += 1) await load(n);
    const before = measure();
    for (let n = ${OPERATIONS / 4}; n < ${OPERATIONS}; n += 1) await load(n);
    await ledger.report("guide/1", Array.from({ length: 2000 }, issue));
    let issues = 0;
    for await (const _ of ledger.issues()) issues += 1;
    const after = measure();
    const facts = { issues, repairable: (await ledger.repairable()).length, ...(await ledger.counts()) };
    console.log(JSON.stringify({ heap: after.heapUsed - before.heapUsed, resident: after.rss - before.rss, ...facts }));
    await workspace.close();

    async function load(n) {
      const item = "guide/" + n;
      const operation = { id: item, item, label: "guide " + n, hash: "h".repeat(64), phase: "main", needs: [], call: {} };
      const thing = (key) => ({ key, id: "9" + n + key, revision: "5", left: "d".repeat(64), facts: { n }, adopted: false });
      const written = [thing(item), thing("step/" + n), thing("step/" + n + "+2"), thing("image/" + n)];
      await ledger.done(operation, { written, missing: n % 100 === 0 ? ["guide/" + (n + 1)] : [], issues: [] });
    }
    function issue() {
      return { code: "c", level: "loss", key: "guide/1", path: "", message: "m".repeat(500) };
    }
    function measure() {
      globalThis.gc();
      return process.memoryUsage();
    }
  `,
    { flags: ["--expose-gc"] },
  );
  const { heap, resident, ...facts } = JSON.parse(await child.output);
  expect(facts).toEqual({ issues: 2000, repairable: OPERATIONS / 100, begun: 0, done: OPERATIONS, failed: 0 });
  expect(heap).toBeLessThan(HEAP_GROWTH);
  expect(resident).toBeLessThan(RESIDENT_GROWTH);
});
