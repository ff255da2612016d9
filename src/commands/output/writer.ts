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
  /** Coloured on a terminal, unless NO_COLOR is set. */
  colour(style: "red" | "yellow", text: string): string;
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
  const terminal = stream.isTTY === true && !environment["CI"] && environment["TERM"] !== "dumb";
  const colours = terminal && !environment["NO_COLOR"];
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
