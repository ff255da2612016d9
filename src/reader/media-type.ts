/** How a reader shows bytes. `download`: it does not; the browser keeps them as a file. */
export type Shown = "image" | "video" | "audio" | "pdf" | "download";

/** What bytes are served as. */
export interface MediaType {
  /** Of the address, lower case, without the dot. It says nothing to the server; on a disk browsers go by it. */
  readonly extension: string;
  readonly shown: Shown;
  readonly contentType: string;
}

/** So many bytes from the beginning tell the type. */
export const HEAD_BYTES = 64;

/**
 * What a content is, by its first bytes alone (`HEAD_BYTES`, or all where there are fewer): what a site or a file name says of foreign bytes is no reason to run them. What
 * is not in the table is a download, SVG and HTML above all, since they can hold scripts.
 *
 * @param fileName gives a download the extension that people know it by, where that is harmless. Default: none, `bin`.
 */
export function mediaTypeOf(head: Uint8Array, fileName: string | null = null): MediaType {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  const found = FORMS.find(({ fits }) => fits(bytes));
  if (found !== undefined) return found.type;
  return { extension: harmlessExtension(fileName), shown: "download", contentType: "application/octet-stream" };
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

/** ISO base media files name their family at byte 8 (ISO/IEC 14496-12, 4.3). */
function brand(pattern: RegExp): Form["fits"] {
  return (bytes) => begins("ftyp", 4)(bytes) && pattern.test(bytes.toString("latin1", 8, 12));
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
  // Matroska in general begins the same; its document type stands near the beginning (RFC 8794, 11.2).
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

/** Extensions of files that no browser runs, whatever is in them. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "doc docx dot dotx odt rtf txt md csv tsv xls xlsx xlsm ods ppt pptx pps odp vsd vsdx pages numbers key epub " +
    "dwg dxf dwf step stp iges igs stl obj 3mf sldprt sldasm slddrw ipt iam prt catpart catproduct skp f3d 3dm ply jt x_t " +
    "zip 7z gz tgz tar rar omanual heic heif tif tiff psd ai eps mov avi mkv wmv flac aac bin hex gcode nc"
  ).split(" "),
);

function harmlessExtension(fileName: string | null): string {
  const named = /\.([A-Za-z0-9_]{1,10})$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  return named !== undefined && HARMLESS.has(named) ? named : "bin";
}
