import { connect } from "node:net";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/commands/run.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { type LiveView, liveViewOf } from "./live-view.js";

/** A run with `--ui` in this process, while it is on. */
export interface ShownHere {
  readonly view: LiveView;
  readonly ended: Promise<{ readonly code: number; readonly text: string }>;
}

/** Starts a command line with absolute paths; resolves once it says where its page is. */
export async function startShown(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ShownHere> {
  const heard = new Heard();
  const around = {
    words: [...words, "--ui"],
    environment,
    directory: "/",
    stdin: () => Readable.from([]),
    version: "0",
  };
  const ended = run({ ...around, stdout: heard, stderr: heard }).then((code) => ({ code, text: heard.text }));
  const seen = (pattern: RegExp) => heard.seen(pattern, ended);
  return { view: await liveViewOf({ seen }), ended };
}

/**
 * Answers come late from now on, so that no run ends while somebody finds its button; the function
 * that it gives ends that.
 */
export function slowDown(sandboxes: readonly Sandbox[]): () => void {
  let isSlow = true;
  for (const { faults } of sandboxes) faults.decide(() => (isSlow ? { kind: "delay", milliseconds: 100 } : undefined));
  return () => {
    isSlow = false;
  };
}

/** A browser that begins to listen and is killed. */
export async function killedBrowser({ origin, token }: LiveView): Promise<void> {
  const { port, host } = new URL(origin);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(`GET /events?token=${token} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
    socket.once("data", () => socket.resetAndDestroy());
    socket.once("close", () => resolve());
    socket.once("error", reject);
  });
}

/** What was written so far, and who waits for more. */
class Heard extends Writable {
  text = "";
  readonly #waiting = new Set<() => void>();

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += part.toString("utf8");
    for (const look of this.#waiting) look();
    done();
  }

  seen(pattern: RegExp, ended: Promise<unknown>): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.text);
        if (match !== null) resolve(match);
      };
      this.#waiting.add(look);
      ended.then(() => reject(new Error(`It ended without ${pattern}: ${this.text}`)), reject);
      look();
    });
  }
}
