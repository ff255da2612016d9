import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { BaseRows, RowsFacts } from "../format.js";
import type { ArchivePool } from "./archive-pool.js";
import { damage, isDamage, unlessDamaged } from "./damage.js";
import { findRows } from "./differences.js";
import { blocksOf, expectAsDeclared, findRow, NEWLINE, READ } from "./rows.js";

/** The files of rows, as in the manifest; `field` is the first one of each row. */
export type RowFile = "items" | "media";
export const ROW_FILES = {
  items: { path: "items.ndjson", field: "key" },
  media: { path: "media.ndjson", field: "sha256" },
} as const;
type Facts = Readonly<Record<RowFile, RowsFacts>>;
type Found = Awaited<ReturnType<typeof findRows>>;

/**
 * Bytes of a file of rows that `check` keeps in memory, as those of some 80,000 items: a restore
 * reads them again, and unpacking them again takes longer than all else that it does with them.
 */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Found rows that stay in memory: a history looks for one key in each snapshot of a base. */
const KEPT_ROWS = 256;

/**
 * The two files of rows in a main archive. Whole rows can also be in an archive with a copy, which
 * has the same bytes.
 */
export class RowFiles {
  readonly #pool: ArchivePool;
  readonly #archives: readonly [string, ...string[]];
  readonly #facts: Facts;
  readonly #found = new Map<string, Promise<unknown>>();
  readonly #foundRows = new Map<RowFile, Found>();
  /**
   * The files in the main archive that were read and found as in the manifest. With the bytes that
   * `check` read; undefined: they are not kept.
   */
  readonly #proven = new Map<RowFile, readonly Buffer[] | undefined>();

  /** @param copy undefined: there is none */
  constructor(pool: ArchivePool, main: string, copy: string | undefined, facts: Facts) {
    this.#pool = pool;
    this.#archives = copy === undefined ? [main] : [main, copy];
    this.#facts = { items: facts.items, media: facts.media };
  }

