import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface ServedIndex {
  /** Seconds from the start until everything can be found. */
  readonly seconds: number;
  /** Bytes of memory: the most, and when all is read. */
  readonly peak: number;
  readonly rest: number;
}

const PROGRAM = fileURLToPath(new URL("../../../src/cli.js", import.meta.url));

/** Starts `browse` on a repository, waits until its index is whole, and ends it. */
export async function serveIndex(repository: string): Promise<ServedIndex> {
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "browse", repository, "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url, first } = JSON.parse(line) as { url: string; first: string };
    while (!(await (await fetch(`${url}at/${first}/search/index.js`)).text()).includes('"whole"'))
      await setTimeout(200);
    const seconds = (performance.now() - begun) / 1000;
    await setTimeout(3000);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return { seconds, peak: bytesOf(status, "VmHWM"), rest: bytesOf(status, "VmRSS") };
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}
