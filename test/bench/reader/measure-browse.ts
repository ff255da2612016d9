import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Seconds since the start. */
interface Since {
  readonly wall: number;
  readonly cpu: number;
}

export interface BrowseFacts {
  readonly listening: Since;
  readonly firstPage: Since;
  /** Every item is known to the catalogue. */
  readonly allRead: Since;
  /**
   * Milliseconds of a page of a guide: the middle one, and the slowest but for one of a hundred.
   */
  readonly median: number;
  readonly slow: number;
  /** Seconds until the first page of the time before. */
  readonly otherTime: number;
  /** Bytes. */
  readonly memoryRead: number;
  readonly memoryMost: number;
  readonly memoryWalked: number;
}

const PROGRAM = fileURLToPath(new URL("../../../src/cli.js", import.meta.url));
const BEFORE = "20261119T030000Z";
/** Of the clock that Linux counts processor time by. */
const TICKS = 100;

/** Starts `browse` and walks through so many guides of a repository of `makeLibrary`. */
export async function measureBrowse(repository: string, guides: number, pages: number): Promise<BrowseFacts> {
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "browse", repository, "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const pid = child.pid ?? 0;
    const now = async (): Promise<Since> => ({ wall: (performance.now() - begun) / 1000, cpu: await cpuOf(pid) });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url, first } = JSON.parse(line) as { url: string; first: string };
    const listening = await now();
    await page(url);
    const firstPage = await now();
    while ((await page(`${url}at/${first}/about.html`)).includes("items read so far")) await setTimeout(200);
    const allRead = await now();
    const memoryRead = await memoryOf(pid, "VmRSS");
    const walked = await walk(`${url}at/${first}/guide/`, guides, pages);
    const [memoryMost, memoryWalked] = [await memoryOf(pid, "VmHWM"), await memoryOf(pid, "VmRSS")];
    const asked = performance.now();
    await page(`${url}at/${BEFORE}/index.html`);
    const otherTime = (performance.now() - asked) / 1000;
    return { listening, firstPage, allRead, ...walked, otherTime, memoryRead, memoryMost, memoryWalked };
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

async function walk(base: string, guides: number, pages: number): Promise<Pick<BrowseFacts, "median" | "slow">> {
  const times: number[] = [];
  for (let number = 0; number < pages; number += 1) {
    const asked = performance.now();
    await page(`${base}${((number * 7919) % guides) + 1}.html`);
    times.push(performance.now() - asked);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { median: sorted[Math.floor(pages / 2)] ?? 0, slow: sorted[Math.floor(pages * 0.99)] ?? 0 };
}

async function page(url: string): Promise<string> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  return answer.text();
}

async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

async function memoryOf(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}
