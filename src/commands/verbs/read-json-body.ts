import { UsageError } from "../../core/errors.js";
import type { CommandCall } from "../command.js";
import { readInput } from "./convert/read-input.js";

/** No call of the API takes more in JSON. */
const MAXIMUM = 32 * 1024 * 1024;

/**
 * The body that a person gives: JSON itself, `@FILE`, or `-` for stdin. It is checked and stays as it is written. Throws UsageError, which does not
 * repeat it.
 */
export async function readJsonBody(given: string, call: Pick<CommandCall, "stdin" | "stop">): Promise<string> {
  const [text, name] = await textOf(given, call);
  try {
    JSON.parse(text);
    return text;
  } catch {
    // No `cause`: the parser's words show a piece of the text, which may be a password.
    throw new UsageError(
      `${name} is no JSON. Nothing was sent. In a shell put it into single quotes, or into a file: --data @FILE.`,
    );
  }
}

async function textOf(given: string, call: Pick<CommandCall, "stdin" | "stop">): Promise<readonly [string, string]> {
  if (given === "-") return [await whole(undefined, call), "What stdin brought"];
  if (!given.startsWith("@")) return [given, "What --data says"];
  return [await whole(given.slice(1), call), given.slice(1)];
}

async function whole(file: string | undefined, { stdin, stop }: Pick<CommandCall, "stdin" | "stop">): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of readInput(file, stdin, stop)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAXIMUM)
      throw new UsageError(
        `${file ?? "stdin"} has more than ${MAXIMUM / 1024 / 1024} MB, which no call takes. Nothing was sent.`,
      );
  }
  return Buffer.concat(pieces).toString("utf8");
}
