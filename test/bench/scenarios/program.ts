import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/index.js";

/** A source, a target, and the program between them with a workspace of its own. */
export interface Pair {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
  /**
   * Runs the program; gives its exit code. What it prints is shown when it ends with something else
   * than `expected`.
   */
  run(words: readonly string[], expected?: number): Promise<number | null>;
  /** Ends the target and removes the workspace; the source is the caller's. */
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../../../src/cli.js", import.meta.url));

export async function pairOf(source: Sandbox, options: SandboxOptions): Promise<Pair> {
  const target = await startSandbox(options);
  const directory = mkdtempSync(join(tmpdir(), "guideferry-scenario-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    GUIDEFERRY_SOURCE_TOKEN: source.token,
    GUIDEFERRY_TARGET_TOKEN: target.token,
    GUIDEFERRY_WORKSPACE: join(directory, "work"),
  };
  return {
    source,
    target,
    workspace: join(directory, "work"),
    async run(words, expected = 0) {
      const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: directory, env });
      const said: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text) => said.push(text));
      const [code] = (await once(child, "close")) as [number | null];
      if (code !== expected)
        console.log(`guideferry ${words.join(" ")} ended with ${code}:\n${said.join("").slice(-4000)}`);
      return code;
    },
    async close() {
      await target.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