  /**
   * Blocks of complete lines, checked at the end against the manifest. With a copy, each line is
   * checked before it is returned. Neither is repeated after the file was found intact, and
   * lines are not checked after a check of the archive: the archive's own checksum remains. From
   * the first damaged line on, the copy is read. Throws ArchiveError (exit 6) when both are
   * damaged.
   */
  async *blocks(of: RowFile): AsyncGenerator<Buffer> {
    const isFound = this.#proven.has(of);
    const hash = createHash("sha256");
    const given = { bytes: 0, lines: 0 };
    const { name } = this.#named(of, this.#archives[0]);
    for (const [at, archive] of this.#archives.entries()) {
      try {
        for await (const block of this.#intact(of, archive, given.bytes)) {
          given.bytes += block.length;
          if (!isFound) {
            hash.update(block);
            given.lines += linesIn(block);
          }
          yield block;
        }
        if (isFound) return;
        expectAsDeclared({ count: given.lines, sha256: hash.copy().digest("hex") }, { name, ...this.#facts[of] });
        if (at === 0) this.#proven.set(of, undefined);
        return;
      } catch (error) {
        if (!isDamage(error) || at === this.#archives.length - 1) throw error;
      }
    }
  }

  /** Can the bytes of the manifest be read, here or in the copy? Throws ArchiveError (exit 6). */
  async check(of: RowFile): Promise<void> {
    const [archive] = this.#archives;
    const hash = createHash("sha256");
    const kept: Buffer[] = [];
    let size = 0;
    try {
      for await (const piece of this.#pool.content(archive, ROW_FILES[of].path)) {
        hash.update(piece);
        size += piece.length;
        if (size <= KEPT_BYTES) kept.push(piece);
        else kept.length = 0;
      }
      if (hash.digest("hex") === this.#facts[of].sha256) {
        this.#proven.set(of, size <= KEPT_BYTES ? kept : undefined);
        return;
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    for await (const _block of this.blocks(of));
  }

  /**
   * The JSON of a row; undefined: there is none. One that does not match its checksum is looked for
   * in the copy, and so is one that is missing, since a damaged key looks like another row. Throws
   * ArchiveError (exit 6) when both are damaged.
   */
  async find(of: RowFile, key: string): Promise<unknown> {
    const known = `${of}/${key}`;
    const finding = this.#found.get(known) ?? this.#search(of, key);
    this.#found.delete(known);
    this.#found.set(known, finding);
    for (const oldest of this.#found.keys()) if (this.#found.size > KEPT_ROWS) this.#found.delete(oldest);
    try {
      return await finding;
    } catch (error) {
      this.#found.delete(known);
      throw error;
    }
  }

  /**
   * The rows that are among the differences of a snapshot, as far as they fit into memory; those
   * of the first call. Damage ends the search: who reads a missing row finds it.
   */
  async foundRows(of: RowFile, differences: () => Promise<RowFiles | undefined>): Promise<Found> {
    const find = async (): Promise<Found> => {
      const own = (await differences())?.blocks(of);
      const named = this.#named(of, this.#archives[0]);
      return own === undefined ? new Map() : findRows(this.blocks(of), own, named, KEPT_BYTES);
    };
    const rows = this.#foundRows.get(of) ?? (await unlessDamaged(find)) ?? new Map();
    this.#foundRows.set(of, rows);
    return rows;
  }

  async #search(of: RowFile, key: string): Promise<unknown> {
    for (const [at, archive] of this.#archives.entries()) {
      const { field, name } = this.#named(of, archive);
      try {
        const row = await findRow(this.#pieces(of, archive), z.unknown(), field, key, name);
        if (row !== undefined || this.#isKnown(of, archive)) return row;
      } catch (error) {
        if (!isDamage(error) || at === this.#archives.length - 1) throw error;
      }
    }
    return undefined;
  }

  async *#intact(of: RowFile, archive: string, from: number): AsyncGenerator<Buffer> {
    const { name } = this.#named(of, archive);
    const isKnown = this.#archives.length === 1 || this.#isKnown(of, archive);
    let skipped = 0;
    for await (const block of blocksOf(this.#pieces(of, archive), name)) {
      const rest = block.subarray(Math.min(block.length, from - skipped));
      skipped += block.length - rest.length;
      if (rest.length === 0) continue;
      const end = isKnown ? rest.length : intactUntil(rest);
      if (end > 0) yield rest.subarray(0, end);
      if (end < rest.length) throw damage(`${name} has a row that does not match its checksum.`);
    }
  }

  async *#pieces(of: RowFile, archive: string): AsyncGenerator<Buffer> {
    const kept = archive === this.#archives[0] ? this.#proven.get(of) : undefined;
    yield* kept ?? this.#pool.content(archive, ROW_FILES[of].path);
  }

  /** Was the file in this archive found intact? */
  #isKnown(of: RowFile, archive: string): boolean {
    return (this.#proven.has(of) && archive === this.#archives[0]) || this.#pool.isProven(archive);
  }

  #named(of: RowFile, archive: string) {
    return { ...ROW_FILES[of], name: `${ROW_FILES[of].path} in ${archive}` };
  }
}

/** Whole rows of an earlier snapshot, from which those of a new one can differ. */
export interface Base extends BaseRows {
  /** The bytes of a file of rows. Throws ArchiveError (exit 6), at the end at the latest. */
  readonly rows: (of: RowFile) => AsyncIterable<Buffer>;
}

const KEPT_BASES = 4;

/** The rows of bases, which many snapshots share; the last used ones stay. */
export class Bases {
  readonly #pool: ArchivePool;
  readonly #held = new Map<string, RowFiles>();

  constructor(pool: ArchivePool) {
    this.#pool = pool;
  }

  of({ archive, copy, items, media }: Omit<BaseRows, "snapshot">): RowFiles {
    const known = `${archive} ${items.sha256} ${media.sha256}`;
    const files = this.#held.get(known) ?? new RowFiles(this.#pool, archive, copy, { items, media });
    this.#held.delete(known);
    this.#held.set(known, files);
    for (const oldest of this.#held.keys()) if (this.#held.size > KEPT_BASES) this.#held.delete(oldest);
    return files;
  }
}

function linesIn(block: Buffer): number {
  let lines = 0;
  for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

const SUM = Buffer.from(',"sum":"');
/** `,"sum":"0a1b2c3d"}` */
const SUM_BYTES = SUM.length + 10;
const CLOSING = Buffer.from("}");
const DIGIT = { first: 0x30, last: 0x39 };

/** The position after the last line before the first one that does not match its checksum. */
function intactUntil(block: Buffer): number {
  let at = 0;
  for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, at)) {
    if (!isIntact(block.subarray(at, end))) return at;
    at = end + 1;
  }
  return at;
}

/** `rowSum` on the bytes of a line, which is not parsed. */
function isIntact(line: Buffer): boolean {
  const sumAt = line.length - SUM_BYTES;
  if (sumAt < 1 || line.compare(SUM, 0, SUM.length, sumAt, sumAt + SUM.length) !== 0) return false;
  const readAt = line.indexOf(READ);
  let sum = 0;
  if (readAt < 0) sum = crc32(line.subarray(0, sumAt));
  else {
    let after = readAt + READ.length;
    for (let digit = line[after] ?? 0; digit >= DIGIT.first && digit <= DIGIT.last; digit = line[after] ?? 0)
      after += 1;
    sum = crc32(line.subarray(after, sumAt), crc32(line.subarray(0, readAt)));
  }
  const found = crc32(CLOSING, sum).toString(16).padStart(8, "0");
  return line.toString("latin1", sumAt + SUM.length, line.length - 2) === found;
}
