import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ArchiveError } from "../../../src/core/errors.js";
import { checkPath } from "../../../src/storage/archive/entry-names.js";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { DEFAULT_LIMITS } from "../../../src/storage/archive/limits.js";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { writeArchive } from "../../../src/storage/archive/write-archive.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { onDisk } from "./helpers/on-disk.js";
import { readOne } from "./helpers/read-all.js";
import { type Part, zipBytes } from "./helpers/zip-bytes.js";

const content = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.nat(400_000), fc.string({ minLength: 1 })).map(([length, text]) => Buffer.alloc(length, text)),
);
const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => checkPath(text, DEFAULT_LIMITS).faults.length === 0 && !/[/.]/.test(text));
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), segment, fc.constantFrom("", ".xml", ".jpg", ".txt"))
  .map(([folders, name, extension]) => [...folders, name].map((part) => `${part}_`).join("/") + extension);
const tree = fc.uniqueArray(fc.record({ path, content }), {
  minLength: 1,
  maxLength: 8,
  selector: ({ path: name }) => name.normalize("NFC").toUpperCase().toLowerCase(),
});

it("whatever is written is read the same, and the guard has nothing to say", async () => {
  const folder = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(tree, fc.boolean(), async (files, isStreamed) => {
      const archive = join(folder, "out.zip");
      // A file of one entry may be a folder of another: the writer refuses that, and a test of its
      // own says so.
      fc.pre(!files.some((one) => files.some((other) => other.path.startsWith(`${one.path}/`))));
      await writeArchive(
        archive,
        files.map((file) => ({ path: file.path, content: isStreamed ? Readable.from([file.content]) : file.content })),
      );
      const opened = await openArchive(archive);
      try {
        expect(opened.findings).toEqual([]);
        expect(new Set(opened.paths)).toEqual(new Set(files.map((file) => file.path)));
        for (const file of files) expect((await readOne(opened, file.path)).equals(file.content)).toBe(true);
      } finally {
        await opened.close();
      }
    }),
    { numRuns: 40 },
  );
});

const PARTS: readonly Part[] = [
  { name: "guide.xml", content: "<guide>text text text text text text text text</guide>" },
  { name: "média/a.jpg", content: "not packed", store: true },
  { name: "folder/" },
  { name: "long.txt", content: "a line of text\n".repeat(100) },
];
const VALID = [zipBytes(PARTS), zipBytes(PARTS, { zip64: {}, comment: Buffer.from("a comment") })];
const RIGHT = PARTS.map((part) => String(part.content ?? ""));

/**
 * Reads all that the guard lets through; contents must be right, whatever was done to the archive.
 */
async function expectRightOrRefused(archive: string, options: { readonly readContents: boolean }): Promise<void> {
  try {
    const files = await openArchive(archive, options);
    try {
      // Names are outside of every checksum: a flipped bit in both headers makes another name, and
      // nothing can know.
      for (const name of files.paths) expect(RIGHT).toContain((await readOne(files, name)).toString("utf8"));
    } finally {
      await files.close();
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    expect(error.message.length).toBeGreaterThan(20);
  }
}

it("flipped bits never crash the reader and never give a wrong content", async () => {
  const archive = await onDisk(Buffer.alloc(0));
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...VALID), flips, fc.boolean(), async (valid, bits, readContents) => {
      const bytes = Buffer.from(valid);
      for (const [at, bit] of bits) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
      writeFileSync(archive, bytes);
      await expectRightOrRefused(archive, { readContents });
    }),
    { numRuns: 500 },
  );
});

it("an archive that is cut, or has bytes taken out or put in, is refused or read right", async () => {
  const archive = await onDisk(Buffer.alloc(0));
  const piece = fc.uint8Array({ maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...VALID), fc.nat(), fc.nat(60), piece, async (valid, at, taken, put) => {
      const start = at % valid.length;
      writeFileSync(archive, Buffer.concat([valid.subarray(0, start), put, valid.subarray(start + taken)]));
      await expectRightOrRefused(archive, { readContents: true });
    }),
    { numRuns: 500 },
  );
});

it("any bytes at all, with or without an end record, give findings and no crash", async () => {
  const archive = await onDisk(Buffer.alloc(0));
  const end = Buffer.from("PK\x05\x06\0\0\0\0\x01\0\x01\0", "latin1");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 30 }), async (before, after) => {
      writeFileSync(archive, Buffer.concat([before, end, after]));
      expect((await inspectArchive(archive)).isRefused).toBe(true);
      writeFileSync(archive, before);
      expect((await inspectArchive(archive)).isRefused).toBe(true);
    }),
    { numRuns: 200 },
  );
});
