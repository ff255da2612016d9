import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Sorted } from "./line-sorter.js";

/** Lines of JSON on their way into an archive, counted and hashed while they pass. */
export interface RowLines {
  readonly content: Readable;
  /** To be asked when the content was read to its end. */
  readonly facts: () => { readonly count: number; readonly sha256: string };
}

/** Whole rows together. Each of these pieces can be unpacked by itself (packed-content.ts). */
const GIVEN_AT_ONCE = 32 * 1024;

/** `lineOf` makes the line, without its end, of what was sorted. */
export function rowLines<Row>(rows: AsyncIterable<Sorted<Row>>, lineOf: (row: Row) => string): RowLines {
  const hash = createHash("sha256");
  let count = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    let text = "";
    for await (const { value } of rows) {
      text += `${lineOf(value)}\n`;
      count += 1;
      if (text.length < GIVEN_AT_ONCE) continue;
      yield hashed(text);
      text = "";
    }
    if (text !== "") yield hashed(text);
  }
  const hashed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    return bytes;
  };
  return {
    content: Readable.from(pieces(), { objectMode: false }),
    facts: () => ({ count, sha256: hash.copy().digest("hex") }),
  };
}
