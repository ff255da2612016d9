import { parseJson } from "../../../core/util/json.js";
import type { BaseRows } from "../format.js";
import { isDamage } from "../read/damage.js";
import { type Base, ROW_FILES } from "../read/row-files.js";
import { blocksOf } from "../read/rows.js";
import { type Drafted, lineOf, removedRow, rowIn } from "./drafts.js";
import { LineSorter, type SortedLine } from "./line-sorter.js";

/** The rows that differ from those of a base, sorted on the disk. */
export interface Difference extends Pick<Drafted, "items" | "media" | "close"> {
  readonly base: BaseRows;
}

/** A snapshot with more differences, as a share of the rows of its base, gets whole rows. */
const LARGEST_SHARE = 1 / 8;
/** So many differences are always allowed: whole rows need another archive for their copy. */
const FEW = 100;

/**
 * The rows that differ from those of the base, and marks for rows that only the base has. A row in
 * which only its own `read` differs is equal. undefined: there are too many, or the base is
 * damaged.
 */
export async function differenceOf(drafted: Drafted, base: Base, scratch: string): Promise<Difference | undefined> {
  const sorters = { items: new LineSorter(scratch), media: new LineSorter(scratch) };
  const close = async (): Promise<void> => {
    await sorters.items.close();
    await sorters.media.close();
  };
  let left = Math.max(FEW, (base.items.count + base.media.count) * LARGEST_SHARE);
  let isDone = false;
  try {
    for (const of of ["items", "media"] as const) {
      const lines = blocksOf(base.rows(of), `the rows of ${base.archive}`);
      for await (const row of differing(drafted[of], lines, ROW_FILES[of].field)) {
        left -= 1;
        if (left < 0) return undefined;
        await sorters[of].add(row.key, row.line);
      }
    }
    isDone = true;
    const { snapshot, archive, copy, items, media } = base;
    return { ...sorters, close, base: { snapshot, archive, copy, items, media } };
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    if (!isDone) await close();
  }
}

async function* differing(
  sorter: LineSorter,
  blocks: AsyncGenerator<Buffer>,
  field: string,
): AsyncGenerator<SortedLine> {
  const base = new BaseLines(blocks, field);
  const removed = (key: string): SortedLine => ({ key, line: removedRow(field, key) });
  try {
    await base.refill();
    for await (const rows of sorter.sorted())
      for (const sorted of rows) {
        const row = rowIn(sorted.line);
        // Its archive has no name yet, and is not that of the base.
        const line = row.write ? undefined : lineOf(row, () => "");
        for (; base.hasBefore(sorted.key, line); await base.pass()) yield removed(base.key());
        const isThere = base.line !== undefined && (base.line === line || base.key() === sorted.key);
        if (!isThere || line === undefined || !isSame(line, base.line)) yield sorted;
        if (isThere) await base.pass();
      }
    for (; base.line !== undefined; await base.pass()) yield removed(base.key());
  } finally {
    await blocks.return(undefined);
  }
}

/** The lines of a file of rows. Only the keys of lines without an equal one are parsed. */
class BaseLines {
  readonly #blocks: AsyncGenerator<Buffer>;
  readonly #field: string;
  #held: readonly string[] = [];
  #at = 0;
  /** undefined: at the end. */
  line: string | undefined;

  constructor(blocks: AsyncGenerator<Buffer>, field: string) {
    this.#blocks = blocks;
    this.#field = field;
  }

  key(): string {
    return String(Reflect.get(Object(parseJson(this.line ?? "")), this.#field));
  }

  /** Does the line come before this key? `line`: that of the key. */
  hasBefore(key: string, line: string | undefined): boolean {
    return this.line !== undefined && this.line !== line && this.key() < key;
  }

  async pass(): Promise<void> {
    this.#at += 1;
    this.line = this.#held[this.#at];
    if (this.line === undefined) await this.refill();
  }

  async refill(): Promise<void> {
    const { done, value } = await this.#blocks.next();
    this.#held = done === true ? [] : value.toString("utf8", 0, value.length - 1).split("\n");
    this.#at = 0;
    this.line = this.#held[0];
  }
}

/** A row without `read` was compared when its snapshot was taken, one with it was not. */
function isSame(line: string, other: string | undefined): boolean {
  if (line === other) return true;
  const [one, two] = [withoutRead(line), withoutRead(other ?? "")];
  return one.hasRead && two.hasRead && one.text === two.text;
}

function withoutRead(line: string): { readonly text: string; readonly hasRead: boolean } {
  const { read, ...fields } = Object(parseJson(line));
  return { text: JSON.stringify(fields), hasRead: read !== undefined };
}
