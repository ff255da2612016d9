import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

/** A small real PNG of any size: one bit a pixel, colours and pattern from the seed, so that no two are equal. */
export function generatedPng(seed: string, width = 800, height = 600): Buffer {
  const digest = createHash("sha256").update(seed).digest();
  const rowLength = Math.ceil(width / 8) + 1;
  const pixels = Buffer.alloc(rowLength * height);
  for (let row = 0; row < height; row += 1) {
    // The first byte of a row is its filter, 0: none.
    pixels.fill(digest[(row >> 4) % digest.length] ?? 0, row * rowLength + 1, (row + 1) * rowLength);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit a pixel, palette.
  head.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("PLTE", digest.subarray(0, 6)),
    chunk("tEXt", Buffer.from(`Title\0${digest.toString("hex")}`, "latin1")),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
