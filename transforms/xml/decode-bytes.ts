import { isUtf8 } from "node:buffer";
import { FaultFound, faultOf, type XmlFault, type XmlNote } from "./xml-fault.js";

export interface Decoded {
  /** Without a byte order mark, every line end a line feed (XML 1.0, 2.11). */
  readonly text: string;
  readonly notes: readonly XmlNote[];
}

/** With the line ends of the file. */
interface DecodedAsWritten extends Decoded {
  /** As TextDecoder names it: `utf-8`, `utf-16le`. */
  readonly encoding: string;
}

/**
 * Decodes by byte order mark, first characters, declared encoding, else UTF-8 (XML 1.0, appendix
 * F). Throws FaultFound for an unknown encoding or a byte that is not of it.
 */
export function decodeBytes(bytes: Uint8Array): Decoded {
  const { text, notes } = decodeAsWritten(bytes);
  return { text: withLineFeeds(text), notes };
}

/** Keeps the file's line ends. Throws FaultFound. `isForgiving`: see decodeXml. */
function decodeAsWritten(bytes: Uint8Array, isForgiving = false): DecodedAsWritten {
  const found = encodingOf(bytes);
  const { encoding, name, certain, isBare } = found;
  if (isForgiving && isMistaken(found, bytes))
    return { text: decodeWindows1252(bytes), encoding: "windows-1252", notes: [MISTAKEN] };
  const text = decode(bytes, encoding, name);
  const declared = declaredIn(text);
  const needsMark = isBare && !/^utf-16(?:le|be)$/i.test(declared);
  const notes = [...(certain ? differs(declared, encoding, name) : []), ...(needsMark ? [NO_MARK] : [])];
  return { text, encoding, notes };
}

/** Valid windows-1252 instead of UTF-8: old tools write it under any declaration. */
function isMistaken({ encoding, isMarked }: Encoding, bytes: Uint8Array): boolean {
  if (isMarked || decoderOf(encoding, true)?.encoding !== "utf-8") return false;
  return !isUtf8(bytes) && seemsWindows1252(bytes);
}

const MISTAKEN: XmlNote = {
  code: "xml-encoding-differs",
  message: "is not UTF-8, which it declares or which is the default; it is read as windows-1252",
  line: 1,
  column: 1,
};

/** XML 1.0, 4.3.3. UTF-16LE and UTF-16BE do not have a mark (RFC 2781, 3.3). */
const NO_MARK: XmlNote = {
  code: "xml-byte-order-mark-missing",
  message: "is UTF-16 without the byte order mark that XML requires; it is read as UTF-16",
  line: 1,
  column: 1,
};

/** Empty when the encoding is unknown. */
export function decodeStart(bytes: Uint8Array, length: number): string {
  const mark = markOf(bytes);
  const encoding = mark === undefined ? declaredEncoding(bytes).encoding : mark.encoding;
  const text = encoding === null ? "" : (decoderOf(encoding, false)?.decode(bytes.subarray(0, length)) ?? "");
  return withLineFeeds(text);
}

export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

interface Encoding {
  readonly encoding: string;
  readonly name: string;
  /** The bytes decide, whatever is declared. */
  readonly certain: boolean;
  /** The required byte order mark is missing. */
  readonly isBare: boolean;
  /** The first bytes decide, not the declaration. */
  readonly isMarked: boolean;
}

function encodingOf(bytes: Uint8Array): Encoding {
  const mark = markOf(bytes);
  if (mark === undefined) return declaredEncoding(bytes);
  if (mark.encoding === null) throw unknownEncoding(mark.name);
  return { encoding: mark.encoding, name: mark.name, certain: true, isBare: mark.isBare === true, isMarked: true };
}

function markOf(bytes: Uint8Array): Mark | undefined {
  return MARKS.find(({ start }) => start.every((byte, index) => bytes[index] === byte));
}

function declaredEncoding(bytes: Uint8Array): Encoding {
  const declared = declaredIn(String.fromCharCode(...bytes.subarray(0, 400)));
  const assumed = ASSUMED.get(declared.toLowerCase());
  if (assumed === undefined)
    return { encoding: declared, name: declared, certain: false, isBare: false, isMarked: false };
  const name =
    declared === "" ? "UTF-8, the encoding of a file without a declaration" : `UTF-8 (it declares ${declared})`;
  return { encoding: assumed, name, certain: true, isBare: false, isMarked: false };
}

interface Mark {
  readonly start: readonly number[];
  /** As TextDecoder names it; null: not readable here. */
  readonly encoding: string | null;
  readonly name: string;
  /** The bytes are characters of the document, not a mark. */
  readonly isBare?: true;
}

