import type { Medium } from "./library.js";

/** `download`: the reader does not show it; the browser saves it as a file. */
export type Shown = "image" | "video" | "audio" | "pdf" | "download";

export interface MediaType {
  /** Lower case, without the dot. From a disk browsers go by it. */
  readonly extension: string;
  readonly shown: Shown;
  readonly contentType: string;
}

/** Bytes that tell the type. */
const HEAD_BYTES = 64;

/**
 * Decides by the first bytes alone (`HEAD_BYTES`): what a site or a file name declares is no reason
 * to run untrusted bytes. Anything not in the table is a download, also SVG and HTML, since they
 * can hold scripts. @param fileName gives a download its harmless extension. Default: `bin`.
 */
export function mediaTypeOf(head: Uint8Array, fileName: string | null = null): MediaType {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  const found = FORMS.find(({ fits }) => fits(bytes));
  if (found !== undefined) return found.type;
  return { extension: harmlessExtension(fileName, bytes), shown: "download", contentType: "application/octet-stream" };
}

interface Form {
  readonly fits: (bytes: Buffer) => boolean;
  readonly type: MediaType;
}

function form(extension: string, shown: Shown, contentType: string, fits: Form["fits"]): Form {
  return { fits, type: { extension, shown, contentType } };
}

function begins(signature: string, at = 0): Form["fits"] {
  const wanted = Buffer.from(signature, "latin1");
  return (bytes) => bytes.subarray(at, at + wanted.length).equals(wanted);
}

function all(...tests: readonly Form["fits"][]): Form["fits"] {
  return (bytes) => tests.every((test) => test(bytes));
}

/**
 * ISO base media files begin with the size of a box and name their brand at byte 8 (ISO/IEC
 * 14496-12, 4.3). Text begins with no 0.
 */
function brand(pattern: RegExp): Form["fits"] {
  return (bytes) => begins("\0\0")(bytes) && begins("ftyp", 4)(bytes) && pattern.test(bytes.toString("latin1", 8, 12));
}

/** The first that fits counts. */
const FORMS: readonly Form[] = [
  form("jpg", "image", "image/jpeg", begins("\xff\xd8\xff")),
  form("png", "image", "image/png", begins("\x89PNG\r\n\x1a\n")),
  form("gif", "image", "image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))),
  form("webp", "image", "image/webp", all(begins("RIFF"), begins("WEBP", 8))),
  form("avif", "image", "image/avif", brand(/^avi[fs]$/)),
  form("bmp", "image", "image/bmp", all(begins("BM"), begins("\0\0\0\0", 6))),
  form("m4a", "audio", "audio/mp4", brand(/^M4[AB] $/)),
  form("mp4", "video", "video/mp4", brand(/^(?:isom|iso\d|mp4\d|avc1|M4V[ HP]|MSNV|dash|mmp4|f4v )$/)),
  // Matroska begins the same; its document type stands near the beginning (RFC 8794, 11.2).
  form(
    "webm",
    "video",
    "video/webm",
    all(begins("\x1a\x45\xdf\xa3"), (bytes) => bytes.includes("webm")),
  ),
  form(
    "ogv",
    "video",
    "video/ogg",
    all(begins("OggS"), (bytes) => bytes.includes("theora")),
  ),
  form("ogg", "audio", "audio/ogg", begins("OggS")),
  form("mp3", "audio", "audio/mpeg", begins("ID3")),
  form("wav", "audio", "audio/wav", all(begins("RIFF"), begins("WAVE", 8))),
  form("pdf", "pdf", "application/pdf", begins("%PDF-")),
];

/** Extensions with a type on every web server, of files that no browser runs. */
const TYPED: ReadonlySet<string> = new Set(
  (
    "doc docx xls xlsx ppt pptx odt ods odp rtf txt csv zip 7z rar tar epub eps ai psd tif tiff dxf " +
    "mov avi mkv wmv flac aac bin"
  ).split(" "),
);

/** Extensions without a type on some servers, where a browser sniffs the content. */
const UNTYPED: ReadonlySet<string> = new Set(
  (
    "dot dotx md tsv xlsm pps vsd vsdx pages numbers key gz tgz omanual heic heif hex gcode nc " +
    "dwg dwf step stp iges igs stl obj 3mf sldprt sldasm slddrw ipt iam prt catpart catproduct skp f3d 3dm ply jt x_t"
  ).split(" "),
);

function harmlessExtension(fileName: string | null, head: Buffer): string {
  const named = /\.([A-Za-z0-9_]{1,10})$/.exec(fileName ?? "")?.[1]?.toLowerCase() ?? "";
  return TYPED.has(named) || (UNTYPED.has(named) && !mayBePage(head)) ? named : "bin";
}

/**
 * Whether a browser may sniff a page: it begins with `<` after blanks and a byte order mark (WHATWG
 * MIME Sniffing, 7.1), or has blanks only.
 */
function mayBePage(head: Buffer): boolean {
  const first = head
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()[0];
  return first === undefined || first === "<";
}

/** The bytes that tell the type. Throws what opening the medium throws. */
export async function headOf({ size, open }: Medium): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await open({ start: 0, end: Math.min(HEAD_BYTES, size) })) pieces.push(piece);
  return Buffer.concat(pieces);
}
