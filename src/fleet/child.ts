import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../core/errors.js";
import { isObject, type JsonObject, parseJson, textIn } from "../core/util/json.js";
import { createRedactor, passwordsIn, Secret } from "../service/http/secret.js";
import type { ClaimedRun, RunEnd } from "./jobs.js";

/** A command that runs for a task. */
export interface Child {
  /** Never rejects: a child that could not be started ends with 2. */
  readonly ended: Promise<RunEnd>;
  /** Asks it to stop as Ctrl-C does; a second call ends it at once. */
  stop(): void;
  kill(): void;
  /** The last object of the type `progress`; null: none yet. */
  progress(): object | null;
  /** The log's lines since the last call, bounded in all; at the end, also the last lines. */
  takeLog(isEnd: boolean): string;
}

/** Starts the command of a run. */
export type StartChild = (claimed: ClaimedRun) => Child;

interface ChildOptions {
  /** The program and its first words: `[node, cli.js]`. */
  readonly program: readonly [string, ...string[]];
  /** That of the worker. Its sign-ins are not passed on: a token must not go to another's site. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The addresses of the database and the store, and the keys of the fleet. */
  readonly fleet: Readonly<Record<string, string>>;
  /** Variables of the worker's environment that no child gets. */
  readonly withheld: ReadonlySet<string>;
  /** The folder in which each task has one of its own. */
  readonly workspaces: string;
}

/** Bytes of a run's output that are kept from its start, and from its end. */
const LOG_START = 192 * 1024;
const LOG_END = 64 * 1024;
const LONGEST_LINE = 4096;
const LONGEST_EVENT = 1024;
const LONGEST_SUMMARY = 32 * 1024;

/** Makes the function that starts the ordinary command as a process with a channel to this one. */
export function childStarter(options: ChildOptions): StartChild {
  return (claimed) => {
    const log = createLog();
    let process: ChildProcess | undefined;
    let [stops, killed] = [0, false];
    const signal = (): void => {
      if (process === undefined) return;
      if (killed) process.kill("SIGKILL");
      else if (stops > 0) process.kill("SIGTERM");
    };
    const ended = begin(claimed, options, log, (started) => {
      process = started;
      signal();
    });
    return {
      ended: ended.catch((error: unknown) => {
        const words = error instanceof Error ? error.message : String(error);
        log.message("error", words);
        return { exitCode: 2, words, progress: null, summary: null };
      }),
      stop: () => {
        stops += 1;
        signal();
      },
      kill: () => {
        killed = true;
        signal();
      },
      progress: () => log.progress,
      takeLog: log.take,
    };
  };
}

async function begin(
  claimed: ClaimedRun,
  { program, environment, fleet, withheld, workspaces }: ChildOptions,
  log: Log,
  onStart: (process: ChildProcess) => void,
): Promise<RunEnd> {
  const folder = join(workspaces, claimed.task);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = Object.entries(environment).filter(([name]) => !withheld.has(name));
  const credentials = credentialsOf(claimed, environment);
  const addresses = Object.values(fleet).filter((value) => passwordsIn(value).length > 0);
  const hidden = [...Object.values(credentials), ...addresses].map((text) => new Secret(text));
  log.hide([...hidden, ...addresses.flatMap(passwordsIn)]);
  log.message("note", `Attempt ${claimed.attempt}: guideferry ${claimed.words.join(" ")}`);
  const [node, ...words] = program;
  const child = spawn(node, [...words, ...claimed.words, "--json"], {
    // Ctrl-C on the worker's terminal is the worker's to pass on, after its time to drain.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      ...Object.fromEntries(kept),
      ...fleet,
      GUIDEFERRY_WORKSPACE: join(folder, "workspace"),
      GUIDEFERRY_FLEET_TASK: claimed.task,
      GUIDEFERRY_FLEET_RUN: claimed.run,
      ...credentials,
    },
  });
  onStart(child);
  child.stdout?.setEncoding("utf8").on("data", linesOf(log.output));
  child.stderr?.setEncoding("utf8").on("data", linesOf(log.line));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (exitCode === null) log.message("error", `The signal ${child.signalCode} ended the process.`);
  return { exitCode, words: log.lastWords, progress: log.progress, summary: log.summary };
}

/**
 * The variables of a run's credentials. `env:NAME` is read from the worker's environment; the child
 * reads `file:PATH` and runs `command:LINE` itself.
 *
 * @throws UsageError for a variable that this worker does not have
 */
