import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prune } from "../../../../src/backup/prune/prune.js";
import { writeArchive } from "../../../../src/storage/archive/write-archive.js";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import { indexName } from "../../../../src/storage/repository/names.js";
import { openRepository } from "../../../../src/storage/repository/read/open-repository.js";
import { guideItem } from "../../../helpers/items.js";
import { type Maker, makeRepository, NAME } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

const [FIRST, SECOND, THIRD] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;
const LATER = `${NAME}-20991231T030000Z.incremental.zip`;

async function threeNights(): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder());
  await maker.add({ snapshot: FIRST, items: [guideItem(1)], kind: "full" });
  await maker.add({ snapshot: SECOND, items: [guideItem(1, { title: "Other" })], kind: "full" });
  await maker.add({ snapshot: THIRD, items: [guideItem(1, { title: "New" })] });
  return maker;
}

const mainOf = ({ folder, indexes }: Maker, snapshot: string): string =>
  join(folder, indexes.get(snapshot)?.archives.at(-1)?.name ?? "");

/** The remarks, and what a prune removes; null: it refuses. */
async function look({
  folder,
}: Maker): Promise<{ readonly damage: readonly string[]; readonly notes: string; readonly removed: number | null }> {
  const repository = await openRepository(folder);
  const { remarks } = repository;
  await repository.close();
  const retention = { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const parts = {
    storage: new LocalFolder(folder),
    retention,
    dryRun: true,
    compact: null,
    madeBy: "test",
    signal: new AbortController().signal,
  };
  const removed = await prune(parts).then(
    ({ plan }) => plan.removed.length,
    (error: unknown) => {
      expect(error).toMatchObject({ exitCode: 6 });
      return null;
    },
  );
  const damage = remarks.filter(({ isDamage }) => isDamage).map(({ file }) => file);
  return {
    damage,
    notes: remarks
      .filter(({ isDamage }) => !isDamage)
      .map(({ text }) => text)
      .join("\n"),
    removed,
  };
}

/** One bit of a name in the list of entries. */
async function misname(file: string, name: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.lastIndexOf(name);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  await writeFile(file, bytes);
}

type Put = (maker: Maker, file: string) => Promise<unknown>;

describe("a zip that no index names", () => {
  const foreign: readonly (readonly [string, RegExp, Put])[] = [
    ["a text", /it is not a zip file/, (_, file) => writeFile(file, "not even a zip")],
    ["a picture", /it is not a zip file/, (_, file) => writeFile(file, Buffer.alloc(200_000, "\x89PNG picture"))],
    [
      "somebody's zip",
      /without the entries of a snapshot/,
      (_, file) =>
        writeArchive(file, [
          { path: "README.txt", content: "Holidays" },
          { path: "beach.jpg", content: "sand" },
        ]),
    ],
    [
      "a copy of another snapshot",
      new RegExp(`holds the snapshot ${FIRST}`),
      (maker, file) => copyFile(mainOf(maker, FIRST), file),
    ],
  ];

  it.each(foreign)("is passed over by name when it is %s", async (_name, why, put) => {
    const maker = await threeNights();
    await put(maker, join(maker.folder, LATER));
    const { damage, notes, removed } = await look(maker);
    expect([damage, removed]).toEqual([[], 2]);
    expect(notes).toMatch(why);
    expect(notes).toContain(LATER);
  });

  const ours: readonly (readonly [string, Put])[] = [
    ["nothing", (_, file) => writeFile(file, "")],
    ["zeros", (_, file) => writeFile(file, Buffer.alloc(9000))],
    [
      "the beginning of a zip",
      (maker, file) => readFile(mainOf(maker, THIRD)).then((bytes) => writeFile(file, bytes.subarray(0, 400))),
    ],
    [
      "the end of a zip",
      (maker, file) => readFile(mainOf(maker, THIRD)).then((bytes) => writeFile(file, bytes.subarray(30))),
    ],
    ["encrypted", (_, file) => writeFile(`${file}.age`, "whatever")],
  ];

  it.each(ours)("may be one of ours when it is %s, and stops a prune", async (_name, put) => {
    const maker = await threeNights();
    await put(maker, join(maker.folder, LATER));
    const { damage, removed } = await look(maker);
    expect([damage.length, removed]).toEqual([1, null]);
  });

  it.each([FIRST, SECOND, THIRD])("is ours where its index is lost, whatever it holds now: %s", async (snapshot) => {
    const maker = await threeNights();
    await rm(join(maker.folder, indexName(NAME, snapshot)));
    expect(await look(maker)).toMatchObject({ damage: [indexName(NAME, snapshot)], removed: null });
    // Another snapshot follows the first two; of the last one only its bytes tell.
    if (snapshot === THIRD) await misname(mainOf(maker, snapshot), "manifest.json");
    else await writeFile(mainOf(maker, snapshot), "text");
    expect((await look(maker)).removed).toBe(null);
    expect((await readdir(maker.folder)).length).toBe(6);
  });

  it("is ours where parts of it are there", async () => {
    const maker = await threeNights();
    const night = { snapshot: "20261104T030000Z", items: [guideItem(1), guideItem(2), guideItem(3)], parts: 1 };
    const { archives } = await maker.add({ ...night, kind: "full" });
    await rm(join(maker.folder, indexName(NAME, night.snapshot)));
    await writeFile(join(maker.folder, archives.at(-1)?.name ?? ""), "text");
    expect((await look(maker)).removed).toBe(null);
  });

  it("is passed over as a repair only when it is no zip", async () => {
    const maker = await threeNights();
    const repair = join(maker.folder, `${NAME}-20991231T030000Z.repair.zip`);
    await writeFile(repair, "text");
    expect((await look(maker)).removed).toBe(2);
    await writeArchive(repair, [{ path: "beach.jpg", content: "sand" }]);
    expect((await look(maker)).removed).toBe(null);
  });
});
