import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bench } from "vitest";
import { runBuilt } from "../helpers/built-code.js";
import { site } from "../storage/workspace/helpers/samples.js";

const OPERATIONS = 1_000_000;
/**
 * Once is enough: it takes minutes on a disk, since each operation is made durable. TMPDIR=/dev/shm
 * takes the disk out.
 */
const ONCE = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 };

// npm run build && npx vitest bench --run test/bench/ledger.bench.ts
bench(
  "a million operations",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "guideferry-bench-"));
    const child = runBuilt(writer(join(folder, "workspace")), { flags: ["--expose-gc"] });
    process.stdout.write(`${await child.output}\n`);
    rmSync(folder, { recursive: true, force: true });
  },
  ONCE,
);

function writer(directory: string): string {
  return `
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    import { inspectWorkspace } from "./src/storage/workspace/inspect.js";
    const workspace = await openWorkspace(${JSON.stringify(directory)}, { create: true, command: "bench" });
    const ledger = workspace.ledger(${JSON.stringify(site())});
    for (let round = 0; round < 5; round += 1) await lap("a fifth of the operations", () => load(round));
    await lap("repairable", () => ledger.repairable());
    await lap("counts", () => ledger.counts());
    await lap("sample", () => ledger.sample(5));
    await lap("orphans", () => ledger.orphans());
    await lap("loaded", () => ledger.loaded("guide/77"));
    const onlooker = await inspectWorkspace(${JSON.stringify(directory)});
    await lap("status", () => onlooker.targets());
    await lap("close", () => workspace.close());

    async function load(round) {
      for (let n = round * ${OPERATIONS / 5}; n < (round + 1) * ${OPERATIONS / 5}; n += 1) {
        const item = "guide/" + (n >> 3);
        const operation = { id: item + "/step/" + n, item, label: "guide, step", hash: "h".repeat(64), phase: "main", needs: [], call: {} };
        const thing = { key: "step/" + n, id: String(n), revision: "5", left: "d".repeat(64), facts: { n }, adopted: false };
        const missing = n % 10 === 0 ? ["step/" + (n % 20 === 0 ? -1 : n + 1)] : [];
        await ledger.done(operation, { written: [thing], missing, issues: [] });
      }
    }
    async function lap(name, work) {
      const start = performance.now();
      await work();
      globalThis.gc();
      const took = Math.round(performance.now() - start);
      console.log(name + ": " + took + " ms, resident " + Math.round(process.memoryUsage().rss / 1e6) + " MB");
    }
  `;
}
