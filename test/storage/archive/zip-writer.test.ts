import { ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants } from "node:zlib";
import { ZipArchive } from "archiver";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { fromBufferPromise } from "yauzl";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { ZipWriter } from "../../../src/storage/archive/zip-writer.js";
import "../../helpers/seed.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

interface Packed {
  readonly name: string;
  readonly content: Buffer;
  readonly way: "store" | "deflate" | "stream";
}

const BLOCK = 256 * 1024;
const GIB = 1024 ** 3;
const DATE = new Date(Date.UTC(1980, 0, 1));

/** `flush`: only of streams. */
interface Zlib {
  readonly level: number;
  readonly flush?: number;
}

async function byArchiver(zlib: Zlib, entries: readonly Packed[]): Promise<Buffer> {
  const archive = new ZipArchive({ zlib });
  const all = buffer(archive);
  for (const { name, content, way } of entries) {
    const packed = new Promise((done) => archive.once("entry", done));
    const source =
      way === "stream" || (way === "deflate" && zlib.flush !== undefined)
        ? Readable.from([content], { objectMode: false })
        : content;
    archive.append(source, { name, date: DATE, mode: 0o644, store: way === "store" });
    await packed;
  }
  await archive.finalize();
  return all;
}

async function byWriter(zlib: Zlib, entries: readonly Packed[]): Promise<readonly Buffer[]> {
  const blocks: Buffer[] = [];
  const zip = new ZipWriter(async (bytes) => {
    await new Promise((done) => setImmediate(done));
    blocks.push(Buffer.from(bytes));
  });
  const memory = Buffer.alloc(BLOCK * 2);
  for (const { name, content, way } of entries) {
    // The caller's memory is its own again as soon as the entry is written.
    content.copy(memory);
    const given = memory.subarray(0, content.length);
    if (way === "store") await zip.store(name, given);
    else if (way === "deflate" && zlib.flush === undefined) await zip.deflate(name, given, zlib.level);
    else await zip.deflateStream(name, [given], zlib);
    memory.fill(0);
  }
  await zip.finish();
  return blocks;
}

const TEXT = Buffer.from("a line of text that repeats, and some that does not: 1 2 3\n");
const LENGTH = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 2, arbitrary: fc.constantFrom(65_535, BLOCK - 100, BLOCK, BLOCK + 1, 300_000) },
);
const ENTRY = fc.record({
  content: fc
    .tuple(LENGTH, fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean())
    .map(([length, bytes, isText]) => Buffer.alloc(length, isText ? Buffer.concat([bytes, TEXT]) : bytes)),
  folder: fc.constantFrom("items", "médias"),
  way: fc.constantFrom("store", "deflate", "stream"),
});
const ZLIB = fc.constantFrom<Zlib>({ level: 6 }, { level: 1 }, { level: 6, flush: constants.Z_FULL_FLUSH });

it("gives the bytes that archiver gives, in blocks", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(ZLIB, fc.array(ENTRY, { minLength: 1, maxLength: 12 }), async (zlib, made) => {
      const entries = made.map(({ folder, ...entry }, at) => ({ ...entry, name: `${folder}/${at}` }));
      const blocks = await byWriter(zlib, entries);
      expect(Buffer.concat(blocks).equals(await byArchiver(zlib, entries))).toBe(true);
      expect(blocks.slice(0, -1).every(({ length }) => length === BLOCK)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it("packs a text in memory of half its size", async () => {
  const zip = new ZipWriter(async () => undefined);
  const allot = vi.spyOn(Buffer, "allocUnsafe");
  try {
    await zip.deflate("text", Buffer.alloc(100_000, "a text that repeats "), 6);
    const bytes = allot.mock.calls.reduce((sum, [size]) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(50_000);
  } finally {
    allot.mockRestore();
  }
});

/** How many entries have their number as name, in order, by yauzl. It refuses a wrong count. */
async function listedIn(archive: Buffer): Promise<number> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  let count = 0;
  for await (const { fileName } of zip.eachEntry()) if (fileName === String(count)) count += 1;
  return count;
}

// APPNOTE 4.4.22: 65,535 in the end record says that the count stands in the zip64 record.
it.each([
  { count: 65_534, hasZip64: false },
  { count: 65_535, hasZip64: true },
])("of $count entries the count stands in a zip64 record: $hasZip64", async ({ count, hasZip64 }) => {
  const blocks: Buffer[] = [];
  const zip = new ZipWriter(async (bytes) => void blocks.push(Buffer.from(bytes)));
  const nothing = Buffer.alloc(0);
  for (let at = 0; at < count; at += 1) await zip.store(String(at), nothing);
  await zip.finish();
  const archive = Buffer.concat(blocks);
  expect(archive.subarray(-98).includes("PK\x06\x06")).toBe(hasZip64);
  expect(await listedIn(archive)).toBe(count);
});

// APPNOTE 4.4.8: 4 GiB - 1 in a field of a size says that the size stands in the zip64 field.
it("writes an entry of 4 GiB - 1, and others behind 4 GiB", { timeout: 120_000 }, async () => {
  const path = join(await temporaryFolder(), "large.zip");
  const file = openSync(path, "wx+");
  let length = 0;
  // Blocks of zeros become holes: the file takes little space.
  const zeros = Buffer.alloc(BLOCK);
  const zip = new ZipWriter(async (bytes) => {
    if (!bytes.equals(zeros.subarray(0, bytes.length))) writeSync(file, bytes, 0, bytes.length, length);
    length += bytes.length;
  });
  const gibibyte = Buffer.alloc(GIB);
  await zip.deflateStream("stream.txt", [gibibyte, gibibyte, gibibyte, gibibyte.subarray(1)], { level: 1 });
  for (const number of [1, 2, 3, 4]) await zip.store(`stored-${number}.bin`, gibibyte);
  await zip.store("last.txt", Buffer.from("last"));
  await zip.finish();
  ftruncateSync(file, length);
  const limits = { entryBytes: 5 * GIB, totalBytes: 9 * GIB, ratio: 1e6, archiveBytes: 9 * GIB };
  const { entries, findings } = await inspectArchive(path, { limits, readContents: false });
  expect(findings).toEqual([]);
  expect(entries.map((entry) => [entry.path, entry.size])).toEqual([
    ["stream.txt", 4 * GIB - 1],
    ...[1, 2, 3, 4].map((number) => [`stored-${number}.bin`, GIB]),
    ["last.txt", 4],
  ]);
  const tail = Buffer.alloc(1000);
  readSync(file, tail, 0, tail.length, length - tail.length);
  const field = tail.subarray(tail.indexOf("stream.txt") + "stream.txt".length);
  expect([field.readUInt16LE(0), field.readUInt16LE(2), field.readBigUInt64LE(4)]).toEqual([1, 24, 2n ** 32n - 1n]);
});
