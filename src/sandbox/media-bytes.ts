import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import type { Content } from "./site/records.js";

/** As declared; generated images have this size. */
interface Sized {
  readonly content: Content;
  readonly width?: number;
  readonly height?: number;
}

/** The file of a medium. Generated ones are equal at every call. */
export function contentBytes({ content, width, height }: Sized): Buffer {
  if (content.from === "file") return readFileSync(content.path);
  const make = { png: generatedPng, pdf: generatedPdf, mp4: generatedMp4 }[content.make];
  return make(content.seed, width, height);
}

export function contentLength(medium: Sized): number {
  return medium.content.from === "file" ? statSync(medium.content.path).size : contentBytes(medium).length;
}

/** sha256 in hexadecimal. Computed once: the file of a medium never changes. */
export function contentHash(medium: Sized): string {
  const known = hashes.get(medium.content);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(contentBytes(medium)).digest("hex");
  hashes.set(medium.content, hash);
  return hash;
}

const hashes = new WeakMap<Content, string>();

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  avif: "image/avif",
  heic: "image/heic",
  pdf: "application/pdf",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  ogv: "video/ogg",
};

export function contentType(filename: string): string {
  return TYPES[extensionOf(filename)] ?? "application/octet-stream";
}

/** In lower case, without the dot; "": none. */
export function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

/** A small valid PNG: one bit per pixel, colours and pattern from the seed, so none are equal. */
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
  // One bit per pixel, palette.
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

/**
 * A small file with the boxes of an MP4: a brand, a track of the given size, and the seed as its
 * data. It does not play.
 */
export function generatedMp4(seed: string, width = 640, height = 480): Buffer {
  const brand = Buffer.from("isom\x00\x00\x02\x00isomiso2mp41", "latin1");
  return Buffer.concat([
    box("ftyp", brand),
    box("moov", Buffer.concat([box("mvhd", Buffer.alloc(100)), box("trak", box("tkhd", trackHead(width, height)))])),
    box("mdat", Buffer.from(seed, "utf8")),
  ]);
}

/** The picture's size in the first track that has one; undefined: none. */
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

export function generatedPdf(seed: string): Buffer {
  const text = seed.replaceAll(/[^A-Za-z0-9 ._-]/g, " ");
  const stream = `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, "latin1");
}
