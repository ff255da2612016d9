import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { MediaEnd, readCutFormat } from "../../../src/storage/workspace/incoming-file.js";
import { pngOf } from "../../helpers/png.js";
import { startMediaHost } from "./helpers/media-host.js";
import { openedWorkspace } from "./helpers/samples.js";

const NEVER = new AbortController().signal;
const SAMPLES = new URL("../../../samples/site/files", import.meta.url).pathname;

/**
 * Segments, a thumbnail with an end mark of its own, coded bytes with stuffing and restarts, and
 * the end mark.
 */
const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe1000affd8ff00ffd90102", "hex"),
  Buffer.from("ffdb0004aabbffda0004ccdd", "hex"),
  Buffer.from("112233ff00445566ffd0778899ff00", "hex"),
  Buffer.from("ffc40004eeffffda0004ccdd0102030405ffd9", "hex"),
]);
const GIF = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from("0100010080000000000001020304", "hex").subarray(0, 13),
  Buffer.from("21f9040000000000", "hex"),
  Buffer.from("2c00000000010001000002024401003b", "hex"),
]);
const box = (type: string, body: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 8);
  return Buffer.concat([size, Buffer.from(type), body]);
};
const MP4 = Buffer.concat([
  box("ftyp", Buffer.from("isom0000")),
  box("mdat", Buffer.alloc(300)),
  box("moov", Buffer.alloc(40)),
]);
const HEIC = Buffer.concat([
  box("ftyp", Buffer.from("heic0000mif1heic")),
  box("meta", Buffer.alloc(60)),
  box("mdat", Buffer.alloc(300)),
]);
const WEBP = Buffer.concat([
  Buffer.from("RIFF"),
  Buffer.from([68, 0, 0, 0]),
  Buffer.from("WEBPVP8 "),
  Buffer.alloc(60),
]);
const FILES: readonly (readonly [string, Buffer])[] = [
  ["JPEG", JPEG],
  ["PNG", pngOf(40, 30)],
  ["GIF", GIF],
  ["MP4", MP4],
  ["HEIC", HEIC],
  ["WebP", WEBP],
];

const BOXES: ReadonlySet<string> = new Set(["MP4", "HEIC"]);

function cutFormat(bytes: Buffer, pieces: number): string | undefined {
  const end = new MediaEnd();
  for (let at = 0; at < bytes.length; at += pieces) end.push(bytes.subarray(at, at + pieces));
  return end.cutFormat;
}

test.each(FILES)("a %s file is whole at its end only, whatever pieces it comes in", async (format, bytes) => {
  for (const pieces of [1, 7, 64, bytes.length]) {
    expect(cutFormat(bytes, pieces)).toBeUndefined();
    // What stands behind the end is nobody's business; behind boxes it would be one more box.
    if (!BOXES.has(format))
      expect(cutFormat(Buffer.concat([bytes, Buffer.from("\0\0trailer")]), pieces)).toBeUndefined();
    for (let length = 16; length < bytes.length; length += 1) {
      const endsInThumbnail = format === "JPEG" && bytes.readUInt16BE(length - 2) === 0xffd9;
      if (!endsInThumbnail) expect([length, cutFormat(bytes.subarray(0, length), pieces)]).toEqual([length, format]);
    }
  }
  for (let length = 16; length <= bytes.length; length += 1) {
    const part = bytes.subarray(0, length);
    const found = await readCutFormat(length, async (start, end) => part.subarray(start, end));
    expect([length, found]).toEqual([length, cutFormat(part, 5)]);
  }
});

test.each([
  ["PNG", Buffer.concat([pngOf(800, 600), Buffer.alloc(100_000, 1)]), 1],
  ["JPEG", Buffer.concat([JPEG.subarray(0, -2), Buffer.alloc(100_000, 1), JPEG.subarray(-2)]), 2],
])("of a whole %s no more is read than its format asks for", async (_name, bytes, reads) => {
  let count = 0;
  const found = await readCutFormat(bytes.length, async (start, end) => {
    count += 1;
    return bytes.subarray(start, end);
  });
  expect([found, count]).toEqual([undefined, reads]);
});

test("bytes of no known format are never called short, and real pictures are whole", () => {
  for (const text of ["", "x", "%PDF-1.7 and more of it", "<svg xmlns='x'>".repeat(9)])
    expect(cutFormat(Buffer.from(text), 3)).toBeUndefined();
  const files = readdirSync(SAMPLES, { recursive: true, encoding: "utf8" }).map((name) => join(SAMPLES, name));
  const pictures = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file));
  expect(pictures.length).toBeGreaterThan(5);
  for (const bytes of pictures) expect(cutFormat(bytes, 1000)).toBeUndefined();
});

const PICTURE = pngOf(300, 200);
const HALF = PICTURE.subarray(0, 200);

test("half a picture without a length is asked for again until it is whole", async () => {
  const { media } = await openedWorkspace();
  const host = await startMediaHost(PICTURE, [
    { hideSize: true, content: HALF },
    { hideSize: true, content: HALF },
  ]);
  expect(await media.receive(host.open, NEVER)).toMatchObject({ size: PICTURE.length });
});

test("three times the same half is taken as it is, and marked; with its length announced it is the site's own", async () => {
  const { media } = await openedWorkspace();
  const half = { hideSize: true, content: HALF };
  const host = await startMediaHost(PICTURE, Array(9).fill(half));
  expect(await media.receive(host.open, NEVER)).toMatchObject({ size: HALF.length, endsEarly: "once" });
  const opened = { content: Readable.from([HALF]), from: 0, size: HALF.length, type: "image/png" };
  expect(await media.receive(async () => opened, NEVER)).toMatchObject({ size: HALF.length, endsEarly: "confirmed" });
});
