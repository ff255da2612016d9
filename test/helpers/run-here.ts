import { PassThrough, Readable } from "node:stream";
import { run } from "../../src/commands/run.js";

export interface RunHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunHereOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command line in this process, where a process of its own would show nothing more. Its paths must be absolute. */
export async function runHere(words: readonly string[], options: RunHereOptions = {}): Promise<RunHere> {
  const { input = "", environment = {} } = options;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = (): Readable => Readable.from([Buffer.from(input)]);
  const code = await run({ words, environment, directory: "/", stdin, stdout, stderr, version: "0" });
  return { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
}
