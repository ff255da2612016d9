import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { workOf } from "../../helpers/cpu-time.js";
import { onDisk } from "./helpers/on-disk.js";
import { type Part, zipBytes } from "./helpers/zip-bytes.js";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Unpacking any of these would take many times as much. */
const LITTLE = 300;

const zeros = deflateRawSync(Buffer.alloc(16 * MIB));
const bigZeros: Part = { name: "zeros", packed: zeros, both: { method: 8, size: 16 * MIB, packedSize: zeros.length } };

/**
 * David Fifield's: each entry's content is the one kernel at the end; the headers between are
 * quoted as stored bytes.
 */
function overlapping(count: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(4 * MIB));
  const both = { method: 8, size: 4 * MIB, packedSize: packed.length };
  const kernel: Part = { name: "kernel", packed, both };
  const copies = Array.from(
    { length: count },
    (_, at): Part => ({ ...kernel, name: `copy-${at}`, at: 0, isListedOnly: true }),
  );
  return zipBytes([kernel, ...copies]);
}

const BOMBS: readonly (readonly [string, () => Buffer, readonly string[]])[] = [
  ["one entry of zeros, a thousand for one", () => zipBytes([bigZeros]), ["E_ZIP_RATIO"]],
  [
    "ten gigabytes declared",
    () =>
      zipBytes(
        [0, 1, 2, 3].map((at) => ({ ...bigZeros, name: `zeros-${at}`, both: { ...bigZeros.both, size: 2.5 * GIB } })),
      ),
    ["E_ZIP_RATIO", "E_ZIP_TOTAL_SIZE"],
  ],
  [
    "five gigabytes declared in one entry",
    () => {
      const extra = Buffer.alloc(12);
      extra.writeUInt16LE(1);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(5 * GIB), 4);
      return zipBytes([{ ...bigZeros, listed: { size: 0xffffffff, extra } }]);
    },
    ["E_ZIP_HEADER_MISMATCH", "E_ZIP_RATIO", "E_ZIP_TOTAL_SIZE"],
  ],
  [
    "very many entries that stay below the limit of one",
    () => {
      const packed = deflateRawSync(Buffer.alloc(8 * MIB));
      const both = { method: 8, size: 8 * MIB, packedSize: packed.length };
      return zipBytes(Array.from({ length: 100 }, (_, at) => ({ name: `zeros-${at}`, packed, both })));
    },
    ["E_ZIP_RATIO"],
  ],
  [
    "a thousand entries that share one content",
    () => overlapping(1000),
    ["E_ZIP_HEADER_MISMATCH", "E_ZIP_OVERLAP", "E_ZIP_RATIO"],
  ],
];

describe("a bomb is known by what it declares, and is not unpacked", () => {
  it.each(BOMBS)("%s", async (_what, make, codes) => {
    const path = await onDisk(make());
    const inspected = async (): Promise<void> => {
      const { findings } = await inspectArchive(path);
      expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual(codes);
    };
    expect(await workOf(inspected, LITTLE)).toBeLessThan(LITTLE);
    await expect(openArchive(path)).rejects.toThrow("is refused");
  });

  it("one that declares little ends at what it declares", async () => {
    const packed = deflateRawSync(Buffer.alloc(96 * MIB));
    const both = { method: 8, size: 1000, packedSize: packed.length };
    const path = await onDisk(zipBytes([{ name: "zeros", packed, both }]));
    const larger = await onDisk(zipBytes([{ name: "zeros", packed, both: { ...both, size: MIB } }]));
    const read = async (): Promise<void> => {
      await expect(openArchive(path)).rejects.toThrow("E_ZIP_SIZE_MISMATCH");
      const files = await openArchive(larger, { readContents: false });
      let bytes = 0;
      const reading = (async () => {
        for await (const piece of await files.open("zeros")) bytes += piece.length;
      })();
      await expect(reading).rejects.toThrow("E_ZIP_SIZE_MISMATCH");
      expect(bytes).toBeLessThanOrEqual(MIB);
      await files.close();
    };
    expect(await workOf(read, LITTLE)).toBeLessThan(LITTLE);
  });

  it("a list that claims to be huge is not read", async () => {
    const path = await onDisk(zipBytes([{ name: "a" }], { zip64: { count: 2 ** 50 }, count: 0xffff }));
    expect((await inspectArchive(path)).findings).toMatchObject([
      { code: "E_ZIP_ENTRY_COUNT", entry: null },
      { code: "E_ZIP_CORRUPT", entry: null },
    ]);
    const many = Array.from({ length: 21 }, (_, at) => ({ name: `${at}` }));
    const limits = { entries: 20 };
    const { entries, findings } = await inspectArchive(await onDisk(zipBytes(many)), { limits });
    expect([entries, findings.map(({ code }) => code)]).toEqual([[], ["E_ZIP_ENTRY_COUNT"]]);
  });

  it("a file beyond the limit is not read", async () => {
    const path = await onDisk(zipBytes([{ name: "a" }]));
    const { findings } = await inspectArchive(path, { limits: { archiveBytes: 50 } });
    expect(findings.map(({ code }) => code)).toEqual(["E_ZIP_TOTAL_SIZE"]);
  });

  it("very many false ends cost little", async () => {
    const ends = Buffer.alloc(65_000, Buffer.from("PK\x05\x06\0\0\0\0", "latin1"));
    const path = await onDisk(Buffer.concat([zipBytes([{ name: "a" }]), ends]));
    const inspected = async () => expect((await inspectArchive(path)).isRefused).toBe(true);
    expect(await workOf(inspected, 2 * LITTLE)).toBeLessThan(2 * LITTLE);
  });
});
