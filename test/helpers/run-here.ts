import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/commands/run.js";

const { version }: { readonly version: string } = createRequire(import.meta.url)("guideferry/package.json");

/** What outlives a run goes nowhere near the home of who runs the tests. */
export const OWN_STATE = {
  XDG_STATE_HOME: join(tmpdir(), "guideferry-test-state"),
  XDG_CACHE_HOME: join(tmpdir(), "guideferry-test-cache"),
};

export interface RunHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunHereOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where relative paths begin. Default: no path is relative. */
  readonly directory?: string;
  /** The terminal to which what it prints goes. Default: none. */
  readonly terminal?: { readonly columns: number };
  /** Of another build than this one. Default: `run` of src. */
  readonly program?: typeof run;
}

/** Runs a command line in this process, where a process of its own would show nothing more. */
export async function runHere(words: readonly string[], options: RunHereOptions = {}): Promise<RunHere> {
  const { input = "", directory, terminal, program = run } = options;
  const environment = { ...OWN_STATE, ...options.environment };
  const [stdout, stderr] = [new Text(terminal), new Text(terminal)];
  const stdin = (): Readable => Readable.from([Buffer.from(input)]);
  const leave = directory === undefined ? undefined : enter(directory);
  const endHurry = hurry();
  try {
    const code = await program({ words, environment, directory: directory ?? "/", stdin, stdout, stderr, version });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    endHurry();
    leave?.();
  }
}

/** Runs that are under way. */
let hurried = 0;
const { random } = Math;

/**
 * Tries of a request follow each other at once: the wait between them is a random share of a time,
 * here none of it. Their number and all that a site asks for stay.
 */
function hurry(): () => void {
  hurried += 1;
  Math.random = () => 0;
  return () => {
    hurried -= 1;
    if (hurried === 0) Math.random = random;
  };
}

/** What was written. */
class Text extends Writable {
  readonly isTTY: boolean;
  readonly columns?: number;
  readonly #parts: Buffer[] = [];

  constructor(terminal: RunHereOptions["terminal"]) {
    super();
    this.isTTY = terminal !== undefined;
    if (terminal !== undefined) this.columns = terminal.columns;
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#parts.push(part);
    done();
  }

  text(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }
}

/** Runs that are in a folder now: a process is in one only. */
let visit: { readonly directory: string; readonly home: string; runs: number } | undefined;

function enter(directory: string): () => void {
  if (visit !== undefined && visit.directory !== directory) {
    throw new Error(
      `A run is in ${visit.directory}, and another one wants to be in ${directory}: start one by itself.`,
    );
  }
  visit ??= { directory, home: process.cwd(), runs: 0 };
  const here = visit;
  here.runs += 1;
  // By the property: a library that is loaded on the way puts functions of its own there, and keeps
  // the folder in mind.
  process.chdir(directory);
  return () => {
    here.runs -= 1;
    if (here.runs > 0) return;
    process.chdir(here.home);
    visit = undefined;
  };
}
