import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/** The archive's code as JavaScript, for processes of its own that are killed or measured. */
export interface CompiledCode {
  /** Starts `source`, a module that may import `./src/archive/…`; `before` is put in front of node on the command line. */
  run(source: string, before?: readonly string[]): ArchiveChild;
  remove(): void;
}

export interface ArchiveChild {
  readonly process: ChildProcess;
  /** All that it prints, when it has ended. */
  readonly output: Promise<string>;
  /** When it has printed its first line. */
  readonly started: Promise<void>;
}

export async function compileArchive(): Promise<CompiledCode> {
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
    include: [join(PROJECT, "src/archive/**/*.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = spawn(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", folder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(compiler, "exit");
  if (code !== 0) {
    remove();
    throw new Error(`The archive's code does not compile: tsc ended with ${String(code)}`);
  }
  let scripts = 0;
  return {
    run: (source, before = []) => {
      scripts += 1;
      const script = join(folder, `script-${scripts}.js`);
      writeFileSync(script, source);
      return start([...before, process.execPath, script]);
    },
    remove,
  };
}

function start([program = "", ...parameters]: readonly string[]): ArchiveChild {
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  const output = once(child, "close").then(() => Buffer.concat(pieces).toString("utf8"));
  const started = once(child.stdout, "data").then(() => undefined);
  return { process: child, output, started };
}
