import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import { EXIT } from "../../core/errors.js";
import { objectIn, textIn } from "../../core/util/json.js";
import { jsonText } from "../../core/util/printable-text.js";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { leftOutSchema } from "../../web/report/run-report.js";
import { meaningOf } from "../exit-codes.js";
import { createLimitsWatch, createPaceMeasure, createRunClock, type LookAtQueues } from "./pace.js";
import { createProgressDisplay } from "./progress.js";
import { count } from "./words.js";
import { foldText, type Label, type SafeText, type Style, type Writer } from "./writer.js";

/** The output of a command; `--json`, `--quiet` and `--verbose` decide what is printed and how. */
export interface Output {
  /**
   * The result, for a person: stdout. On a terminal, prose is broken between words.
   * A style is that of the words before the first colon.
   */
  say(text: string, form?: "prose" | Style): void;
  /** The result as rows: stdout. */
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void;
  /** The result for a program, only with `--json`: one JSON object a line on stdout. */
  event(type: string, facts: object): void;
  /** A message: stderr, not with `--quiet`. */
  note(text: string): void;
  /** A warning, also with `--quiet`. */
  warn(text: string): void;
  /** A request, with `--verbose`. */
  request(text: string): void;
  progress(event: ProgressEvent): void;
  /** From now on progress also shows what limits the run at these queues. */
  watch(look: LookAtQueues): void;
  /** The end of a run that failed; `reason` is the error, for a structured log. */
  fail(text: string, exitCode: number, reason?: unknown): void;
  /** The end of a run that a signal stopped. */
  stopped(text: string, exitCode: number): void;
  /** Removes progress bars from the screen. */
  close(): void;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  /** The lines of stderr start with the time unless it is a terminal: a long command logs there. */
  readonly dated: boolean;
}

export function createOutput(options: OutputOptions, out: Writer, error: Writer): Output {
  return options.json ? jsonOutput(options, out, error) : humanOutput(options, out, error);
}

/** Results on stdout, everything else on stderr, progress bars on a terminal. */
function humanOutput(options: OutputOptions, out: Writer, stderr: Writer): Output {
  const error = options.dated && !stderr.terminal ? stderr.dated(() => new Date()) : stderr;
  const display = createProgressDisplay(options.progress && !options.quiet, error);
  const result = (text: string | SafeText, label?: Label): void => {
    if (options.quiet) return;
    // If both streams are one screen, a result would break the bars.
    if (out.terminal && display.isDrawn()) display.line(text, label);
    else out.line(text, label);
  };
  const lines = (text: string, label?: Label): void => display.line(folded(error, text, label), label);
  const warn = (text: string): void => lines(text, { style: "yellow", text: "warning:" });
  return {
    say: (text, form) => {
      const [, words = "", rest = ""] = /^([^:]*:) (.*)$/s.exec(text) ?? [];
      if (form === undefined || form === "prose" || words === "") result(form === undefined ? text : folded(out, text));
      else result(folded(out, rest, { style: form, text: words }), { style: form, text: words });
    },
    table: (head, rows) => result(layTable(head, rows, out)),
    event: options.quiet ? createQuietEnd(warn) : () => undefined,
    note: (text) => {
      if (!options.quiet) lines(text);
    },
    warn,
    request: (text) => {
      if (options.verbose) display.line(text);
    },
    progress: (event) => {
      if (!options.quiet) display.show(event);
    },
    watch: display.watch,
    fail: (text) => lines(text, { style: "red", text: "error:" }),
    stopped: (text) => lines(text),
    close: () => display.close(),
  };
}

/** As it fits before the terminal's last column, below and behind a label. */
function folded(writer: Writer, text: string, label?: Label): string {
  const columns = writer.columns();
  return columns === null ? text : foldText(text, columns - 1, label === undefined ? 0 : label.text.length + 1);
}

/** Milliseconds between two progress objects of a stage; the last one is always printed. */
const PROGRESS_EVERY = 1000;

/**
 * One JSON object a line on stdout and nothing else; stderr has only the message of a failure. If
 * stdout is needed for content, both are one stream, which has only the objects.
 */
function jsonOutput(options: OutputOptions, out: Writer, error: Writer): Output {
  const due = new Map<Stage, number>();
  const { watch, limits, sites } = createLimitsWatch();
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const event = (type: string, facts: object): void => out.line(jsonText({ type, ...facts }));
  const progress = (progress: ProgressEvent): void => {
    const now = Date.now();
    const { rate, left } = measure(progress);
    clock.note(progress);
    if (options.quiet || (progress.done !== progress.total && now < (due.get(progress.stage) ?? 0))) return;
    due.set(progress.stage, now + PROGRESS_EVERY);
    const [known, whole] = [limits(), clock.leftInAll()];
    event("progress", {
      ...progress,
      ...(rate === null ? {} : { perSecond: rate }),
      ...(left === null ? {} : { secondsLeft: left }),
      ...(whole === null ? {} : { runSecondsLeft: whole }),
      ...(known === null ? {} : { limits: known, sites: sites() }),
    });
  };
  return {
    say: ignore,
    table: ignore,
    event,
    note: (message) => {
      if (!options.quiet) event("note", { message });
    },
    warn: (message) => event("warning", { message }),
    request: (message) => {
      if (options.verbose) event("request", { message });
    },
    progress,
    watch,
    fail: (message, exitCode) => {
      event("error", { message, exitCode });
      if (out !== error) error.line(`error: ${message}`);
    },
    stopped: (message, exitCode) => {
      event("stopped", { message, exitCode });
      if (out !== error) error.line(message);
    },
    close: ignore,
  };
}

