import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { EntryOrder } from "../../../src/storage/archive/check-entries.js";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { HOSTILE_BYTES } from "./helpers/hostile-bytes.js";
import { HOSTILE_NAMES } from "./helpers/hostile-names.js";
import { onDisk } from "./helpers/on-disk.js";
import { type Part, type Whole, zipBytes } from "./helpers/zip-bytes.js";

const order: EntryOrder = {
  entries: 10_000,
  listBytes: 1024 * 1024,
  sortedBy: (path) => (/^[a-z]+\d*$/.test(path) ? path : undefined),
};

/** What is told of an archive of which no entry may be there but in order. */
async function codesOf(bytes: Buffer, more: Partial<EntryOrder> = {}): Promise<readonly string[]> {
  const path = await onDisk(bytes);
  const { findings, isRefused, entries } = await inspectArchive(path, {
    limits: { entries: 0 },
    order: { ...order, ...more },
  });
  expect([isRefused, entries]).toEqual([findings.some(({ level }) => level === "error"), []]);
  return [...new Set(findings.map(({ code }) => code))].sort();
}

const FALSE_END = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18), Buffer.from("more")]);
const [a, b, c]: readonly [Part, Part, Part] = [
  { name: "a", content: "aaaa" },
  { name: "b", content: "b".repeat(500) },
  { name: "c", content: "cc" },
];
const many = Array.from({ length: 6000 }, (_, at): Part => ({ name: `e${10_000 + at}`, content: `${at}` }));
const changed = (at: number, part: Partial<Part>): readonly Part[] =>
  many.map((one, index) => (index === at ? { ...one, ...part } : one));

describe("an archive whose entries stand in order", () => {
  it("may have as many as the order lets, over several windows", async () => {
    expect(await codesOf(zipBytes([a, b, c]))).toEqual([]);
    expect(await codesOf(zipBytes(many))).toEqual([]);
    expect(await codesOf(zipBytes(many), { entries: 5999 })).toEqual(["E_ZIP_ENTRY_COUNT"]);
    expect(await codesOf(zipBytes(many), { listBytes: 1000 })).toEqual(["E_ZIP_ENTRY_COUNT"]);
  });

  it("is one that holds an archive in it", async () => {
    expect(await codesOf(zipBytes([a, { name: "b", content: zipBytes([c]), store: true }]))).toEqual([]);
  });

  const kernel = deflateRawSync(Buffer.alloc(70_000_000));
  const bomb: Part = { name: "d", packed: kernel, both: { method: 8, size: 70_000_000, packedSize: kernel.length } };
  const wrong: readonly (readonly [string, readonly Part[], readonly string[], Whole?])[] = [
    ["a name before the one before", [b, a], ["E_ZIP_ENTRY_COUNT"]],
    ["a name twice", [a, a], ["E_ZIP_ENTRY_COUNT"]],
    ["a name of no such archive", [a, { name: "b.exe" }], ["E_ZIP_ENTRY_COUNT"]],
    ["a name that is tidied first", [a, { name: "./b" }], ["E_ZIP_ENTRY_COUNT", "W_ZIP_NAME_DOT_SEGMENT"]],
    ["a folder", [a, { name: "b/" }], ["E_ZIP_ENTRY_COUNT"]],
    ["bytes between two entries", [a, { ...b, gap: Buffer.alloc(3) }], ["E_ZIP_ENTRY_COUNT"]],
    ["bytes before the first", [{ ...a, gap: Buffer.alloc(3) }], ["E_ZIP_ENTRY_COUNT"]],
    ["an entry that the list hides", [a, { ...b, isHidden: true }, c], ["E_ZIP_ENTRY_COUNT"]],
    ["an entry hidden behind the last", [a, { ...b, isHidden: true }], ["E_ZIP_ENTRY_COUNT"]],
    [
      "entries in another order than their bytes",
      [
        { ...a, at: 39 },
        { ...b, at: 0 },
      ],
      ["E_ZIP_HEADER_MISMATCH"],
    ],
    [
      "a content that two entries share",
      [a, { ...a, name: "b", at: 0, isListedOnly: true }],
      ["E_ZIP_HEADER_MISMATCH"],
    ],
    ["a wrong header", [a, { ...b, local: { size: 3 } }, c], ["E_ZIP_HEADER_MISMATCH"]],
    ["a wrong checksum", [a, { ...b, both: { crc32: 1 } }, c], ["E_ZIP_CRC"]],
    ["a link", [a, { ...b, mode: 0o120777 }], ["E_ZIP_SYMLINK"]],
    ["a bomb", [a, b, c, bomb], ["E_ZIP_RATIO"]],
    ["a wrong checksum in the second window", changed(5000, { both: { crc32: 1 } }), ["E_ZIP_CRC"]],
    ["a gap where windows meet", changed(4096, { gap: Buffer.alloc(1) }), ["E_ZIP_ENTRY_COUNT"]],
    ["a name out of order where windows meet", changed(4096, { name: "e1" }), ["E_ZIP_ENTRY_COUNT"]],
    ["a prefix", [a], ["E_ZIP_ENTRY_COUNT"], { prefix: Buffer.from("#!/bin/sh\n"), isShifted: true }],
    ["an archive in the comment", [a], ["E_ZIP_ENTRY_COUNT"], { comment: zipBytes([b]) }],
    ["another end in the comment", [a], ["E_ZIP_AMBIGUOUS"], { comment: FALSE_END }],
  ];

  const cases = wrong.map(([what, parts, codes, whole = {}]) => ({ what, parts, codes, whole }));

  it.each(cases)("is refused for $what", async ({ parts, codes, whole }) => {
    const found = await codesOf(zipBytes(parts, whole));
    expect(found).toEqual(expect.arrayContaining([...codes]));
    expect(found.filter((code) => code.startsWith("E_")).length).toBeGreaterThan(0);
  });

  it.each([...HOSTILE_NAMES, ...HOSTILE_BYTES])("is refused like any other for: $what", async ({ bytes }) => {
    const path = await onDisk(bytes());
    const anyName: EntryOrder = { ...order, sortedBy: (name) => name };
    expect((await inspectArchive(path, { limits: { entries: 0 }, order: anyName })).isRefused).toBe(true);
  });
});
