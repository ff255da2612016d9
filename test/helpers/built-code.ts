import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { smallHeap } from "./small-heap.js";

/** The built modules, as `npm run build` leaves them. */
const BUILT = new URL("../../dist/", import.meta.url);

export interface BuiltOptions {
  /** What stands in front of node on the command line. */
  readonly before?: readonly string[];
  /** Its working folder, and the one for temporary files. Default: those of this process. */
  readonly home?: string;
  /** Flags of node. Default: a heap of 128 MB. */
  readonly flags?: readonly string[];
}

/** A process of its own that runs modules of the project. */
export interface BuiltChild {
  readonly process: ChildProcess;
  /** Each line that it prints. */
  readonly lines: AsyncIterableIterator<string>;
  /** All that it prints, when it has ended. */
  readonly output: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/**
 * Runs `source` in a process that a test kills, limits or measures: the text of a module, which
 * imports those of the project as `./src/…`.
 */
export function runBuilt(source: string, { before = [], home, flags = smallHeap(128) }: BuiltOptions = {}): BuiltChild {
  if (!existsSync(BUILT)) throw new Error(`${BUILT.pathname} is not there: run \`npm run build\` first.`);
  const code = source.replaceAll('from "./src/', `from "${BUILT.href}src/`);
  const [program = "", ...words] = [...before, process.execPath, ...flags, "--input-type=module", "--eval", code];
  const child = spawn(program, words, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(home !== undefined && { cwd: home, env: { ...process.env, TMPDIR: home, HOME: home } }),
  });
  const reader = createInterface({ input: child.stdout });
  const output: string[] = [];
  reader.on("line", (line) => output.push(line));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return { process: child, lines: reader[Symbol.asyncIterator](), output: ended.then(() => output.join("\n")), ended };
}
