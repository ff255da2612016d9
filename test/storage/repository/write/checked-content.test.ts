import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { AT_ONCE } from "../../../../src/storage/archive/write-archive.js";
import { ContentError, checkedContent } from "../../../../src/storage/repository/write/checked-content.js";

const SMALL = Buffer.from("warp and weft");
const LARGE = Buffer.alloc(AT_ONCE + 1, "weft");

function contentOf(bytes: Buffer) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, size: bytes.length, archive: null, path: "media/ab/warp.png" };
}

async function checked(expected: Buffer, given: Readable | Buffer): Promise<Buffer> {
  const content = await checkedContent(contentOf(expected), async () => given);
  return Buffer.isBuffer(content) ? content : buffer(content);
}

function inPieces(bytes: Buffer): Readable {
  const half = bytes.length >> 1;
  return Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
}

it.each([
  ["small", SMALL],
  ["large", LARGE],
])("a %s content is given as it is, in whichever form it comes", async (_size, bytes) => {
  expect((await checked(bytes, bytes)).equals(bytes)).toBe(true);
  expect((await checked(bytes, inPieces(bytes))).equals(bytes)).toBe(true);
});

it.each([
  ["small", SMALL],
  ["large", LARGE],
])("a %s content that is cut, has grown or is another fails", async (_size, bytes) => {
  const other = Buffer.from(bytes);
  other[3] = 0;
  for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, SMALL]), other]) {
    await expect(checked(bytes, wrong)).rejects.toThrow(ContentError);
    await expect(checked(bytes, inPieces(wrong))).rejects.toThrow(ContentError);
  }
});

it("bytes that never end are not held", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield SMALL;
    })(),
  );
  await expect(checked(SMALL, endless)).rejects.toThrow("more than the expected 13 bytes");
});

/** As Node reports it: a backup removes from its workspace what a ContentError names. */
it("too many open files are a failure of the system, and no damage of the content", async () => {
  const tooMany = Object.assign(new Error("EMFILE: too many open files, open 'warp.png'"), { code: "EMFILE" });
  const refused = checkedContent(contentOf(SMALL), () => Promise.reject(tooMany));
  await expect(refused).rejects.toThrow("While reading media/ab/warp.png: too many files are open.");
  await expect(refused).rejects.not.toBeInstanceOf(ContentError);
  const missing = Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });
  await expect(checkedContent(contentOf(SMALL), () => Promise.reject(missing))).rejects.toThrow(ContentError);
});
