import { once } from "node:events";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { ArchiveFile } from "../../../../src/storage/archive/archive-file.js";
import type { Extent } from "../../../../src/storage/archive/entry-headers.js";
import { contentPart } from "../../../../src/storage/repository/read/contents.js";

const SIZE = 3 * 1024 * 1024 + 4711;
const BEFORE = 100;

describe("a part of a content", () => {
  it.each([
    ["stored", async () => ({ packed: CONTENT, method: 0 })],
    ["deflated", async () => ({ packed: deflateRawSync(CONTENT), method: 8 })],
    ["wrapped as guideferry wraps", async () => ({ packed: await wrapped(CONTENT, 64 * 1024), method: 8 })],
    ["wrapped by small pieces", async () => ({ packed: await wrapped(CONTENT, 16 * 1024), method: 8 })],
    ["wrapped by odd pieces", async () => ({ packed: await wrapped(CONTENT, 99_991), method: 8 })],
    ["wrapped at once", async () => ({ packed: deflateRawSync(CONTENT, { level: 0 }), method: 8 })],
  ])("is what stands there, of one that is %s", async (_name, pack) => {
    const archive = archiveOf(await pack());
    await fc.assert(
      fc.asyncProperty(RANGE, async ([start, end]) => {
        expect((await read(archive, start, end)).equals(CONTENT.subarray(start, end))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["stored", 0, async () => CONTENT],
    ["wrapped", 8, async () => wrapped(CONTENT, 64 * 1024)],
  ])("is read where it lies, of one that is %s", async (_name, method, pack) => {
    const archive = archiveOf({ packed: await pack(), method });
    await fc.assert(
      fc.asyncProperty(RANGE, async ([start, end]) => {
        archive.counted.bytes = 0;
        await read(archive, start, end);
        // The headers that tell the length of blocks, and one for each block; never what stands
        // before.
        const blocks = Math.ceil((end - start) / 32_768) + 1;
        expect(archive.counted.bytes).toBeLessThanOrEqual(end - start + 5 * (8 + blocks + 1));
      }),
      { numRuns: 30 },
    );
  });

  it("stops reading behind it, of one that is deflated", async () => {
    const archive = archiveOf({ packed: deflateRawSync(CONTENT), method: 8 });
    await read(archive, 0, 1000);
    expect(archive.counted.bytes).toBeLessThan(archive.extent.entry.packedSize / 2);
  });

  it("is damage where a wrapped block does not begin with its length", async () => {
    const packed = await wrapped(CONTENT, 64 * 1024);
    const at = headerBehind(packed, 2_000_000);
    packed.writeUInt16LE(7, at + 3);
    const archive = archiveOf({ packed, method: 8 });
    const header = `no block begins at byte ${BEFORE + at}`;
    await expect(read(archive, 1_990_000, 2_100_000)).rejects.toThrow(header);
    expect((await read(archive, 0, 1_000_000)).equals(CONTENT.subarray(0, 1_000_000))).toBe(true);
  });

  it("is unpacked where the blocks of a wrapped content do not add up to its length", async () => {
    // The blocks look even at first, and one in the middle is shorter: nothing may be guessed then.
    const packed = Buffer.concat([
      ...[32_768, 32_768, 32_768, 1000].flatMap((length, at) => blockOf(CONTENT, at * 32_768, length, false)),
      ...blocksOf(CONTENT.subarray(3 * 32_768 + 1000), 32_768),
    ]);
    const archive = archiveOf({ packed, method: 8 });
    expect((await read(archive, 200_000, 300_000)).equals(CONTENT.subarray(200_000, 300_000))).toBe(true);
  });
});

/** Noise in parts, words in others, and what looks like headers of wrapped blocks. */
const CONTENT = ((): Buffer => {
  const content = Buffer.alloc(SIZE);
  let state = 1;
  for (let at = 0; at < SIZE; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    content[at] = at % 700_000 < 300_000 ? 97 + (at % 7) : state >>> 24;
  }
  for (let at = 5; at < SIZE; at += 32_773) content.set([0, 0x00, 0x80, 0xff, 0x7f], Math.min(at, SIZE - 5));
  return content;
})();

const RANGE = fc
  .tuple(fc.integer({ min: 0, max: SIZE }), fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.constantFrom(1, SIZE)))
  .map(([start, length]) => [start, Math.min(SIZE, start + length)] as const);

interface Archive {
  readonly file: ArchiveFile;
  readonly extent: Extent;
  readonly counted: { bytes: number };
}

function archiveOf({ packed, method }: { readonly packed: Buffer; readonly method: number }): Archive {
  const bytes = Buffer.concat([Buffer.alloc(BEFORE, 1), packed, Buffer.alloc(50, 2)]);
  const counted = { bytes: 0 };
  const reader = {
    read: async (buffer: Buffer, offset: number, length: number, position: number) => {
      const bytesRead = bytes.copy(buffer, offset, position, Math.min(bytes.length, position + length));
      counted.bytes += bytesRead;
      return { bytesRead };
    },
  };
  const name = "media/aa/content.mp4";
  const names = { path: name, spelling: name, rawName: name, isFolder: false, isJunk: false };
  const entry = { ...names, method, flags: 0, crc32: crc32(CONTENT), size: SIZE, packedSize: packed.length, at: 0 };
  const contentEnd = BEFORE + packed.length;
  return {
    file: new ArchiveFile(reader, bytes.length),
    extent: { entry, at: 0, contentAt: BEFORE, contentEnd, end: contentEnd },
    counted,
  };
}

async function read({ file, extent }: Archive, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of contentPart(file, extent, { start, end })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** As archiver does: pieces go into one deflate stream of level 0. */
async function wrapped(content: Buffer, piece: number): Promise<Buffer> {
  const deflate = createDeflateRaw({ level: 0 });
  const pieces: Buffer[] = [];
  deflate.on("data", (bytes: Buffer) => pieces.push(bytes));
  for (let at = 0; at < content.length; at += piece) {
    if (!deflate.write(content.subarray(at, at + piece))) await once(deflate, "drain");
  }
  deflate.end();
  await once(deflate, "end");
  return Buffer.concat(pieces);
}

/** Where the first header behind a place begins. */
function headerBehind(packed: Buffer, place: number): number {
  let at = 0;
  while (at < place) at += 5 + packed.readUInt16LE(at + 1);
  return at;
}

function blockOf(content: Buffer, at: number, length: number, isLast: boolean): readonly Buffer[] {
  const header = Buffer.alloc(5);
  header.writeUInt8(isLast ? 1 : 0, 0);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return [header, content.subarray(at, at + length)];
}

function blocksOf(content: Buffer, length: number): readonly Buffer[] {
  const starts = Array.from({ length: Math.ceil(content.length / length) }, (_, at) => at * length);
  return starts.flatMap((at) => {
    const own = Math.min(length, content.length - at);
    return blockOf(content, at, own, at + own === content.length);
  });
}
