import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { printTable } from "./backup/print-table.js";
import { run } from "./backup/run.js";

/** Milliseconds. */
interface Start {
  readonly wall: number;
  /** Of all threads; only on Linux, else NaN. */
  readonly cpu: number;
}

/** As npm installs it: the bundled modules. */
const PROGRAM = resolve("lib/src/cli.js");

/**
 * What a migration imports before its first request: nothing of guideferry can make that faster.
 * `lib/` contains the first two, as far as they are used.
 */
const PACKAGES = `
import { Agent } from "./tools/undici.mjs";
import { z } from "zod";
import "commander";
import "p-queue";
import "@photostructure/sqlite";
globalThis.used = [Agent, z.object({ text: z.string(), list: z.array(z.number()) })];
`;
/** Beside the packages that it imports. */
const PACKAGES_FILE = resolve("dist/bench/packages.mjs");

/**
 * `npm run build && npm run bench -- start`: what the program takes to its end, or to its first
 * request, beside Node with nothing to do, and with the packages alone. From Node 22.8 on, each is
 * a start whose code Node has compiled before.
 */
export async function benchStart(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const rounds = Number(environment["ROUNDS"] ?? 20);
  const folder = mkdtempSync(join(tmpdir(), "guideferry-bench-"));
  const own = {
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: folder,
    // Node reads these certificates at each start.
    NODE_EXTRA_CA_CERTS: "",
    GUIDEFERRY_SOURCE_TOKEN: "token",
    GUIDEFERRY_TARGET_TOKEN: "token",
  };
  const toRequest = (command: string) => untilRequest(folder, own, command);
  const starts: Readonly<Record<string, () => Promise<Start>>> = {
    "node -e 0": () => untilEnd(["-e", "0"], own),
    "the packages of migrate": () => untilEnd([PACKAGES_FILE], own),
    "guideferry --version": () => untilEnd([PROGRAM, "--version"], own),
    "guideferry --help": () => untilEnd([PROGRAM, "--help"], own),
    "guideferry migrate to its first request": () => toRequest("migrate"),
    "guideferry backup to its first request": () => toRequest("backup"),
  };
  const found = new Map<string, Start[]>(Object.keys(starts).map((name) => [name, []]));
  try {
    await bundlePackages();
    for (const command of ["migrate", "backup"]) await untilRefused(folder, own, command);
    for (let round = 0; round < rounds; round += 1)
      for (const [name, start] of Object.entries(starts)) found.get(name)?.push(await start());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = [...found].map(([name, runs]) => ({
    name,
    cpu: middle(runs.map(({ cpu }) => cpu)),
    wall: middle(runs.map(({ wall }) => wall)),
  }));
  const [bare] = rows;
  process.stdout.write(`Node ${process.version}, the middle of ${rounds} starts\n\n`);
  printTable(
    ["started", "CPU", "over bare Node", "wall", "over bare Node"],
    rows.map(({ name, cpu, wall }) => {
      const over = (value: number, base = 0): string => `${milliseconds(value - base)} (×${(value / base).toFixed(1)})`;
      return [name, milliseconds(cpu), over(cpu, bare?.cpu), milliseconds(wall), over(wall, bare?.wall)];
    }),
  );
}

/** As the build bundles them. */
async function bundlePackages(): Promise<void> {
  const bundler = await rolldown({
    input: "packages",
    platform: "node",
    external: (name, _importer, isResolved) => !isResolved && !/^(?:packages$|\.|undici\/|zod$)/.test(name),
    plugins: [
      {
        name: "packages",
        resolveId: (name) => (name === "packages" ? resolve("packages.mjs") : null),
        load: (id) => (id === resolve("packages.mjs") ? PACKAGES : null),
      },
    ],
  });
  await bundler.write({ file: PACKAGES_FILE, format: "esm" });
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

async function untilEnd(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Start> {
  const { seconds, cpuSeconds } = await run(process.execPath, words, { environment });
  return { wall: 1000 * seconds, cpu: 1000 * cpuSeconds };
}

/** Until a site hears of the program, which is then ended. */
async function untilRequest(folder: string, environment: Readonly<Record<string, string>>, command: string) {
  const server = createServer();
  const words = await wordsFor(folder, server, command);
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const over = once(child, "exit");
  const isHeard = await Promise.race([once(server, "request").then(() => true), over.then(() => false)]);
  if (!isHeard) throw new Error(`${command} ended without a request.`);
  const start = { wall: performance.now() - begun, cpu: usedBy(child.pid ?? 0) };
  child.kill("SIGKILL");
  await over;
  server.closeAllConnections();
  server.close();
  return start;
}

/** To the end of the program, which a site refuses: only then does Node keep its compiled code. */
async function untilRefused(folder: string, environment: Readonly<Record<string, string>>, command: string) {
  const server = createServer((_request, response) => response.writeHead(401).end());
  const words = await wordsFor(folder, server, command);
  const env = { ...process.env, ...environment };
  await once(spawn(process.execPath, [PROGRAM, ...words], { env, stdio: "ignore" }), "exit");
  server.closeAllConnections();
  server.close();
}

/** A command line whose sites are the server, which then listens. */
async function wordsFor(folder: string, server: Server, command: string): Promise<readonly string[]> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const to =
    command === "backup"
      ? ["--to", join(folder, "repository")]
      : [`http://localhost:${port}`, "--workspace", join(folder, "workspace")];
  return [command, `http://127.0.0.1:${port}`, ...to, "--quiet"];
}

/** The clock of the kernel counts in hundredths of a second. */
function usedBy(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = after.split(" ").slice(11, 13).map(Number);
  return (user + system) * 10;
}
