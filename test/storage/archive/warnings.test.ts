import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Code } from "../../../src/storage/archive/findings.js";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { onDisk } from "./helpers/on-disk.js";
import { readAll } from "./helpers/read-all.js";
import { descriptor, numbers, type Part, unicodePath, type Whole, zipBytes } from "./helpers/zip-bytes.js";

const good: Part = { name: "good.xml", content: "<guide/>" };
const long = "packed, ".repeat(40);
const packedLong = deflateRawSync(long).length;
const SAME = { "good.xml": "<guide/>", "a.txt": "text" };

interface Untidy {
  readonly what: string;
  readonly parts: readonly Part[];
  readonly whole?: Whole;
  readonly codes: readonly Code[];
  readonly contents?: Readonly<Record<string, string>>;
}

function named(what: string, name: string | Buffer, path: string, ...codes: readonly Code[]): Untidy {
  return {
    what,
    parts: [good, { name, content: "text" }],
    codes,
    contents: { "good.xml": "<guide/>", [path]: "text" },
  };
}

const file: Part = { name: "a.txt", content: "text" };

const UNTIDY: readonly Untidy[] = [
  { what: "nothing", parts: [good, file], codes: [] },
  {
    what: "bytes before it",
    parts: [good, file],
    whole: { prefix: Buffer.from("#!/bin/sh\n") },
    codes: ["W_ZIP_PREFIX_DATA"],
  },
  {
    what: "bytes before it that no position counts",
    parts: [good, file],
    whole: { prefix: Buffer.from("#!/bin/sh\n"), isShifted: true },
    codes: ["W_ZIP_PREFIX_DATA"],
  },
  {
    what: "bytes behind it",
    parts: [good, file],
    whole: { trailing: Buffer.alloc(999) },
    codes: ["W_ZIP_TRAILING_DATA"],
  },
  { what: "a comment", parts: [good, file], whole: { comment: Buffer.alloc(0xffff, 97) }, codes: [] },
  { what: "a comment of an entry", parts: [good, { ...file, comment: Buffer.alloc(0xffff, 97) }], codes: [] },
  { what: "zip64 records that no one needs", parts: [good, file], whole: { zip64: {} }, codes: [] },
  {
    what: "zip64 records that alone have the numbers",
    parts: [good, file],
    whole: { zip64: {}, count: 0xffff, listSize: 0xffffffff, listAt: 0xffffffff },
    codes: [],
  },
  { what: "unused bytes", parts: [good, { ...file, gap: Buffer.from("unused") }], codes: ["W_ZIP_GAP"] },
  {
    what: "sizes behind what is not packed",
    parts: [
      good,
      { ...file, both: { flags: 8 }, local: { crc32: 0, size: 0, packedSize: 0 }, descriptor: descriptor("text", 4) },
    ],
    codes: ["W_ZIP_STORED_DATA_DESCRIPTOR"],
  },
  {
    what: "long sizes behind what is empty",
    parts: [{ name: "a.txt", both: { flags: 8 }, descriptor: descriptor("", 0, true, 8) }, good],
    codes: ["W_ZIP_STORED_DATA_DESCRIPTOR"],
    contents: { "a.txt": "", "good.xml": "<guide/>" },
  },
  named("back-slashes", "a\\b.txt", "a/b.txt", "W_ZIP_BACKSLASH"),
  {
    what: "back-slashes in the list only",
    parts: [good, { name: "a/b.txt", content: "text", listed: { name: "a\\b.txt" } }],
    codes: ["W_ZIP_BACKSLASH"],
    contents: { "good.xml": "<guide/>", "a/b.txt": "text" },
  },
  named("a dot as a segment", "./a.txt", "a.txt", "W_ZIP_NAME_DOT_SEGMENT"),
  {
    what: "a name that is UTF-8 and doesn't say so",
    parts: [good, { name: "é.txt", content: "text", both: { flags: 0 } }],
    codes: ["W_ZIP_NON_UTF8_NAME"],
    contents: { "good.xml": "<guide/>", "é.txt": "text" },
  },
  {
    what: "a name in code page 437",
    parts: [good, { name: Buffer.from([0x82, 0x2e, 0x74]), content: "text", both: { flags: 0 } }],
    codes: ["W_ZIP_NON_UTF8_NAME"],
    contents: { "good.xml": "<guide/>", "é.t": "text" },
  },
  {
    what: "a name in a Unicode path field",
    parts: [good, { name: "_.txt", content: "text", listed: { extra: unicodePath("_.txt", "é.txt") } }],
    codes: ["W_ZIP_NON_UTF8_NAME"],
    contents: { "good.xml": "<guide/>", "é.txt": "text" },
  },
  named("a name in Unicode form D", "cafe\u0301.txt", "caf\u00e9.txt", "W_ZIP_NAME_NFD"),
  named("a name that is a device of Windows", "con.txt", "con.txt", "W_ZIP_NAME_RESERVED"),
  named("a name with a dot at its end", "a./b.txt", "a./b.txt", "W_ZIP_NAME_RESERVED"),
  named("a name that Windows cannot write", "why?.txt", "why?.txt", "W_ZIP_NAME_RESERVED"),
  named("a name that turns the direction", "a\u202etxt.exe", "a\u202etxt.exe", "W_ZIP_NAME_BIDI"),
  { what: "a setuid bit", parts: [good, { ...file, mode: 0o104755 }], codes: ["W_ZIP_MODE_BITS"] },
  { what: "the mode of a pipe", parts: [good, { ...file, mode: 0o010644 }], codes: ["W_ZIP_MODE_BITS"] },
  {
    what: "what a Mac leaves",
    parts: [good, file, { name: "__MACOSX/._a.txt", content: "x" }, { name: "b/.DS_Store", content: "x" }],
    codes: ["W_ZIP_MAC_JUNK"],
  },
  {
    what: "an archive inside",
    parts: [good, { name: "inner.zip", content: "PK", store: true }],
    codes: ["W_ZIP_NESTED_ARCHIVE"],
    contents: { "good.xml": "<guide/>", "inner.zip": "PK" },
  },
  {
    what: "a whole archive inside, at the end",
    parts: [good, { name: "inner.zip", content: zipBytes([file]), store: true }],
    codes: ["W_ZIP_NESTED_ARCHIVE"],
    contents: { "good.xml": "<guide/>", "inner.zip": zipBytes([file]).toString("utf8") },
  },
  {
    what: "an extra field of 60,000 bytes",
    parts: [good, { ...file, listed: { extra: numbers([2, 9], [2, 0]) } }],
    codes: [],
  },
  {
    what: "folders of their own, by a slash and by DOS's attribute",
    parts: [good, { name: "folder/" }, { name: "dos", attributes: 0x10, madeBy: 0 }, file],
    codes: [],
  },
];

describe("an archive that is only untidy is read, and told of", () => {
  it.each(UNTIDY)("when it has: $what", async ({ parts, whole, codes, contents }) => {
    const files = await openArchive(await onDisk(zipBytes(parts, whole)));
    expect([...new Set(files.findings.map(({ code }) => code))]).toEqual(codes);
    expect(await readAll(files)).toEqual(contents ?? SAME);
    await files.close();
  });
});

it.each([
  ["4 bytes, signed", descriptor(long, packedLong, true, 4)],
  ["8 bytes, signed", descriptor(long, packedLong, true, 8)],
  ["4 bytes, not signed", descriptor(long, packedLong, false, 4)],
  ["8 bytes, not signed", descriptor(long, packedLong, false, 8)],
])("sizes behind the content are known in each form: %s", async (_form, bytes) => {
  const packed: Part = { name: "a.txt", content: long, both: { flags: 8 }, descriptor: bytes };
  const files = await openArchive(
    await onDisk(zipBytes([{ ...packed, local: { crc32: 0, size: 0, packedSize: 0 } }, good])),
  );
  expect(files.findings).toEqual([]);
  await files.close();
});
