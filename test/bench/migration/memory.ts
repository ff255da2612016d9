import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillWorkspace } from "../../helpers/fill-workspace.js";
import { megabytes, printTable, seconds } from "../backup/print-table.js";
import { runGuideferry } from "../backup/run.js";
import { startSite } from "./site-process.js";

/**
 * Loads many guides, loads them again, and reads them back, each by a process of its own; what each
 * held at most.
 */
export async function benchMemory(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const guides = Number(environment["GUIDES"] ?? 10_000);
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const workspace = join(folder, "workspace");
  try {
    await fillWorkspace(workspace, guides);
    const site = await startSite();
    const own = { GUIDEFERRY_TARGET_TOKEN: site.token, XDG_STATE_HOME: folder };
    const rows: (readonly string[])[] = [];
    try {
      for (const command of ["load", "load", "verify"]) {
        const took = await runGuideferry([command, workspace, site.direct, "--quiet"], { environment: own });
        const name = rows.length === 1 ? "load again" : command;
        const each = `${((1000 * took.cpuSeconds) / guides).toFixed(1)} ms`;
        rows.push([name, megabytes(took.peakBytes), seconds(took.seconds), each]);
      }
    } finally {
      await site.close();
    }
    process.stdout.write(`${guides} guides of three steps\n\n`);
    printTable(["", "most memory", "wall", "CPU a guide"], rows);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
