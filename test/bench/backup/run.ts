import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What a program took. */
export interface Took {
  readonly seconds: number;
  /** Of all its threads and children. */
  readonly cpuSeconds: number;
  /** The most memory that it held; only of programs that run on Node. */
  readonly peakBytes: number | undefined;
  readonly output: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Exit codes that are no failure; default 0. */
  readonly allowed?: readonly number[];
}

/** The shell's own clock counts children that have ended, which Node's does not. */
const TIMED = 'TIMEFORMAT="%R %U %S"; time "$@"';
const REPORTER = pathToFileURL(resolve("test/helpers/report-usage.mjs")).href;
const PROGRAM = fileURLToPath(new URL("../../../src/cli.js", import.meta.url));

/** Runs a program to its end. Throws Error when it is not there or fails. */
export async function run(command: string, words: readonly string[], options: RunOptions = {}): Promise<Took> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-usage-"));
  const usage = join(folder, "usage.json");
  const env = { ...process.env, LC_ALL: "C", USAGE_REPORT: usage, ...options.environment };
  try {
    const child = spawn("bash", ["-c", TIMED, "bash", command, ...words], {
      env,
      cwd: options.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    if (!(options.allowed ?? [0]).includes(code))
      throw new Error(`${command} ${words.join(" ")} ended with ${code}:\n${errors}`);
    const [seconds = 0, user = 0, system = 0] = (errors.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number);
    return { seconds, cpuSeconds: user + system, peakBytes: await peakIn(usage), output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function peakIn(file: string): Promise<number | undefined> {
  try {
    return (JSON.parse(await readFile(file, "utf8")) as { readonly peakBytes: number }).peakBytes;
  } catch {
    // The program does not run on Node.
    return undefined;
  }
}

/** Runs a script of this folder, or guideferry itself. */
export function runNode(script: string, words: readonly string[], options: RunOptions = {}): Promise<Took> {
  const environment = { NODE_OPTIONS: `--import=${REPORTER}`, ...options.environment };
  return run(process.execPath, [script, ...words], { ...options, environment });
}

export function runGuideferry(words: readonly string[], options: RunOptions = {}): Promise<Took> {
  return runNode(PROGRAM, [...words, "--no-progress"], options);
}

/** Is there such a program? */
export async function isThere(command: string): Promise<boolean> {
  const child = spawn("bash", ["-c", 'command -v "$1"', "bash", command], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** The middle one of several runs, by the time that it took. */
export function median(runs: readonly Took[]): Took {
  const found = runs.toSorted((one, other) => one.seconds - other.seconds)[Math.floor((runs.length - 1) / 2)];
  if (found === undefined) throw new Error("Nothing was run.");
  return found;
}
