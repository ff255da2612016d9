import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ZipArchive } from "archiver";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AT_ONCE } from "../../../src/storage/archive/blocks.js";
import { createQuickZip } from "../../../src/storage/archive/write-archive.js";
import "../../helpers/seed.js";

interface Packed {
  readonly name: string;
  readonly content: Buffer;
  readonly store: boolean;
  readonly streamed: boolean;
}

const DATE = new Date(Date.UTC(1980, 0, 1));

async function zip(archive: ZipArchive, entries: Iterable<Packed>): Promise<Buffer> {
  const all = buffer(archive);
  for (const { name, content, store, streamed } of entries) {
    const packed = new Promise((done) => archive.once("entry", done));
    const source = streamed && !store ? Readable.from([content], { objectMode: false }) : content;
    archive.append(source, { name, date: DATE, mode: 0o644, store });
    await packed;
  }
  await archive.finalize();
  return all;
}

const TEXT = Buffer.from("a line of text that repeats, and some that does not: 1 2 3\n");
const LENGTH = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 5000 }) },
  { weight: 2, arbitrary: fc.constantFrom(65_535, 262_144, 300_000) },
  { weight: 1, arbitrary: fc.constantFrom(AT_ONCE, AT_ONCE + 1) },
);
const ENTRY = fc.record({
  content: fc
    .tuple(LENGTH, fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean())
    .map(([length, bytes, isText]) => Buffer.alloc(length, isText ? Buffer.concat([bytes, TEXT]) : bytes)),
  folder: fc.constantFrom("items", "médias"),
  store: fc.boolean(),
  streamed: fc.boolean(),
});

it("gives the bytes that archiver gives by itself", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ENTRY, { minLength: 1, maxLength: 12 }), async (made) => {
      const entries = made.map(({ folder, ...entry }, at) => ({ ...entry, name: `${folder}/${at}` }));
      const zlib = { level: 6 };
      const plain = await zip(new ZipArchive({ zlib }), entries);
      expect((await zip(createQuickZip(zlib).archive, entries)).equals(plain)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it("gives them in blocks, and the memory of a small content is free when it is packed", async () => {
  const names = ["first.png", "second.png"];
  const entries = names.map((name) => ({ name, content: Buffer.alloc(1000, name), store: true, streamed: false }));
  const plain = await zip(new ZipArchive({ zlib: { level: 6 } }), entries);
  const memory = Buffer.alloc(1000);
  function* inOneMemory(): Generator<Packed> {
    for (const entry of entries) {
      entry.content.copy(memory);
      yield { ...entry, content: memory };
    }
    memory.fill(0);
  }
  const { archive } = createQuickZip({ level: 6 });
  const pieces: number[] = [];
  archive.on("data", (piece: Buffer) => pieces.push(piece.length));
  expect((await zip(archive, inOneMemory())).equals(plain)).toBe(true);
  expect(pieces).toEqual([plain.length]);
});
