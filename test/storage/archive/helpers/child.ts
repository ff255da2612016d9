import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { smallHeap } from "../../../helpers/small-heap.js";

const PROJECT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Code as JavaScript, for processes of its own that are killed or measured. */
export interface CompiledCode {
  /**
   * Starts `source`, a module that may import what was compiled, as `./src/storage/archive/…`;
   * `before` is put in front of node on the command line, and `home` is its working folder, and the
   * one for temporary files. `megabytes`: see smallHeap; default 128.
   */
  run(source: string, before?: readonly string[], home?: string, megabytes?: number): ArchiveChild;
  remove(): void;
}

export interface ArchiveChild {
  readonly process: ChildProcess;
  /** All that it prints, when it has ended. */
  readonly output: Promise<string>;
  /** When it has printed its first line. */
  readonly started: Promise<void>;
}

/** The archive's code. */
export async function compileArchive(): Promise<CompiledCode> {
  return compile("src/storage/**/*.ts");
}

/** Files of the project by a pattern, and what they import. */
export async function compile(pattern: string): Promise<CompiledCode> {
  const folder = mkdtempSync(join(tmpdir(), "guideferry-archive-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const compilerOptions = {
    noEmit: false,
    rootDir: PROJECT,
    outDir: folder,
    typeRoots: [join(PROJECT, "node_modules/@types")],
  };
  const settings = {
    extends: join(PROJECT, "tsconfig.json"),
    compilerOptions,
    include: [join(PROJECT, pattern)],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = spawn(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", folder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(compiler, "exit");
  if (code !== 0) {
    remove();
    throw new Error(`The code does not compile: tsc ended with ${String(code)}`);
  }
  let scripts = 0;
  return {
    run: (source, before = [], home, megabytes = 128) => {
      scripts += 1;
      const script = join(folder, `script-${scripts}.js`);
      writeFileSync(script, source);
      return start([...before, process.execPath, ...smallHeap(megabytes), script], home);
    },
    remove,
  };
}

function start([program = "", ...parameters]: readonly string[], home: string | undefined): ArchiveChild {
  const child = spawn(program, parameters, {
    stdio: ["ignore", "pipe", "inherit"],
    ...(home === undefined ? {} : { cwd: home, env: { ...process.env, TMPDIR: home, HOME: home } }),
  });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  const output = once(child, "close").then(() => Buffer.concat(pieces).toString("utf8"));
  const started = once(child.stdout, "data").then(() => undefined);
  return { process: child, output, started };
}
