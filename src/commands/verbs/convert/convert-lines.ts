import { convert } from "../../../../transforms/convert/convert.js";
import type { TextContext } from "../../../../transforms/wiki/tree.js";
import { FerryError, UsageError } from "../../../core/errors.js";
import type { Conversion } from "./conversion.js";
import { decodeText } from "./decode-text.js";

/** What became of the lines so far. */
export interface Tally {
  lines: number;
  /** Lines that could not be converted. */
  failed: number;
  /** Losses, and errors in what was converted. */
  losses: number;
}

/**
 * Converts one JSON object a line into one a line, in order: `{"text", "issues"}`, or `{"error", "line"}` in the place of what
 * can't be converted. Blank lines are passed over. Counts into `tally`.
 */
export async function* convertLines(
  lines: AsyncIterable<Buffer>,
  conversion: Conversion,
  tally: Tally,
): AsyncGenerator<string> {
  let number = 0;
  for await (const bytes of lines) {
    number += 1;
    const answer = answerTo(bytes, number, conversion, tally);
    if (answer !== undefined) yield `${JSON.stringify(answer)}\n`;
  }
}

function answerTo(bytes: Buffer, line: number, { options, name }: Conversion, tally: Tally): object | undefined {
  if (bytes.every((byte) => BLANKS.includes(byte))) return undefined;
  tally.lines += 1;
  try {
    const text = decodeText(bytes, "The line");
    const row = rowOf(line === 1 ? text.replace(/^\uFEFF/, "") : text);
    const converted = convert(row.text, { ...options, context: row.context ?? options.context });
    tally.losses += converted.issues.filter(({ level }) => level !== "note").length;
    return converted;
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    tally.failed += 1;
    return { error: `${name}, line ${line}: ${error.message}`, line };
  }
}

const BLANKS: readonly number[] = [..." \t\r"].map((blank) => blank.charCodeAt(0));

interface Row {
  readonly text: unknown;
  readonly context: TextContext | undefined;
}

function rowOf(line: string): Row {
  const value = parsed(line);
  const fields: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  if (!("text" in fields))
    throw new UsageError('A line is an object with "text", as {"text": "…", "context": "line"}.');
  const { text, context } = fields;
  if (context === undefined || context === "line" || context === "page") return { text, context };
  throw new UsageError(`"context" is ${JSON.stringify(context)}, expected "line" or "page".`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`It is not JSON: ${reason}.`, { cause: error });
  }
}
