import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * The workspace's code as JavaScript, for processes of its own: what lies in dist may be older than
 * the source.
 */
export interface CompiledCode {
  /**
   * Starts `source`, a module that may import `./src/…`; `before` is put in front of node on the
   * command line.
   */
  run(source: string, before?: readonly string[]): Child;
  remove(): void;
}

export interface Child {
  readonly process: ChildProcess;
  /** Each line that it prints. */
  readonly lines: AsyncIterableIterator<string>;
  /** All that it prints, when it has ended. */
  readonly output: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export async function compileWorkspace(): Promise<CompiledCode> {
  const folder = mkdtempSync(join(tmpdir(), "guideferry-compiled-"));
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const files = [
    "src/storage/workspace/workspace.ts",
    "src/storage/workspace/inspect.ts",
    "src/storage/workspace/target-registry.ts",
  ];
  const settings = {
    extends: join(PROJECT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: PROJECT,
      outDir: folder,
      typeRoots: [join(PROJECT, "node_modules/@types")],
    },
    include: files.map((file) => join(PROJECT, file)),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(PROJECT, "node_modules/typescript/bin/tsc");
  const compiling = spawn(process.execPath, [compiler, "-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(compiling, "exit");
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (code !== 0) {
    remove();
    throw new Error(`The workspace's code does not compile: tsc ended with ${String(code)}`);
  }
  let scripts = 0;
  return {
    run: (source, before = []) => {
      scripts += 1;
      const script = join(folder, `script-${scripts}.js`);
      writeFileSync(script, source);
      return start([...before, process.execPath, "--expose-gc", script]);
    },
    remove,
  };
}

function start([program = "", ...parameters]: readonly string[]): Child {
  const child = spawn(program, parameters, { stdio: ["pipe", "pipe", "inherit"] });
  const reader = createInterface({ input: child.stdout });
  const output: string[] = [];
  reader.on("line", (line) => output.push(line));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return { process: child, lines: reader[Symbol.asyncIterator](), output: ended.then(() => output.join("\n")), ended };
}
