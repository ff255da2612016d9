import { extname } from "node:path";
import { Readable } from "node:stream";
import type { Opened } from "../core/contracts.js";
import { EXIT, FerryError } from "../core/errors.js";
import type { MediaItem } from "../core/model/item.js";

/** Bytes that the kind is told from: signatures stand at the front, the root of an SVG behind comments. */
const HEAD_BYTES = 4096;

/**
 * An answer for a media item, whose content fails before its first byte goes on if it is no picture, video or document. So what is
 * kept is what was asked for: an address in content may lead to anything. A part that continues a file is not looked at.
 * @throws FerryError from the content, which is final: the same bytes would come again
 */
export function checkedContent(item: MediaItem, opened: Opened): Opened {
  if (opened.from !== 0) return opened;
  const content = Readable.from(checkedPieces(item, opened.content), { objectMode: false });
  // A generator that nobody asks for anything does not notice its end.
  content.once("close", () => opened.content.destroy());
  return { ...opened, content };
}

async function* checkedPieces(item: MediaItem, content: Readable): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let size = 0;
  for await (const piece of content as AsyncIterable<Buffer | string>) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    if (size >= HEAD_BYTES) {
      yield bytes;
      continue;
    }
    waiting.push(bytes);
    size += bytes.length;
    if (size >= HEAD_BYTES) yield firstPiece(item, waiting);
  }
  // An empty file has no kind; whoever takes it in tells that it is empty.
  if (size > 0 && size < HEAD_BYTES) yield firstPiece(item, waiting);
}

function firstPiece(item: MediaItem, pieces: readonly Buffer[]): Buffer {
  const head = Buffer.concat(pieces);
  const found = contradiction(item, head);
  if (found === undefined) return head;
  throw new FerryError(
    `What came from ${item.body.url} for ${item.key} is not a ${found.expected} but ${found.actual}. It is not kept.`,
    { exitCode: EXIT.someFailed },
  );
}

/** What the bytes should be and what they are; undefined: they are it, as far as the first bytes tell. */
function contradiction(
  { kind, body }: MediaItem,
  head: Buffer,
): { readonly expected: string; readonly actual: string } | undefined {
  const wrong = (expected: string) => ({ expected, actual: describeHead(head) });
  if (kind === "image") return begins(head, PICTURES) || isSvg(head) ? undefined : wrong("picture");
  if (kind === "video") return begins(head, VIDEOS) || isTransportStream(head) ? undefined : wrong("video");
  const extension = extensionOf(body.fileName) ?? extensionOf(pathOf(body.url)) ?? "";
  // Readers take up to 1,024 bytes before the mark of a PDF (ISO 32000-1, annex H).
  if (extension === "pdf") return head.subarray(0, 1030).includes("%PDF-") ? undefined : wrong("PDF");
  const format = DOCUMENTS[extension];
  if (format !== undefined) return begins(head, format) ? undefined : wrong(`${extension} file`);
  return isAnswer(head) && !TEXTS.has(extension) ? wrong("document") : undefined;
}

/** `pdf` of `Manual.PDF`; undefined: there is none. */
function extensionOf(name: string | null): string | undefined {
  const extension = extname(name ?? "")
    .slice(1)
    .toLowerCase();
  return extension === "" ? undefined : extension;
}

function pathOf(url: string): string | null {
  return URL.canParse(url, "http://site.invalid") ? new URL(url, "http://site.invalid").pathname : null;
}

/** Hexadecimal digits that files begin with, a dot for any digit. */
type Signatures = readonly string[];

function begins(head: Buffer, signatures: Signatures): boolean {
  const digits = head.subarray(0, 32).toString("hex");
  return signatures.some((signature) => [...signature].every((digit, at) => digit === "." || digit === digits[at]));
}

