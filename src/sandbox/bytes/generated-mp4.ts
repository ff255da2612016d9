/** A small file with the boxes of an MP4: a brand, a track of the given size, and the seed as its data. It does not play. */
export function generatedMp4(seed: string, width = 640, height = 480): Buffer {
  const brand = Buffer.from("isom\x00\x00\x02\x00isomiso2mp41", "latin1");
  return Buffer.concat([
    box("ftyp", brand),
    box("moov", Buffer.concat([box("mvhd", Buffer.alloc(100)), box("trak", box("tkhd", trackHead(width, height)))])),
    box("mdat", Buffer.from(seed, "utf8")),
  ]);
}

/** The picture's size in the first track that has one; undefined when the bytes show none. */
export function mp4Size(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
  for (let at = bytes.indexOf("tkhd"); at >= 4; at = bytes.indexOf("tkhd", at + 4)) {
    const end = at - 4 + bytes.readUInt32BE(at - 4);
    if (end > bytes.length || end < at + 12) continue;
    // Width and height end the box, as 16.16 fixed-point numbers.
    const [width, height] = [bytes.readUInt32BE(end - 8) >>> 16, bytes.readUInt32BE(end - 4) >>> 16];
    if (width > 0 && height > 0) return { width, height };
  }
  return undefined;
}

function trackHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(84);
  head.writeUInt32BE(width * 65_536, 76);
  head.writeUInt32BE(height * 65_536, 80);
  return head;
}

function box(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, data]);
}
