import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { ArchiveFile } from "../../../src/storage/archive/archive-file.js";
import { contentOf } from "../../../src/storage/archive/content.js";
import { findContent } from "../../../src/storage/archive/entry-headers.js";
import { findList } from "../../../src/storage/archive/find-list.js";
import { FindingList } from "../../../src/storage/archive/findings.js";
import { contentPart } from "../../../src/storage/repository/read/contents.js";
import { EntryTable } from "../../../src/storage/repository/read/opened-archive.js";

/** An archive with one stored entry whose sizes also stand behind it, as archiver writes them. */
function archive(path: string, content: Buffer): Buffer {
  const name = Buffer.from(path);
  const crc = crc32(content);
  const sizes = Buffer.alloc(12);
  for (const [at, value] of [crc, content.length, content.length].entries()) sizes.writeUInt32LE(value, at * 4);
  const local = Buffer.from("504b03041400080000000000000000000000000000000000000000000000", "hex");
  local.writeUInt16LE(name.length, 26);
  const list = Buffer.alloc(46);
  Buffer.from("504b01021400140008000000", "hex").copy(list);
  sizes.copy(list, 16);
  list.writeUInt16LE(name.length, 28);
  const descriptor = Buffer.concat([Buffer.from("504b0708", "hex"), sizes]);
  const body = Buffer.concat([local, name, content, descriptor]);
  const end = Buffer.alloc(22);
  Buffer.from("504b05060000000001000100", "hex").copy(end);
  end.writeUInt32LE(list.length + name.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, list, name, end]);
}

async function openedCounting(content: Buffer) {
  const bytes = archive("media/a", content);
  const reads: number[] = [];
  const file = new ArchiveFile(
    {
      read: async (buffer, offset, length, position) => {
        reads.push(length);
        return { bytesRead: bytes.copy(buffer, offset, position, position + length) };
      },
    },
    bytes.length,
  );
  const list = await findList(file, new FindingList(9));
  const table = new EntryTable(Buffer.from(await file.bytesAt(list?.at ?? 0, list?.size ?? 0)), 1);
  const entry = table.find("media/a");
  if (entry === undefined) throw new Error("The entry is missing.");
  // What was read of the list may lie in the window.
  const fresh = file.startingAt(0);
  reads.length = 0;
  return { file: fresh, entry, reads };
}

test("the first bytes of a content are read together with its header, and what stands behind it is not read", async () => {
  const content = Buffer.alloc(200_000, "abc");
  const { file, entry, reads } = await openedCounting(content);
  const place = await findContent(file, entry, 16_000);
  if (typeof place === "string") throw new Error(place);
  const pieces: Buffer[] = [];
  for await (const piece of contentPart(file, place, { start: 0, end: 16_000 })) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(content.subarray(0, 16_000))).toBe(true);
  expect(reads).toHaveLength(1);
});

test("a content is found by its own header alone", async () => {
  const content = Buffer.alloc(200_000, "abc");
  const { file, entry, reads } = await openedCounting(content);
  const place = await findContent(file, entry, content.length);
  if (typeof place === "string") throw new Error(place);
  expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(1000);
  const pieces: Buffer[] = [];
  for await (const piece of contentOf(file, place)) pieces.push(Buffer.from(piece));
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
});
