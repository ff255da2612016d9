import type { z } from "zod";
import { rowSum } from "../row-sum.js";
import { NEWLINE } from "./row-lines.js";
import type { SalvagedArchive } from "./salvage.js";

/** A row of what is left of a file of rows. */
export interface RemainingRow<Row> {
  readonly row: Row;
  /** It fits its own checksum; false: rows of early versions have none. */
  readonly isProven: boolean;
}

/**
 * The rows of a damaged file that are as they were written, each by its own checksum, in the order
 * in which they lie there. Where no row has a checksum, as in
 * archives of early versions, everything that has the shape of a row.
 */
export async function* remainingRows<Row>(
  remains: SalvagedArchive,
  path: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<RemainingRow<Row>> {
  let hasProven = false;
  for await (const { isProven } of rowsIn(remains, path, schema)) {
    hasProven = isProven;
    if (hasProven) break;
  }
  for await (const found of rowsIn(remains, path, schema)) if (found.isProven === hasProven) yield found;
}

async function* rowsIn<Row>(
  remains: SalvagedArchive,
  path: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<RemainingRow<Row>> {
  for await (const line of linesOf(remains.remnants(path))) {
    const json = objectIn(line);
    const row = json === undefined ? undefined : schema.safeParse(json);
    if (json === undefined || row?.success !== true) continue;
    if (json["sum"] === undefined || json["sum"] === rowSum(json))
      yield { row: row.data, isProven: json["sum"] !== undefined };
  }
}

/** Whole lines, and what is left of a line where something is missing: that is no row, which is seen then. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
    }
  }
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    // Damaged: it is looked for elsewhere.
    return undefined;
  }
}
