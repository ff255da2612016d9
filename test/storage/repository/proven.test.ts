import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { ArchiveFile } from "../../../src/storage/repository/format.js";
import { dueProofs, noteProven, PROVEN, readProven } from "../../../src/storage/repository/proven.js";
import { guideItem } from "../../helpers/items.js";
import { makeRepository } from "../../helpers/repository.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import "../../helpers/seed.js";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

function file(name: string, bytes: number): ArchiveFile {
  return { name, bytes, sha256: "0".repeat(64), plain: null };
}

function namesOf(files: readonly ArchiveFile[]): readonly string[] {
  return files.map(({ name }) => name);
}

describe("what is due to be read", () => {
  const now = new Date(START + 100 * DAY);
  const ago = (days: number): number => now.getTime() - days * DAY;

  it("is what nobody read for sixty days, what was found damaged, and what is said to be of tomorrow", () => {
    const proven = new Map([
      ["old", ago(61)],
      ["young", ago(29)],
      ["damaged", null],
      ["tomorrow", ago(-1)],
    ]);
    const files = ["old", "young", "damaged", "tomorrow", "unknown"].map((name) => file(name, 10));
    expect(namesOf(dueProofs(files, proven, now)).toSorted()).toEqual(["damaged", "old", "tomorrow", "unknown"]);
  });

  it("is of what was read thirty to sixty days ago a thirtieth a night, the oldest first", () => {
    const files = Array.from({ length: 90 }, (_, at) => file(`${100 + at}`, 10));
    const proven = new Map(files.map(({ name }, at) => [name, ago(59 - at / 10)]));
    expect(namesOf(dueProofs(files, proven, now))).toEqual(["100", "101", "102"]);
    expect(dueProofs(files, new Map(files.map(({ name }) => [name, ago(30)])), now)).toEqual([]);
    expect(dueProofs([], new Map(), now)).toEqual([]);
  });

  it("reads each archive within sixty days and little each night, whatever their sizes", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const files = sizes.map((bytes, at) => file(String(at), bytes));
        const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
        const proven = new Map(files.map(({ name }) => [name, START]));
        for (let night = 1; night <= 200; night += 1) {
          const time = START + night * DAY;
          const due = dueProofs(files, proven, new Date(time));
          for (const { name } of due) proven.set(name, time);
          const read = due.reduce((sum, { bytes }) => sum + bytes, 0);
          expect(read).toBeLessThan(total / 30 + Math.max(...sizes));
          for (const at of proven.values()) expect(time - at).toBeLessThanOrEqual(61 * DAY);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the notes of what was read", () => {
  async function twoNights() {
    const maker = await makeRepository(await temporaryFolder());
    await maker.add({ snapshot: "20260101T030000Z", items: [guideItem(1)] });
    await maker.add({ snapshot: "20260102T030000Z", items: [guideItem(1)] });
    const indexes = [...maker.indexes.values()];
    const names = indexes.map(({ archives }) => archives.at(-1)?.name ?? "");
    return { folder: maker.folder, indexes, names };
  }

  it("count from when an archive was written, until it is read again", async () => {
    const { folder, indexes, names } = await twoNights();
    const [first = "", second = ""] = names;
    const written = indexes.map(({ finished }) => Date.parse(finished));
    expect([...(await readProven(new LocalFolder(folder), indexes))]).toEqual(
      names.map((name, at) => [name, written[at]]),
    );
    const now = new Date(START + 50 * DAY);
    await noteProven(
      new LocalFolder(folder),
      new Map([
        [first, true],
        [second, false],
        ["gone.zip", true],
      ]),
      indexes,
      now,
    );
    expect([...(await readProven(new LocalFolder(folder), indexes))]).toEqual([
      [first, now.getTime()],
      [second, null],
    ]);
    expect(await readFile(join(folder, PROVEN), "utf8")).not.toContain("gone");
    await noteProven(new LocalFolder(folder), new Map([[second, true]]), indexes.slice(1), now);
    expect([...(await readProven(new LocalFolder(folder), indexes))]).toEqual([
      [first, written[0]],
      [second, now.getTime()],
    ]);
    expect((await readdir(folder)).filter((name) => name.includes(".new"))).toEqual([]);
  });

  it.each(["", "{", '{"format":2,"archives":{}}', '{"format":1,"archives":{"a":"yesterday"}}', "[]"])(
    "are as none when they are %j",
    async (text) => {
      const { folder, indexes, names } = await twoNights();
      await writeFile(join(folder, PROVEN), text);
      const proven = await readProven(new LocalFolder(folder), indexes);
      expect(names.map((name) => proven.get(name))).toEqual(indexes.map(({ finished }) => Date.parse(finished)));
      await noteProven(new LocalFolder(folder), new Map([[names[0] ?? "", true]]), indexes, new Date(START));
      expect(JSON.parse(await readFile(join(folder, PROVEN), "utf8")).format).toBe(1);
    },
  );

  it("fail with a reason where they cannot be written", async () => {
    const { folder, indexes, names } = await twoNights();
    await mkdir(join(folder, `${PROVEN}.${process.pid}.new`));
    const noted = noteProven(new LocalFolder(folder), new Map([[names[0] ?? "", true]]), indexes, new Date());
    await expect(noted).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(PROVEN) });
  });
});
