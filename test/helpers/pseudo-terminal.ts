import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built program. */
export const PROGRAM = fileURLToPath(new URL("../../lib/src/cli.js", import.meta.url));

/**
 * Runs a program on a pseudo-terminal of its own; lines "columns rows" on descriptor 3 resize it.
 */
const RELAY = `
import fcntl, os, pty, select, signal, struct, sys, termios
columns, rows, *words = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.close(3)
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(words[0], words)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
sources = [terminal, 0, 3]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        keys = os.read(0, 65536)
        if keys: os.write(terminal, keys)
        else: sources.remove(0)
    if 3 in ready:
        size = os.read(3, 64).split()
        if size:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(size[1]), int(size[0]), 0, 0))
            os.kill(child, signal.SIGWINCH)
        else: sources.remove(3)
    if terminal in ready:
        try: text = os.read(terminal, 65536)
        except OSError: text = b""
        if not text: break
        os.write(1, text)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
`;

/**
 * Milliseconds after which a program that waits for keys is taken to wait for others than it gets.
 */
const SILENCE = 60_000;

export interface TerminalOptions {
  readonly columns: number;
  readonly rows?: number;
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A program on a pseudo-terminal. */
export interface OnTerminal {
  readonly child: ChildProcess;
  /** Everything that it wrote so far, with what terminals obey. */
  written(): string;
  /** Resolves when what it wrote since the last call matches; rejects when it ends without. */
  seen(pattern: RegExp): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Its exit code, and what it wrote. */
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** Starts a program on a pseudo-terminal; it is killed when the test ends before it. */
export function startOnTerminal(words: readonly string[], options: TerminalOptions): OnTerminal {
  const { columns, rows = 40, directory, environment = {} } = options;
  const child = spawn("python3", ["-c", RELAY, String(columns), String(rows), ...words], {
    cwd: directory,
    env: { PATH: process.env["PATH"], HOME: directory, TERM: "xterm-256color", LANG: "C.UTF-8", ...environment },
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  onTestFinished(() => {
    // The terminal goes with the relay, and what runs on it gets SIGHUP.
    child.kill("SIGKILL");
  });
  let [text, from] = ["", 0];
  let listener = (): void => undefined;
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    listener();
  });
  const ended = new Promise<{ code: number | null; text: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, text }));
  });
  return {
    child,
    written: () => text,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void =>
          reject(new Error(`${why} without ${pattern}: ${JSON.stringify(plain(text.slice(from)))}`));
        const timer = setTimeout(() => fail("nothing came"), SILENCE);
        listener = () => {
          if (!pattern.test(plain(text.slice(from)))) return;
          clearTimeout(timer);
          from = text.length;
          listener = () => undefined;
          resolve();
        };
        ended.then(() => fail("it ended"), reject);
        listener();
      }),
    type: (keys) => void child.stdin?.write(keys),
    resize: (wide, high) => {
      const sizes = child.stdio[3];
      if (sizes === null || sizes === undefined || !("write" in sizes))
        throw new Error("the relay has no descriptor 3");
      sizes.write(`${wide} ${high}\n`);
    },
    ended,
  };
}

/** What was written, without what terminals obey. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals obey.
  return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\u001b[=>78]|\u001b\][^\u0007]*\u0007/g, "");
}
