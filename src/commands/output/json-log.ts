import { stripVTControlCharacters } from "node:util";
import { FerryError, messageOf } from "../../core/errors.js";
import { objectIn, textIn } from "../../core/util/json.js";
import { jsonText } from "../../core/util/printable-text.js";
import { redactTexts } from "../../service/http/secret.js";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { createOutput, type Output, type OutputOptions } from "./output.js";
import type { Writer } from "./writer.js";

type Level = "debug" | "info" | "warn" | "error";

/** `--log-format json`: each message is one JSON object in a line of stderr. */
export interface Log {
  write(level: Level, message: string, facts?: object): void;
}

/** `run` and `command` are in every line. */
interface LogOptions {
  readonly stream: NodeJS.WritableStream;
  readonly redact: (text: string) => string;
  readonly run: string;
  /** "": the command line names none. */
  readonly command: string;
}

export function createLog({ stream, redact, run, command }: LogOptions): Log {
  return {
    write: (level, message, facts = {}) => {
      const line = { time: new Date().toISOString(), level, run, command: command || null };
      stream.write(`${jsonText({ ...line, ...redactTexts({ message, ...facts }, redact) })}\n`);
    },
  };
}

/** Milliseconds between two lines of progress of a stage; the last one is always written. */
const PROGRESS_EVERY = 10_000;

/**
 * The output of a command whose messages go into the log. `out` null: stdout is the content of the
 * command, so its results are messages too. With `--json` the objects stay on the stream that they
 * have without a log.
 */
export function logOutput(options: OutputOptions, out: Writer | null, error: Writer, log: Log): Output {
  const results = createOutput({ ...options, progress: false }, ...streamsOf(options, out, error, log));
  const progress = progressLines(options, log);
  return {
    ...results,
    event: (type, facts) => {
      results.event(type, facts);
      if (type === "failure") logFailure(log, objectIn(facts));
    },
    note: (text) => {
      if (!options.quiet) log.write("info", text);
      if (options.json) results.note(text);
    },
    warn: (text) => {
      log.write("warn", text);
      if (options.json) results.warn(text);
    },
    request: (text) => {
      if (options.verbose) log.write("debug", text);
      if (options.json) results.request(text);
    },
    progress: (event) => {
      progress(event);
      if (options.json) results.progress(event);
    },
    fail: (text, exitCode, reason) => {
      log.write("error", text, { exitCode, ...(reason === undefined ? {} : { error: errorFacts(reason) }) });
      if (options.json) results.fail(text, exitCode);
    },
    stopped: (text, exitCode) => {
      log.write("error", text, { exitCode });
      if (options.json) results.stopped(text, exitCode);
    },
  };
}

/** Results of content commands are lines of the log, unless they are objects already. */
function streamsOf(options: OutputOptions, out: Writer | null, error: Writer, log: Log): readonly [Writer, Writer] {
  const lines: Writer = {
    ...error,
    terminal: false,
    line: (text) => log.write("info", typeof text === "string" ? text : stripVTControlCharacters(text.safe)),
  };
  // The messages are written by logOutput.
  const nothing: Writer = { ...lines, line: () => undefined, dated: () => nothing };
  return [out ?? (options.json ? error : lines), nothing];
}

function logFailure(log: Log, { stage, key, reason, remedy }: Readonly<Record<string, unknown>>): void {
  log.write("error", textIn(reason), { stage, key, remedy });
}

/** With `--verbose` a line for each item; else one from time to time, and the end of each stage. */
function progressLines({ verbose, quiet, progress }: OutputOptions, log: Log): (event: ProgressEvent) => void {
  const due = new Map<Stage, number>();
  return ({ stage, key, done, total, failed, duration }) => {
    const now = Date.now();
    const isDue = done === total || now >= (due.get(stage) ?? 0);
    if (quiet || !progress || !(verbose || isDue)) return;
    if (isDue) due.set(stage, now + PROGRESS_EVERY);
    const of = total === null ? "" : ` of ${total}`;
    const item = key === undefined ? {} : { key, ...(duration === undefined ? {} : { durationMs: duration }) };
    log.write(isDue ? "info" : "debug", `${stage} ${done}${of}`, { stage, ...item, done, total, failed });
  };
}

/** A chain is not endless, though a wrong library may make a ring. */
const DEEPEST_CAUSE = 5;

function errorFacts(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: "unknown", message: messageOf(error) };
  const { name, message, cause } = error;
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const retriable = error instanceof FerryError ? { retriable: error.retriable } : {};
  const below = cause === undefined || depth === DEEPEST_CAUSE ? {} : { cause: errorFacts(cause, depth + 1) };
  return { name, message, ...code, ...retriable, ...below };
}
