import { open } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArchiveFile } from "../../../../src/storage/archive/archive-file.js";
import { findList } from "../../../../src/storage/archive/find-list.js";
import { FindingList } from "../../../../src/storage/archive/findings.js";
import { inspectArchive } from "../../../../src/storage/archive/inspect.js";
import { writeArchive } from "../../../../src/storage/archive/write-archive.js";
import { EntryTable } from "../../../../src/storage/repository/read/opened-archive.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import "../../../helpers/seed.js";

async function listOf(path: string): Promise<{ readonly bytes: Buffer; readonly count: number }> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const list = await findList(new ArchiveFile(handle, size), new FindingList(1));
    if (list === undefined) throw new Error("no list");
    return { bytes: await list.file.bytesAt(list.at, list.size), count: list.entryCount };
  } finally {
    await handle.close();
  }
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,3}(\/[a-z0-9%-]{1,6}){0,2}\.json$/), {
  minLength: 1,
  maxLength: 30,
});

describe("the list of entries", () => {
  it("says of each entry what the guard says", async () => {
    const folder = await temporaryFolder();
    await fc.assert(
      fc.asyncProperty(names, async (paths) => {
        const path = join(folder, "archive.zip");
        await writeArchive(
          path,
          paths.map((name) => ({ path: name, content: name.repeat(name.length) })),
        );
        const { bytes, count } = await listOf(path);
        const table = new EntryTable(bytes, count);
        const { entries } = await inspectArchive(path);
        expect(table.count).toBe(paths.length);
        for (const entry of entries) expect(table.find(entry.path)).toEqual(entry);
        expect([...table].map((entry) => entry.path)).toEqual(paths.toSorted());
        for (const absent of ["", "a", "zzzz", `${paths[0]}x`]) expect(table.find(absent)).toBeUndefined();
        expect(table.countBelow("a")).toBe(paths.filter((name) => name.startsWith("a")).length);
      }),
      { numRuns: 40 },
    );
  });

  it("is refused when it is cut, too long, or has a name twice", async () => {
    const path = join(await temporaryFolder(), "archive.zip");
    await writeArchive(path, [
      { path: "items/a.json", content: "one" },
      { path: "items/b.json", content: "two" },
    ]);
    const { bytes, count } = await listOf(path);
    for (let cut = 1; cut < bytes.length; cut += 1)
      expect(() => new EntryTable(bytes.subarray(0, -cut), count)).toThrow(/damaged/);
    expect(() => new EntryTable(bytes, count + 1)).toThrow(/entry 3 of 3/);
    expect(() => new EntryTable(bytes, count - 1)).toThrow(/in the list, which has/);
    const twice = Buffer.from(bytes.toString("latin1").replaceAll("b.json", "a.json"), "latin1");
    expect(() => new EntryTable(twice, count)).toThrow(/two entries/);
  });

  it("knows sizes and places above 4 GiB by their zip64 field", () => {
    const entry = Buffer.alloc(46 + 1 + 28);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(1, 28);
    entry.writeUInt16LE(28, 30);
    for (const at of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, at);
    entry.write("a", 46);
    entry.writeUInt16LE(1, 47);
    entry.writeUInt16LE(24, 49);
    for (const [at, value] of [6, 5, 7].entries()) entry.writeBigUInt64LE(BigInt(value * 2 ** 33), 51 + 8 * at);
    expect(new EntryTable(entry, 1).find("a")).toMatchObject({
      size: 6 * 2 ** 33,
      packedSize: 5 * 2 ** 33,
      at: 7 * 2 ** 33,
    });
    entry.writeUInt16LE(9, 47);
    expect(() => new EntryTable(entry, 1).find("a")).toThrow(/sizes of an entry are missing/);
  });
});
