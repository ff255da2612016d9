import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

/**
 * A picture that one can tell from others and see the edges of: two colours that run into each
 * other, stripes like threads, and a frame.
 */
export function paintedPng(width: number, height: number, [from, to]: readonly [Colour, Colour]): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) row.set(colourAt(x, y), 1 + x * 3);
    return row;
  });
  function colourAt(x: number, y: number): Colour {
    if (Math.min(x, y, width - 1 - x, height - 1 - y) < 12) return [60, 60, 66];
    const share = (x / width + y / height) / 2;
    const light = x % 40 < 4 || (y % 40 < 4 && (x >> 4) % 2 === 0) ? 30 : 0;
    const mixed = (one: number, other: number): number =>
      Math.min(255, Math.round(one + (other - one) * share) + light);
    return [mixed(from[0], to[0]), mixed(from[1], to[1]), mixed(from[2], to[2])];
  }
  return pngFrom(width, height, Buffer.concat(rows));
}

function pngFrom(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const result = Buffer.alloc(body.length + 8);
  result.writeUInt32BE(data.length, 0);
  body.copy(result, 4);
  result.writeUInt32BE(crc32(body), body.length + 4);
  return result;
}
