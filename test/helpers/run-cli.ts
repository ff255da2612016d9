import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { OWN_STATE, runHere } from "./run-here.js";

/** The program as npm publishes it, which `npm run build` makes. */
const PROGRAM = fileURLToPath(new URL("../../lib/src/cli.js", import.meta.url));
/** The same with a file for each module. */
const MODULES = fileURLToPath(new URL("../../dist/src/cli.js", import.meta.url));

export interface CliOptions {
  readonly directory?: string;
  /**
   * Replaces the GUIDEFERRY_ variables and those that change the output; the rest comes from this
   * process.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** What stands on its stdin. Default: nothing. */
  readonly input?: string | Buffer;
}

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A guideferry that runs. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** Resolves when stdout and stderr together match; rejects when the program ends without. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * Runs guideferry to its end, in this process: starting one takes longer than most of what is
 * tested. Who looks at a process (its signals, memory, NODE_OPTIONS or temporary folder) takes
 * startCli.
 */
export async function runCli(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return { signal: null, ...(await runHere(words, options)) };
}

export interface StartOptions extends Omit<CliOptions, "input"> {
  /** null: its stdin stays open, for the test to write. */
  readonly input?: CliOptions["input"] | null;
  /** false: a file for each module, for a test of what is loaded. Default: true, as npm publishes it. */
  readonly isBundled?: boolean;
  /** The path of another build of the program. */
  readonly program?: string;
  /** Has a channel to this process, as from a worker of a fleet. Default: none. */
  readonly worker?: true;
}

/** Starts guideferry; it is killed when the test ends before it. */
export function startCli(words: readonly string[], options: StartOptions = {}): RunningCli {
  const program = options.program ?? (options.isBundled === false ? MODULES : PROGRAM);
  if (!existsSync(program)) throw new Error(`${program} is not there: run \`npm run build\` first.`);
  const child = spawn(process.execPath, [program, ...words], {
    cwd: options.directory ?? process.cwd(),
    env: { ...plainEnvironment(), ...OWN_STATE, ...options.environment },
    stdio: [
      options.input === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      ...(options.worker ? (["ipc"] as const) : []),
    ],
  });
  child.stdin?.on("error", ignoreClosed);
  if (typeof options.input === "string" || Buffer.isBuffer(options.input)) child.stdin?.end(options.input);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return watch(child);
}

/** A program that ends before it has read everything is no fault of the test. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function watch(child: ChildProcess): RunningCli {
  const texts = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(texts.stdout + texts.stderr);
        if (match !== null) resolve(match);
      };
      listeners.add(look);
      ended.then(() => reject(new Error(`It ended without ${pattern}: ${texts.stdout}${texts.stderr}`)), reject);
      look();
    });
  return { child, ended, seen };
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("GUIDEFERRY_") && !["CI", "NO_COLOR", "FORCE_COLOR"].includes(name),
  );
  return Object.fromEntries(kept);
}
