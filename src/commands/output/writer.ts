import { styleText } from "node:util";
import { jsonText } from "../../core/util/printable-text.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A word of our own in front of a line, in colour on a terminal; FORCE_COLOR and NO_COLOR say
 * otherwise, as with Node itself.
 */
export interface Label {
  readonly style: "red" | "yellow";
  readonly text: string;
}

/**
 * A stream that hides secrets, and that nobody needs to read. Whatever is written in lines is made
 * harmless: much of it is other people's words.
 */
export interface Writer {
  readonly stream: NodeJS.WritableStream;
  readonly terminal: boolean;
  line(text: string, label?: Label): void;
  /** What `line` would write, without its end, for those who write to the stream by themselves. */
  safe(text: string, label?: Label): string;
  /** The same stream, whose lines begin with the time, as a log's do. */
  dated(now: () => Date): Writer;
}

/** Values of FORCE_COLOR that ask for colours, however many; any other one refuses them. */
const COLOURED: ReadonlySet<string> = new Set(["", "true", "1", "2", "3"]);

/** `CI=false` is how some machines say that they are none. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

/**
 * Wraps stdout or stderr. When the reader goes away (`| head`) what follows is dropped and the run
 * goes on: a migration is worth more than its log. Any other fault of the stream is thrown.
 */
export function createWriter(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  redact: (text: string) => string,
  environment: Environment,
): Writer {
  const terminal = stream.isTTY === true && !isSet(environment["CI"]) && environment["TERM"] !== "dumb";
  const forced = environment["FORCE_COLOR"];
  const colours = forced === undefined ? terminal && !environment["NO_COLOR"] : COLOURED.has(forced);
  let open = true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== "EPIPE") throw error;
  });
  const coloured = ({ style, text }: Label): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const writerOf = (before: () => string): Writer => {
    const safe: Writer["safe"] = (text, label) =>
      `${before()}${label === undefined ? "" : `${coloured(label)} `}${printable(redact(text))}`;
    return {
      stream,
      terminal,
      safe,
      line: (text, label) => {
        if (open) stream.write(`${safe(text, label)}\n`);
      },
      dated: (now) => writerOf(() => `${localTime(now())} `),
    };
  };
  return writerOf(() => "");
}

/**
 * Text for a terminal or a log: what either would obey, or nobody sees, is shown as it is written
 * in JSON. Ends of lines and tabs stay, and the two joiners that emojis and the words of some
 * languages need.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A time as a log has it, by the clock on the wall: `2026-11-21T09:08:58+01:00` (RFC 3339). */
export function localTime(date: Date): string {
  const east = -date.getTimezoneOffset();
  const offset =
    east === 0 ? "Z" : `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  // toISOString tells UTC, so the clock on the wall is put where UTC stands.
  return new Date(date.getTime() + east * 60_000).toISOString().slice(0, 19) + offset;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
