import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../../archive/disk-error.js";

/** A line with its sort key; keys are compared by code units. */
export interface SortedLine {
  readonly key: string;
  /** Without its end. */
  readonly line: string;
}

/** Limits of the lines in memory. */
const HELD_CHARACTERS = 1024 * 1024;
const HELD_LINES = 4000;
/** Sorted files that are read side by side; more are merged into one before. */
const FILES = 16;
/** Bytes. */
const READ_AT_ONCE = 32 * 1024;
const LINE_FEED = 0x0a;
/** Lines. */
const WRITTEN_AT_ONCE = 500;

/**
 * Sorts any number of lines in constant memory: lines beyond the limit are sorted in files in
 * `folder`, which are merged when they are read and deleted by `close`. For equal keys the first
 * line is kept.
 */
export class LineSorter {
  readonly #folder: string;
  readonly #limit: { readonly characters: number; readonly lines: number };
  #own: string | undefined;
  #held: SortedLine[] = [];
  #characters = 0;
  #written = 0;
  /** By age: each level has files that were merged from those of the level before it. */
  readonly #levels: string[][] = [];

  constructor(folder: string, limit = { characters: HELD_CHARACTERS, lines: HELD_LINES }) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /** Await each call. `line`: without a line feed. Throws ArchiveError for the disk. */
  async add(key: string, line: string): Promise<void> {
    this.#held.push({ key, line });
    this.#characters += key.length + line.length;
    if (this.#held.length >= this.#limit.lines || this.#characters >= this.#limit.characters) await this.#spill();
  }

  /**
   * All lines in order, some of them at a time, since an await for each costs more than the line.
   * May be read several times. No line may be added afterwards.
   */
  async *sorted(): AsyncGenerator<readonly SortedLine[]> {
    this.#held.sort(byKey);
    const files = this.#levels.toReversed().flat();
    yield* merged([...files.map(sourceOf), { next: this.#held, rest: null }]);
  }

  async close(): Promise<void> {
    if (this.#own !== undefined) await rm(this.#own, { recursive: true, force: true });
  }

  async #spill(): Promise<void> {
    const held = this.#held.sort(byKey);
    await this.#write(0, [held]);
    this.#held = [];
    this.#characters = 0;
    for (let level = 0; this.#levels[level]?.length === FILES; level += 1) {
      const files = this.#levels[level] ?? [];
      await this.#write(level + 1, merged(files.map(sourceOf)));
      for (const file of files) await rm(file);
      this.#levels[level] = [];
    }
  }

  async #write(level: number, batches: Batches): Promise<void> {
    const doing = `sorting rows in ${this.#folder}`;
    this.#own ??= await onDisk(doing, mkdtemp(join(this.#folder, "sort-")));
    const file = join(this.#own, String(this.#written));
    this.#written += 1;
    await onDisk(doing, writeLines(file, batches));
    this.#levels[level] ??= [];
    this.#levels[level].push(file);
  }
}

type Batches = AsyncIterable<readonly SortedLine[]> | Iterable<readonly SortedLine[]>;

/** For a stable sort, so that the first of equal keys stays first. */
function byKey(one: SortedLine, other: SortedLine): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}

/** Sorted lines, of which the next ones are in memory. */
interface Source {
  next: readonly SortedLine[];
  /** null: `next` has all. */
  rest: AsyncGenerator<readonly SortedLine[]> | null;
}

/**
 * Merges sources, the oldest first. All lines up to the smallest key that ends `next` of a source
 * are in memory, and one sort puts them in order.
 */
async function* merged(sources: readonly Source[]): AsyncGenerator<readonly SortedLine[]> {
  try {
    let last: string | undefined;
    for (;;) {
      for (const source of sources) if (source.next.length === 0) await readOn(source);
      const ends = sources.flatMap(({ next, rest }) => (rest === null ? [] : [next.at(-1)?.key ?? ""]));
      const end = ends.reduce<string | undefined>(
        (least, key) => (least === undefined || key < least ? key : least),
        undefined,
      );
      const parts = sources.map((source) => takeUntil(source, end)).filter((part) => part.length > 0);
      if (parts.length === 0) return;
      const batch: SortedLine[] = [];
      for (const row of parts.length === 1 ? parts.flat() : parts.flat().sort(byKey)) {
        if (row.key !== last) batch.push(row);
        last = row.key;
      }
      yield batch;
    }
  } finally {
    for (const { rest } of sources) await rest?.return(undefined);
  }
}

async function readOn(source: Source): Promise<void> {
  const step = await source.rest?.next();
  if (step === undefined || step.done === true) source.rest = null;
  else source.next = step.value;
}

/** undefined: all. */
function takeUntil(source: Source, end: string | undefined): readonly SortedLine[] {
  const { next } = source;
  const after = end === undefined ? -1 : next.findIndex(({ key }) => key > end);
  const taken = after < 0 ? next : next.slice(0, after);
  source.next = after < 0 ? [] : next.slice(after);
  return taken;
}

async function writeLines(file: string, batches: Batches): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const batch of batches)
      for (let from = 0; from < batch.length; from += WRITTEN_AT_ONCE) {
        const lines = batch
          .slice(from, from + WRITTEN_AT_ONCE)
          .map(({ key, line }) => `${JSON.stringify(key)}\t${line}\n`);
        await handle.appendFile(lines.join(""));
      }
  } finally {
    await handle.close();
  }
}

function sourceOf(file: string): Source {
  return { next: [], rest: readLines(file) };
}

async function* readLines(file: string): AsyncGenerator<readonly SortedLine[]> {
  for await (const lines of lineBatches(piecesOf(file)))
    yield lines.map((line) => {
      const tab = line.indexOf("\t");
      return { key: textIn(line.slice(0, tab)), line: line.slice(tab + 1) };
    });
}

/** In the same memory: a stream takes new memory for each piece. */
async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const memory = Buffer.allocUnsafeSlow(READ_AT_ONCE);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(memory, 0, memory.length, null);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The text of a JSON string, whole in memory: parts of another text are compared slowly. */
export function textIn(json: string): string {
  return String(JSON.parse(json));
}

/**
 * Lines separated by `\n` only, those of a piece together: Node's readline also splits at U+2028,
 * which JSON may contain. The memory of a piece may be used again for the next one.
 */
export async function* lineBatches(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let held: Buffer[] = [];
  for await (const piece of pieces) {
    const [first, last] = [piece.indexOf(LINE_FEED), piece.lastIndexOf(LINE_FEED)];
    if (first >= 0) {
      const begun = Buffer.concat([...held, piece.subarray(0, first)]).toString("utf8");
      yield first === last ? [begun] : [begun, ...piece.toString("utf8", first + 1, last).split("\n")];
      held = [];
    }
    if (last + 1 < piece.length) held.push(Buffer.from(piece.subarray(last + 1)));
  }
  if (held.length > 0) yield [Buffer.concat(held).toString("utf8")];
}
