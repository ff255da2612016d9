import { styleText } from "node:util";

type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that hides secrets, and that nobody needs to read. */
export interface Writer {
  readonly stream: NodeJS.WritableStream;
  /** A terminal that a person looks at. */
  readonly terminal: boolean;
  line(text: string): void;
  /** Text without secrets, for those who write to the stream by themselves. */
  redact(text: string): string;
  /** Coloured on a terminal; FORCE_COLOR and NO_COLOR say otherwise, as with Node itself. */
  colour(style: "red" | "yellow", text: string): string;
}

/** Values of FORCE_COLOR that ask for colours, however many; any other one refuses them. */
const COLOURED: ReadonlySet<string> = new Set(["", "true", "1", "2", "3"]);

/** `CI=false` is how some machines say that they are none. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

/**
 * Wraps stdout or stderr. When the reader goes away (`| head`) what follows is dropped and the run goes on: a migration is
 * worth more than its log. Any other fault of the stream is thrown.
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
  return {
    stream,
    terminal,
    line: (text) => {
      if (open) stream.write(`${redact(text)}\n`);
    },
    redact,
    colour: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
  };
}