// All pictures and videos that people upload have a signature.
const PICTURES: Signatures = [
  "ffd8ff", // JPEG
  "89504e470d0a1a0a", // PNG
  "474946383761", // GIF87a
  "474946383961", // GIF89a
  "52494646........57454250", // WebP
  "424d....................00", // BMP, whose header has no more than 255 * 256 bytes
  "49492a00", // TIFF, and what cameras make of it
  "4d4d002a",
  "49492b00",
  "4d4d002b",
  "........66747970686569", // HEIC
  "........66747970686576",
  "........667479706d6966",
  "........667479706d7366",
  "........6674797061766966", // AVIF
  "........6674797061766973",
  "0000000c6a502020", // JPEG 2000
  "ff4fff51",
  "0000000c4a584c20", // JPEG XL
  "ff0a",
  "00000100", // ICO
  "38425053", // Photoshop
];

const VIDEOS: Signatures = [
  "........66747970", // MP4, QuickTime: ftyp
  "........6d6f6f76", // moov
  "........6d646174", // mdat
  "........66726565", // free
  "........736b6970", // skip
  "........77696465", // wide
  "........706e6f74", // pnot
  "1a45dfa3", // Matroska, WebM
  "52494646........41564920", // AVI
  "464c56", // FLV
  "000001b", // MPEG
  "4f676753", // Ogg
  "3026b275", // Windows Media
  "2e524d46", // RealMedia
];

/** MPEG transport stream: packets of 188 bytes, with a time stamp of 4 before each on cameras and discs. */
function isTransportStream(head: Buffer): boolean {
  return (head[0] === 0x47 && head[188] === 0x47) || (head[4] === 0x47 && head[196] === 0x47);
}

const ZIP: Signatures = ["504b0304", "504b0506", "504b0708"];
/** The container of the older office formats, and of encrypted newer ones. */
const OFFICE: Signatures = [...ZIP, "d0cf11e0"];

/** The formats whose files always begin alike, by extension. Of all others no first bytes are known. */
const DOCUMENTS: Readonly<Record<string, Signatures>> = {
  zip: ZIP,
  docx: OFFICE,
  xlsx: OFFICE,
  pptx: OFFICE,
  odt: ZIP,
  ods: ZIP,
  odp: ZIP,
  epub: ZIP,
  "7z": ["377abcaf"],
  rar: ["52617221"],
  gz: ["1f8b"],
  png: PICTURES,
  jpg: PICTURES,
  jpeg: PICTURES,
  gif: PICTURES,
  mp4: VIDEOS,
  dwg: ["414331"],
};

/** Files that may be a web page or JSON: texts, and spreadsheets and documents of the older formats, which programs write as web pages. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["html", "htm", "xhtml", "mht", "json", "geojson", "ipynb", "txt", "md", "csv", "log", "js", "xls", "doc", "tex"],
]);

const WEB_PAGE = /^\s*(?:<!doctype html|<html)/i;
const JSON_VALUE = /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/;

/** What services answer with. */
function isAnswer(head: Buffer): boolean {
  const text = textOf(head);
  return WEB_PAGE.test(text) || JSON_VALUE.test(text);
}

function isSvg(head: Buffer): boolean {
  const text = textOf(head);
  return /^\s*</.test(text) && /<(?:\w+:)?svg[\s>]/.test(text) && !WEB_PAGE.test(text);
}

function textOf(head: Buffer): string {
  return head.toString("utf8").replace(/^\ufeff/, "");
}

function describeHead(head: Buffer): string {
  const text = textOf(head);
  if (WEB_PAGE.test(text)) return "a web page";
  if (JSON_VALUE.test(text)) return "JSON";
  if (/^\s*</.test(text)) return "XML";
  if (text.startsWith("%PDF-")) return "a PDF";
  if (begins(head, PICTURES)) return "a picture";
  if (begins(head, VIDEOS)) return "a video";
  if (begins(head, ZIP)) return "a zip archive";
  return /^[\s\p{L}\p{N}\p{P}\p{S}]+$/u.test(text.slice(0, 200)) ? "plain text" : "a file of another kind";
}