function credentialsOf(
  { credentials }: Pick<ClaimedRun, "credentials">,
  environment: ChildOptions["environment"],
): Readonly<Record<string, string>> {
  const variables = Object.entries(credentials).map(([variable, reference]): readonly [string, string] => {
    const [, form = "", value = ""] = /^(env|file|command):(.*)$/s.exec(reference) ?? [];
    if (form === "file") return [`${variable}_FILE`, value];
    if (form === "command") return [`${variable}_COMMAND`, value];
    const read = environment[value]?.trim() ?? "";
    if (read !== "") return [variable, read];
    throw new UsageError(
      `The task takes ${variable} from the variable ${value}, which is not set on this worker. Set it there, restart the worker, then run: guideferry fleet retry TASK`,
    );
  });
  return Object.fromEntries(variables);
}

interface Log {
  readonly lastWords: string;
  readonly progress: object | null;
  readonly summary: object | null;
  hide(secrets: readonly Secret[]): void;
  /** A line of stdout: an object of `--json`. */
  output(line: string): void;
  /** A line of stderr. */
  line(text: string): void;
  message(level: string, text: string): void;
  take(isEnd: boolean): string;
}

/** Messages of a run as lines with their time: of too many, the first and the last ones. */
function createLog(): Log {
  const redactor = createRedactor([]);
  const facts: { words: string; progress: JsonObject | null; summary: JsonObject | null } = {
    words: "",
    progress: null,
    summary: null,
  };
  let [fresh, end] = ["", ""];
  let [written, leftOut] = [0, 0];
  const add = (text: string): void => {
    const line = `${new Date().toISOString().slice(0, 19)}Z ${clean(redactor.redact(text)).slice(0, LONGEST_LINE)}\n`;
    if (written < LOG_START) {
      written += line.length;
      fresh += line;
      return;
    }
    end += line;
    if (end.length <= LOG_END) return;
    leftOut += end.length - LOG_END;
    end = end.slice(-LOG_END);
  };
  const message = (level: string, text: string): void => {
    if (level !== "note") facts.words = clean(redactor.redact(text)).slice(0, LONGEST_LINE);
    add(level === "note" ? text : `${level}: ${text}`);
  };
  return {
    get lastWords() {
      return facts.words;
    },
    get progress() {
      return facts.progress;
    },
    get summary() {
      return facts.summary;
    },
    hide: (secrets) => {
      for (const secret of secrets) redactor.add(secret);
    },
    output: (line) => {
      const object = parsed(line);
      if (object === null) {
        add(line);
        return;
      }
      const type = textIn(object["type"]);
      if (type === "progress") facts.progress = object;
      else if (type === "summary" && line.length <= LONGEST_SUMMARY) facts.summary = object;
      else if (MESSAGES.has(type)) message(type, textIn(object["message"]));
      if (!MESSAGES.has(type) && type !== "progress") add(inWords(type, object) ?? line.slice(0, LONGEST_EVENT));
    },
    // The same words as those of the object `error` or `stopped`.
    line: (text) => {
      const known = facts.words.split("\n").map((one) => one.trim());
      if (!known.some((one) => one !== "" && text.includes(one))) add(text);
      if (facts.words === "") facts.words = clean(redactor.redact(text)).slice(0, LONGEST_LINE);
    },
    message,
    take: (isEnd) => {
      const gap = leftOut === 0 ? "" : `(${leftOut} bytes are left out here)\n`;
      const text = isEnd ? fresh + gap + end : fresh;
      fresh = "";
      return text;
    },
  };
}

const MESSAGES: ReadonlySet<string> = new Set(["note", "warning", "error", "stopped"]);

/** Members of an object, by its type, which say it to a person. Others are kept as they are. */
const SPOKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ["issue", ["level", "key", "message", "remedy"]],
  ["failure", ["stage", "key", "reason", "remedy"]],
  ["report", ["html"]],
  ["summary", ["outcome"]],
]);

function inWords(type: string, object: JsonObject): string | undefined {
  const words = SPOKEN.get(type)?.map((name) => textIn(object[name]));
  return words && [type === "issue" ? "" : type, ...words].filter((word) => word !== "").join(": ");
}

/** Postgres stores no NUL. */
function clean(text: string): string {
  return text.replaceAll("\0", "");
}

function parsed(line: string): JsonObject | null {
  if (!line.startsWith("{")) return null;
  const value = parseJson(clean(line).replaceAll("\\u0000", ""));
  return isObject(value) ? value : null;
}

/** Calls `take` with each whole line of a stream. */
function linesOf(take: (line: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    // Content without a line end must not fill the memory.
    rest = (lines.pop() ?? "").slice(-8 * LONGEST_SUMMARY);
    for (const line of lines) if (line !== "") take(line);
  };
}
