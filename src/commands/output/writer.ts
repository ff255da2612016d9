import { styleText } from "node:util";
import { jsonText } from "../../core/util/printable-text.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Shown on a terminal; FORCE_COLOR and NO_COLOR work as in Node. */
export type Style = "red" | "yellow" | "green" | "bold" | "dim";

/** A label before a line. */
export interface Label {
  readonly style: Style;
  readonly text: string;
}

/** Words at the start of a line that people look for. */
const MARKS: readonly (readonly [RegExp, Style])[] = [
  [/^(?:FAILED|DAMAGED|WILL FAIL):|^[\d,]+ failures?\./, "red"],
  [/^LEFT OUT:/, "yellow"],
  [/^Next:/, "bold"],
];

/** Secrets are hidden and control characters escaped, apart from own styles. */
export interface SafeText {
  readonly safe: string;
}

/**
 * A stream that hides secrets and escapes control characters, since much text comes from other
 * people. It works without a reader.
 */
export interface Writer {
  readonly stream: NodeJS.WritableStream;
  readonly terminal: boolean;
  /** Columns of the terminal; null: it is none. Default: 80. */
  columns(): number | null;
  paint(style: Style, text: string): string;
  /** The text without secrets and control characters. */
  clean(text: string): string;
  line(text: string | SafeText, label?: Label): void;
  /** The text that `line` would write, without its end, for direct writes to the stream. */
  safe(text: string | SafeText, label?: Label): string;
  /** The same stream; its lines start with the time, as in a log. */
  dated(now: () => Date): Writer;
}

/** Values of FORCE_COLOR that turn colours on; any other value turns them off. */
const COLOURED: ReadonlySet<string> = new Set(["", "true", "1", "2", "3"]);

/** Some machines set `CI=false`. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

function isTerminal(stream: Pick<Screen, "isTTY">, environment: Environment): boolean {
  return stream.isTTY === true && !isSet(environment["CI"]) && environment["TERM"] !== "dumb";
}

/** Does text on this stream have colours? A pipe or file has none, unless FORCE_COLOR asks. */
export function showsColours(stream: Pick<Screen, "isTTY">, environment: Environment): boolean {
  const forced = environment["FORCE_COLOR"];
  return forced === undefined ? isTerminal(stream, environment) && !environment["NO_COLOR"] : COLOURED.has(forced);
}

/**
 * Wraps stdout or stderr. If the reader ends (`| head`), later output is dropped and the run
 * continues: a migration matters more than its log. Any other error of the stream is thrown.
 */
export function createWriter(stream: Screen, redact: (text: string) => string, environment: Environment): Writer {
  const terminal = isTerminal(stream, environment);
  const colours = showsColours(stream, environment);
  let open = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== "EPIPE") throw error;
  });
  const paint: Writer["paint"] = (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
  const clean = (text: string): string => printable(redact(text));
  const marked = (text: string): string =>
    MARKS.reduce((now, [mark, style]) => now.replace(mark, (words) => paint(style, words)), text);
  const columns = (): number | null => (terminal ? columnsOf(stream) : null);
  const writerOf = (before: () => string): Writer => {
    const safe: Writer["safe"] = (text, label) =>
      `${before()}${label === undefined ? "" : `${paint(label.style, label.text)} `}${typeof text === "string" ? marked(clean(text)) : text.safe}`;
    return {
      stream,
      terminal,
      columns,
      paint,
      clean,
      safe,
      line: (text, label) => {
        if (open) stream.write(`${safe(text, label)}\n`);
      },
      dated: (now) => writerOf(() => `${localTime(now())} `),
    };
  };
  return writerOf(() => "");
}

/** The width of a terminal. Default: 80. */
export function columnsOf(stream: { readonly columns?: number }): number {
  return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
}

/**
 * Breaks lines between words, so that none is longer than `width`, except for longer words.
 * Further lines are indented as the first. A command is not broken: it can be copied as it is.
 * `before`: characters before the first line.
 */
export function foldText(text: string, width: number, before = 0): string {
  return text
    .split("\n")
    .map((line, at) => foldLine(line, width, at === 0 ? before : 0))
    .join("\n");
}

function foldLine(line: string, width: number, before: number): string {
  if (line.length + before <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let now = "";
  for (const word of line.match(WORDS) ?? []) {
    const next = now === "" ? `${indent}${word}` : `${now} ${word}`;
    const isFull = now !== "" && next.length + (lines.length === 0 ? before : 0) > width;
    if (isFull) lines.push(now);
    now = isFull ? `${indent}${word}` : next;
  }
  return [...lines, now].join("\n");
}

/** A command counts as one word: in backquotes, or to the end of its line. */
const WORDS = /`guideferry [^`]*`\S*|(?<!\S)guideferry .*|\S+/g;

/**
 * Text for a terminal or a log: control and invisible characters are escaped as in JSON. Line ends
 * and tabs stay, and the two joiners that emojis and some languages need.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A local time for a log: `2026-11-21T09:08:58+01:00` (RFC 3339). */
export function localTime(date: Date): string {
  const east = -date.getTimezoneOffset();
  const offset =
    east === 0 ? "Z" : `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  // toISOString prints UTC, so the time is shifted by the offset.
  return new Date(date.getTime() + east * 60_000).toISOString().slice(0, 19) + offset;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
