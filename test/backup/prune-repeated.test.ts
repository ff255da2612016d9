import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Pruned, PruneParts } from "../../src/backup/prune/prune.js";
import { writeArchive } from "../../src/storage/archive/write-archive.js";
import { indexName } from "../../src/storage/repository/names.js";
import { PROVEN } from "../../src/storage/repository/proven.js";
import { type OpenRepository, openRepository } from "../../src/storage/repository/read/open-repository.js";
import { contentPlaces } from "../helpers/content-places.js";
import { type Maker, NAME, sha256Of } from "../helpers/repository.js";
import { chain, run, snapshotOn } from "./helpers/prune-chain.js";

describe("prune in a nightly run", () => {
  const nightly = (folder: string, day: number, more: Partial<PruneParts> = {}): Promise<Pruned> =>
    run(folder, { last: 1 }, { proving: "due", now: new Date(Date.UTC(2026, 0, 1 + day, 4)), ...more });
  const flipped = async (file: string): Promise<void> => {
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    await writeFile(file, bytes);
  };
  const mainOf = ({ folder, indexes }: Maker, day: number): string =>
    join(folder, indexes.get(snapshotOn(day))?.archives.at(-1)?.name ?? "");

  it("reads nothing that was written, verified or read lately, and everything that was not", async () => {
    const { folder } = await chain([[], null]);
    expect((await nightly(folder, 2, { dryRun: true })).read).toEqual({ files: 0, bytes: 0 });
    const all = await nightly(folder, 90, { dryRun: true });
    expect([all.read.files, all.read.bytes > 9000]).toEqual([1, true]);
    expect((await nightly(folder, 90)).read.files).toBe(1);
    expect((await nightly(folder, 91)).plan.removed).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, PROVEN), "utf8")).archives).toEqual({
      [`${NAME}-${snapshotOn(1)}.full.zip`]: "2026-04-01T04:00:00.000Z",
    });
  });

  it("refuses when what it reads is damaged, and again each night", async () => {
    const maker = await chain([[], null]);
    await flipped(mainOf(maker, 1));
    for (const day of [90, 91]) await expect(nightly(maker.folder, day)).rejects.toMatchObject({ exitCode: 6 });
    await flipped(mainOf(maker, 1));
    expect((await nightly(maker.folder, 92)).plan.removed).toHaveLength(1);
  });

  it("tells how much it reads before it does, and how far it is", async () => {
    const { folder } = await chain([[], [1], null]);
    const told: (readonly number[])[] = [];
    const { read } = await run(folder, { last: 1 }, { watch: (...numbers) => told.push(numbers) });
    expect(told).toEqual([
      [0, 1, 0, read.bytes],
      [1, 1, read.bytes, read.bytes],
    ]);
  });

  it("goes on with what is damaged and was put right by a repair, and says so", async () => {
    const maker = await chain([[], null]);
    const picture = Buffer.alloc(9000, "x");
    const hash = sha256Of(picture);
    const place = (await contentPlaces(maker)).find(
      ({ name, archive }) => name === hash && archive === basename(mainOf(maker, 1)),
    );
    const bytes = await readFile(mainOf(maker, 1));
    const at = Math.floor(((place?.from ?? 0) + (place?.to ?? 0)) / 2);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(mainOf(maker, 1), bytes);
    await expect(run(maker.folder, { last: 1 })).rejects.toMatchObject({ exitCode: 6 });
    const repair = join(maker.folder, `${NAME}-${snapshotOn(9)}.repair.zip`);
    await writeArchive(repair, [{ path: `media/${hash.slice(0, 2)}/${hash}.png`, content: picture }]);
    await openRepository(maker.folder).then(async (repository) => {
      await writeIndexOf(repository);
      await repository.close();
    });
    const { plan, damaged } = await run(maker.folder, { last: 1 });
    expect([plan.removed.length, damaged]).toEqual([1, [basename(mainOf(maker, 1))]]);
  });
});

/** Writes the index of the repair, which was made again in memory. */
async function writeIndexOf(repository: OpenRepository): Promise<void> {
  for (const index of repository.repairs())
    await writeFile(join(repository.address, indexName(NAME, index.snapshot)), JSON.stringify(index));
}