/** Longer ones first, since UTF-32's begins as UTF-16's does. */
const MARKS: readonly Mark[] = [
  { start: [0x00, 0x00, 0xfe, 0xff], encoding: null, name: "UTF-32" },
  { start: [0xff, 0xfe, 0x00, 0x00], encoding: null, name: "UTF-32" },
  { start: [0x00, 0x00, 0x00, 0x3c], encoding: null, name: "UTF-32" },
  { start: [0x3c, 0x00, 0x00, 0x00], encoding: null, name: "UTF-32" },
  { start: [0x4c, 0x6f, 0xa7, 0x94], encoding: null, name: "EBCDIC" },
  { start: [0xef, 0xbb, 0xbf], encoding: "utf-8", name: "UTF-8 by its byte order mark" },
  { start: [0xff, 0xfe], encoding: "utf-16le", name: "UTF-16 by its byte order mark" },
  { start: [0xfe, 0xff], encoding: "utf-16be", name: "UTF-16 by its byte order mark" },
  { start: [0x3c, 0x00], encoding: "utf-16le", name: "UTF-16 by its first character", isBare: true },
  { start: [0x00, 0x3c], encoding: "utf-16be", name: "UTF-16 by its first character", isBare: true },
];

/**
 * Wrong or narrow declarations: a declaration that is legible byte by byte is not UTF-16 (some
 * tools write it and save as UTF-8); ASCII is part of UTF-8, but TextDecoder reads it as
 * windows-1252.
 */
const ASSUMED: ReadonlyMap<string, string> = new Map(
  ["", "utf-16", "utf-16le", "utf-16be", "ucs2", "ucs-2", "iso-10646-ucs-2", "ascii", "us-ascii"].map((name) => [
    name,
    "utf-8",
  ]),
);

const DECLARED = /^\s*<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z][\w.:-]{0,60})["']/;

function declaredIn(text: string): string {
  return DECLARED.exec(text.slice(0, 400))?.[1] ?? "";
}

function decode(bytes: Uint8Array, encoding: string, name: string): string {
  const decoder = decoderOf(encoding, true);
  if (decoder === undefined) throw unknownEncoding(name);
  try {
    const text = decoder.decode(bytes);
    return decoder.encoding === "windows-1252" ? completeWindows1252(text) : text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = withLineFeeds(decoderOf(encoding, false)?.decode(bytes) ?? "");
    throw new FaultFound({
      code: "xml-encoding",
      at: Math.max(0, text.indexOf("\ufffd")),
      text,
      element: null,
      what: `a byte here is not ${name}`,
      expected: "a file in the encoding that it declares, or UTF-8 if it declares none; save the file again as UTF-8",
    });
  }
}

function decoderOf(encoding: string, fatal: boolean): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(encoding, { fatal });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function unknownEncoding(name: string): FaultFound {
  return new FaultFound({
    code: "xml-encoding",
    at: 0,
    element: null,
    what: `the encoding ${name} cannot be read`,
    expected: "UTF-8, UTF-16 with a byte order mark, or another encoding of the WHATWG list; save the file as UTF-8",
  });
}

function differs(declared: string, encoding: string, name: string): readonly XmlNote[] {
  const label = decoderOf(declared, false)?.encoding ?? declared.toLowerCase();
  const same = declared === "" || label === encoding || (label.startsWith("utf-16") && encoding.startsWith("utf-16"));
  if (same || decoderOf(encoding, false)?.encoding === label || /ascii/i.test(declared)) return [];
  const message = `declares the encoding ${declared}, but is ${name}; it is read as what it is`;
  return [{ code: "xml-encoding-differs", message, line: 1, column: 1 }];
}

/** The text with the file's line ends, without byte order mark, to change it before `readXml`. */
type DecodedXml =
  | {
      readonly ok: true;
      readonly text: string;
      /** As TextDecoder names it: `utf-8`, `utf-16le`. */
      readonly encoding: string;
      /** Notes on the encoding only; `readXml` gives the others. */
      readonly notes: readonly XmlNote[];
    }
  | { readonly ok: false; readonly fault: XmlFault };

/**
 * Decodes as `readXml` does; never throws. `isForgiving`: invalid UTF-8 without another declaration
 * that seems to be windows-1252 gives the note `xml-encoding-differs`. Default: a fault.
 */
export function decodeXml(
  bytes: Uint8Array,
  { file, isForgiving = false }: { readonly file: string; readonly isForgiving?: boolean },
): DecodedXml {
  try {
    return { ok: true, ...decodeAsWritten(bytes, isForgiving) };
  } catch (error) {
    if (!(error instanceof FaultFound)) throw error;
    return { ok: false, fault: faultOf("", file, error.finding) };
  }
}

/** Bytes 80 to 9F (WHATWG Encoding, index windows-1252); five stay control characters. */
const UPPER =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Some releases of Node decode windows-1252 as ISO-8859-1, with control characters for quotes. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return completeWindows1252(new TextDecoder("windows-1252").decode(bytes));
}

function completeWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => UPPER.charAt(control.charCodeAt(0) - 0x80));
}

/** Also overlong sequences and surrogates of UTF-8. */
const LIKE_UTF8 = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}/;
const NO_CHARACTER = /[\x81\x8d\x8f\x90\x9d]/;

/**
 * Invalid UTF-8 is probably windows-1252, unless parts look like UTF-8 (damaged or meant to
 * deceive) or a byte has no character there.
 */
function seemsWindows1252(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return !LIKE_UTF8.test(text) && !NO_CHARACTER.test(text);
}