function ignore(): void {
  // With --json, only objects are printed on stdout.
}

/** Exit codes of a finished run that needs attention. */
const WRONG: ReadonlySet<number> = new Set([EXIT.someFailed, EXIT.differences, EXIT.losses]);

/** One line for a run that needs attention: with `--quiet`, cron mails nothing else. */
function createQuietEnd(warn: (text: string) => void): Output["event"] {
  let failures = 0;
  let first = "";
  let page = "";
  return (type, reported) => {
    const facts = objectIn(reported);
    if (type === "failure") {
      failures += 1;
      if (failures === 1) first = `${textIn(facts["key"])}: ${textIn(facts["reason"]).split("\n")[0]}`;
    }
    if (type === "report") page = textIn(facts["html"]);
    const exitCode = type === "summary" && "exitCode" in facts ? Number(facts["exitCode"]) : EXIT.ok;
    if (!WRONG.has(exitCode)) return;
    const failed = failures === 0 ? "" : ` ${count(failures, "failure")}, the first: ${first}`;
    warn(
      `Ended with exit code ${exitCode}: ${meaningOf(exitCode)}.${failed}${leftOutIn(facts)}${page === "" ? "" : ` See ${page}`}`,
    );
  };
}

/** The number of items that are left out, and the command that loads the first; empty: none. */
function leftOutIn(facts: object): string {
  const { success, data } = leftOutSchema.safeParse("leftOut" in facts ? facts.leftOut : undefined);
  if (!success || data.count === 0) return "";
  const command = data.ways.find((way) => way.command !== null)?.command ?? null;
  const key = data.ways[0]?.causes[0]?.keys[0] ?? "";
  return ` ${count(data.count, "item")} left out, the first: ${key}.${command === null ? "" : ` To load what can be loaded: \`${command}\`.`}`;
}

const require = createRequire(import.meta.url);

type Cell = string | number;
type Rows = readonly (readonly Cell[])[];

/** Columns of a text that is still easy to read. */
const NARROWEST = 20;

/**
 * Rows without lines between them, for terminals, logs and pipes. If they are wider than the
 * terminal, the headings are broken between words, or the texts of the last column.
 */
function layTable(head: readonly string[], rows: Rows, writer: Writer): SafeText {
  const columns = writer.columns();
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? writer.clean(cell) : cell)));
  const table = laid(head, cells, writer);
  if (columns === null || widthOf(table) < columns) return { safe: table };
  const last = cells.map((row) => String(row.at(-1) ?? ""));
  const room = columns - 1 - (widthOf(table) - Math.max(...last.map((text) => text.length)));
  if (room < NARROWEST || cells.some((row) => typeof row.at(-1) === "number"))
    return { safe: laid(head, cells, writer, (name) => name.replaceAll(" ", "\n")) };
  const folded = cells.map((row, at) => [...row.slice(0, -1), foldText(last[at] ?? "", room)]);
  return { safe: laid(head, folded, writer) };
}

function widthOf(table: string): number {
  return Math.max(...table.split("\n").map((line) => stripVTControlCharacters(line).length));
}

function laid(
  head: readonly string[],
  rows: Rows,
  writer: Writer,
  heading: (name: string) => string = (name) => name,
): string {
  // Loaded only here: most runs print no table, and loading it delays the start.
  const Table: typeof import("cli-table3") = require("cli-table3");
  const numeric = head.map((_name, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
  const table = new Table({
    head: head.map((name) => writer.paint("bold", heading(writer.clean(name)))),
    colAligns: numeric.map((right) => (right ? "right" : "left")),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  const styled = (name: string, cell: Cell): Cell => {
    const style = styleOf(name, cell);
    return style === undefined ? cell : writer.paint(style, String(cell));
  };
  table.push(...rows.map((row) => row.map((cell, column) => styled(head[column] ?? "", cell))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function styleOf(heading: string, cell: Cell): Style | undefined {
  if (heading === "STATE") return STATES[cell];
  return cell === 0 ? undefined : COUNTS[heading];
}

const STATES: Readonly<Record<string, Style>> = { ok: "green", warning: "yellow", failed: "red", unknown: "dim" };
const COUNTS: Readonly<Record<string, Style>> = { failed: "red", "left out": "yellow", refused: "yellow" };

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};
