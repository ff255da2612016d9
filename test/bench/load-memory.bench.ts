import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bench } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { usageReport } from "../helpers/usage-report.js";

const GUIDES = Number(process.env["GUIDES"] ?? 20_000);
const ONCE = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 };
/** The built program. */
const PROGRAM = fileURLToPath(new URL("../../dist/src/cli.js", import.meta.url));

// npm run build && GUIDES=20000 npx vitest bench --run test/bench/load-memory.bench.ts
bench(
  `${GUIDES} guides loaded, loaded again, and compared, each by a process of its own`,
  async () => {
    // In memory where there is such a folder: what is measured is not the disk.
    const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "guideferry-load-"));
    const sandbox = await startSandbox();
    const workspace = join(folder, "workspace");
    try {
      await fillWorkspace(workspace, GUIDES);
      for (const command of ["load", "load", "verify"]) {
        const usage = usageReport(folder);
        const words = [PROGRAM, command, workspace, sandbox.url, "--quiet", "--no-progress"];
        const own = { GUIDEFERRY_TARGET_TOKEN: sandbox.token, XDG_STATE_HOME: folder };
        await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...usage.environment, ...own } });
        const { peakBytes, cpuMilliseconds } = await usage.read();
        const each = (cpuMilliseconds / GUIDES).toFixed(1);
        process.stdout.write(`${command}: ${Math.round(peakBytes / 1e6)} MB at most, ${each} ms of CPU a guide\n`);
      }
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
  ONCE,
);
