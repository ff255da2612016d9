import { deflateRawSync } from "node:zlib";
import type { Hostile } from "./hostile-names.js";
import { descriptor, numbers, type Part, unicodePath, zipBytes } from "./zip-bytes.js";

const good: Part = { name: "good.xml", content: "<guide/>" };
const TEXT = "a text that is long enough to be packed, packed, packed, packed, packed";
const text: Part = { name: "text.txt", content: TEXT };
const whole = zipBytes([good, text]);
const packed = deflateRawSync(TEXT);
const lone = zipBytes([{ name: "other.xml", content: "<other/>" }]);

/** An end record that stands in `comment` and says something else. */
const FALSE_END = numbers([4, 0x06054b50], [8, 0], [8, 0], [2, 0]);

/**
 * The list of entries, encrypted in the sense of bit 13 or as a whole, ends the reading; the others
 * are told all at once.
 */
export const HOSTILE_BYTES: readonly Hostile[] = [
  { what: "an empty file", bytes: () => Buffer.alloc(0), codes: ["E_NOT_ZIP"] },
  { what: "a page", bytes: () => Buffer.from("<!DOCTYPE html><title>404</title>"), codes: ["E_NOT_ZIP"] },
  { what: "a RAR archive", bytes: () => Buffer.from("Rar!\x1a\x07\x00"), codes: ["E_NOT_ZIP"] },
  { what: "the first half", bytes: () => whole.subarray(0, whole.length / 2), codes: ["E_ZIP_TRUNCATED"] },
  { what: "all but the last byte", bytes: () => whole.subarray(0, -1), codes: ["E_ZIP_TRUNCATED"] },
  {
    what: "all but the last byte behind a script",
    bytes: () => zipBytes([good], { prefix: Buffer.from("#!/bin/sh\n") }).subarray(0, -1),
    codes: ["E_ZIP_TRUNCATED"],
  },
  { what: "a comment that is cut", bytes: () => zipBytes([good], { commentLength: 9 }), codes: ["E_ZIP_TRUNCATED"] },
  { what: "no entries", bytes: () => zipBytes([]), codes: ["E_ZIP_EMPTY"] },
  { what: "a count that is too high", bytes: () => zipBytes([good], { count: 2 }), codes: ["E_ZIP_CORRUPT"] },
  {
    what: "a count that is too low",
    bytes: () => zipBytes([good, text], { count: 1 }),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "a count beyond the limit that its list has no place for",
    bytes: () => zipBytes([good], { count: 0xfffe }),
    codes: ["E_ZIP_ENTRY_COUNT", "E_ZIP_CORRUPT"],
  },
  { what: "a list that is elsewhere", bytes: () => zipBytes([good], { listAt: 70_000 }), codes: ["E_ZIP_CORRUPT"] },
  { what: "a list that is shorter", bytes: () => zipBytes([good], { listSize: 20 }), codes: ["E_ZIP_CORRUPT"] },
  { what: "a list without its mark", bytes: () => zipBytes([good], { listSignature: 7 }), codes: ["E_ZIP_CORRUPT"] },
  {
    what: "a header elsewhere",
    bytes: () => zipBytes([good, { ...text, at: 3 }]),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "a header behind the end",
    bytes: () => zipBytes([good, { ...text, at: 9e8 }]),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an extra field that runs over",
    bytes: () => zipBytes([{ ...text, listed: { extra: numbers([2, 9], [2, 99]) } }]),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an extra field of its own header that runs over",
    bytes: () => zipBytes([{ ...text, local: { extra: numbers([2, 9], [2, 99]) } }]),
    codes: ["E_ZIP_CORRUPT"],
  },
  {
    what: "a zip64 size that is missing",
    bytes: () => zipBytes([{ ...text, listed: { size: 0xffffffff, extra: numbers([2, 1], [2, 4], [4, 0]) } }]),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "a folder with content",
    bytes: () => zipBytes([good, { name: "a/", content: "b" }]),
    codes: ["E_ZIP_CORRUPT"],
  },
  {
    what: "packed bytes that are damaged",
    bytes: () => zipBytes([good, { ...text, packed: Buffer.alloc(packed.length, 0xff) }]),
    codes: ["E_ZIP_CORRUPT"],
  },
  {
    what: "packed bytes that are cut",
    bytes: () => zipBytes([good, { ...text, packed: packed.subarray(0, -4) }]),
    codes: ["E_ZIP_CORRUPT", "E_ZIP_SIZE_MISMATCH"],
  },
  {
    what: "bytes hidden behind packed ones",
    bytes: () => zipBytes([good, { ...text, packed: Buffer.concat([packed, Buffer.alloc(200_000, 65)]) }]),
    codes: ["E_ZIP_CORRUPT"],
  },
  { what: "one part of several", bytes: () => zipBytes([good], { disk: 1 }), codes: ["E_ZIP_MULTIDISK"] },
  { what: "a count for this part only", bytes: () => zipBytes([good], { countHere: 7 }), codes: ["E_ZIP_MULTIDISK"] },
  { what: "an entry in another part", bytes: () => zipBytes([good, { ...text, disk: 1 }]), codes: ["E_ZIP_MULTIDISK"] },
  { what: "zip64 parts", bytes: () => zipBytes([good], { zip64: { disks: 2 } }), codes: ["E_ZIP_MULTIDISK"] },
  { what: "a password", bytes: () => zipBytes([good, { ...text, both: { flags: 1 } }]), codes: ["E_ZIP_ENCRYPTED"] },
  {
    what: "strong encryption",
    bytes: () => zipBytes([good, { ...text, both: { flags: 0x41 } }]),
    codes: ["E_ZIP_ENCRYPTED"],
  },
  { what: "AES", bytes: () => zipBytes([good, { ...text, both: { method: 99 } }]), codes: ["E_ZIP_ENCRYPTED"] },
  {
    what: "a password that only its own header tells of",
    bytes: () => zipBytes([good, { ...text, local: { flags: 1 } }]),
    codes: ["E_ZIP_HEADER_MISMATCH"],
  },
  ...[9, 12, 14, 93, 95].map((method) => ({
    what: `method ${method}`,
    bytes: () => zipBytes([good, { ...text, both: { method } }]),
    codes: ["E_ZIP_METHOD"] as const,
  })),
  { what: "a wrong checksum", bytes: () => zipBytes([good, { ...text, both: { crc32: 7 } }]), codes: ["E_ZIP_CRC"] },
  {
    what: "a wrong checksum of what is not packed",
    bytes: () => zipBytes([{ ...good, store: true, both: { crc32: 7 } }]),
    codes: ["E_ZIP_CRC"],
  },
  {
    what: "a size that is too small",
    bytes: () => zipBytes([good, { ...text, both: { size: 10 } }]),
    codes: ["E_ZIP_SIZE_MISMATCH"],
  },
  {
    what: "a size that is too large",
    bytes: () => zipBytes([good, { ...text, both: { size: 99 } }]),
    codes: ["E_ZIP_SIZE_MISMATCH"],
  },
  {
    what: "two sizes of what is not packed",
    bytes: () => zipBytes([{ ...good, store: true, both: { size: 5 } }]),
    codes: ["E_ZIP_SIZE_MISMATCH"],
  },
  ...(["name", "method", "crc32", "size", "packedSize"] as const).map((field) => ({
    what: `another ${field} in its own header`,
    bytes: () => zipBytes([good, { ...text, local: { [field]: field === "name" ? "evil.txt" : 0 } }]),
    codes: ["E_ZIP_HEADER_MISMATCH"] as const,
  })),
  {
    what: "other sizes behind the content",
    bytes: () => zipBytes([{ ...text, both: { flags: 8 }, descriptor: descriptor("evil", 4) }]),
    codes: ["E_ZIP_HEADER_MISMATCH"],
  },
  {
    what: "two archives behind each other",
    bytes: () => Buffer.concat([lone, whole]),
    codes: ["E_ZIP_AMBIGUOUS", "E_ZIP_CORRUPT", "E_ZIP_CRC", "E_ZIP_HEADER_MISMATCH"],
  },
  {
    what: "another name in a Unicode path field",
    bytes: () => zipBytes([{ ...good, name: "é.txt", listed: { extra: unicodePath("é.txt", "ü.txt") } }]),
    codes: ["E_ZIP_HEADER_MISMATCH"],
  },
  {
    what: "a count of its own beside the one of zip64",
    bytes: () => zipBytes([good, text], { zip64: {}, count: 1 }),
    codes: ["E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an end in the comment",
    bytes: () => zipBytes([good], { comment: FALSE_END }),
    codes: ["E_ZIP_EMPTY", "E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an end in the comment with more behind it",
    bytes: () => zipBytes([good], { comment: Buffer.concat([FALSE_END, Buffer.from("more")]) }),
    codes: ["E_ZIP_AMBIGUOUS", "E_ZIP_CORRUPT"],
  },
  {
    what: "an archive in the comment",
    bytes: () => zipBytes([good], { comment: lone }),
    codes: ["E_ZIP_AMBIGUOUS", "E_ZIP_CRC", "E_ZIP_HEADER_MISMATCH"],
  },
  {
    what: "a zip64 count of its own",
    bytes: () => zipBytes([good, text], { zip64: { count: 1 } }),
    codes: ["E_ZIP_AMBIGUOUS", "E_ZIP_CORRUPT"],
  },
  {
    what: "a zip64 record elsewhere",
    bytes: () => zipBytes([good], { zip64: { recordAt: 5, disks: 1 }, count: 0xffff }),
    codes: ["E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an entry that the list hides",
    bytes: () => zipBytes([good, { ...text, isHidden: true }]),
    codes: ["E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an entry hidden before the first",
    bytes: () => zipBytes([{ ...text, isHidden: true }, good]),
    codes: ["E_ZIP_AMBIGUOUS"],
  },
  {
    what: "an entry hidden in the bytes before it that no position counts",
    bytes: () => zipBytes([good], { prefix: lone.subarray(0, lone.indexOf("PK\x01\x02")), isShifted: true }),
    codes: ["E_ZIP_AMBIGUOUS", "E_ZIP_CRC", "E_ZIP_HEADER_MISMATCH"],
  },
  {
    what: "two megabytes of unused bytes",
    bytes: () => zipBytes([good, { ...text, gap: Buffer.alloc(2 * 1024 * 1024) }]),
    codes: ["E_ZIP_AMBIGUOUS"],
  },
  {
    what: "two entries of one content",
    bytes: () => zipBytes([good, { ...good, name: "copy.xml", at: 0, isListedOnly: true }]),
    codes: ["E_ZIP_HEADER_MISMATCH", "E_ZIP_OVERLAP"],
  },
  {
    what: "a content that runs into the list",
    bytes: () => zipBytes([{ ...good, store: true, both: { size: 40, packedSize: 40 } }]),
    codes: ["E_ZIP_OVERLAP", "E_ZIP_CORRUPT"],
  },
];
