import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotId } from "../../src/storage/repository/format.js";
import { snapshotIdOf } from "../../src/storage/repository/names.js";
import { guideItem } from "../helpers/items.js";
import { type Maker, makeRepository } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import "../helpers/seed.js";
import { archiveOf, check } from "./verify-site.js";

const GUIDES = 6;

function nightOf(day: number): SnapshotId {
  return snapshotIdOf(new Date(Date.UTC(2026, 0, 1 + day, 3)), null);
}

/** What becomes of the guides in a night; what is deleted may come back. */
interface Change {
  readonly edited: readonly number[];
  readonly deleted: readonly number[];
  readonly full: boolean;
}

async function chain(nights: readonly Change[], guides = GUIDES): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder());
  const versions = new Map(Array.from({ length: guides }, (_, id) => [id, 0]));
  for (const [day, { edited, deleted, full }] of nights.entries()) {
    for (const id of edited) versions.set(id, day);
    for (const id of deleted) versions.delete(id);
    const items = [...versions].map(([id, version]) => guideItem(id + 1, { title: `Version ${version} of ${id}` }));
    const media = [...versions].map(([id, version]) => Buffer.from(`picture ${Math.floor(version / 2)} of ${id}`));
    const kind = full || day === 0 ? "full" : "incremental";
    await maker.add({ snapshot: nightOf(day), items, media, kind, parts: 1 });
  }
  return maker;
}

/** Names that can't be had of each snapshot, as its own rows have it; null: it can't be read. */
function lostBy(maker: Maker, gone: ReadonlySet<string>): ReadonlyMap<SnapshotId, readonly string[] | null> {
  return new Map(
    [...maker.rows].map(([snapshot, { items, media }]) => {
      if (gone.has(archiveOf(maker, snapshot))) return [snapshot, null];
      const places = [
        ...items.map((row) => ({ name: row.key, row })),
        ...media.map((row) => ({ name: row.sha256, row })),
      ];
      const lost = places.filter(({ row }) => "archive" in row && gone.has(row.archive));
      return [snapshot, lost.map(({ name }) => name).toSorted()];
    }),
  );
}

describe("verify over many nights", () => {
  it("tells of each what its own rows have lost, whatever archives are gone", async () => {
    const guides = fc.uniqueArray(fc.nat(GUIDES - 1), { maxLength: 3 });
    const night = fc.record({
      edited: guides,
      deleted: fc.uniqueArray(fc.nat(GUIDES - 1), { maxLength: 2 }),
      full: fc.boolean().map((full) => full),
    });
    const some = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 2, maxLength: 8 }), some, async (nights, missing) => {
        const maker = await chain(nights);
        const files = [...maker.indexes.values()].flatMap(({ archives }) => archives.map(({ name }) => name));
        const gone = new Set(missing.map((number) => files[number % files.length] ?? ""));
        for (const file of gone) await rm(join(maker.folder, file));
        const found = await check(maker.folder, { kind: "structure" });
        expect(found.snapshots.map(({ snapshot }) => snapshot)).toEqual([...maker.rows.keys()]);
        for (const [snapshot, lost] of lostBy(maker, gone)) {
          const told = found.snapshots.find((one) => one.snapshot === snapshot);
          const named = found.hits.filter(({ snapshots }) => snapshots.includes(snapshot)).map(({ name }) => name);
          if (lost === null) expect([told?.whole, told?.unreadable === null]).toEqual([false, false]);
          else {
            expect([snapshot, named.toSorted()]).toEqual([snapshot, lost]);
            expect(told).toMatchObject({ whole: lost.length === 0, unreadable: null });
            expect((told?.items ?? 0) + (told?.media ?? 0)).toBe(lost.length);
          }
        }
        const others = found.problems.filter(({ detail }) => !/missing|cannot be read/.test(detail));
        expect(others).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("looks at the rows of the first night, and then at what each has other than the one before", async () => {
    const nights = Array.from({ length: 12 }, (_, day) => ({ edited: [day % 40], deleted: [], full: false }));
    const maker = await chain(nights, 40);
    for (const kind of ["bytes", "structure"] as const) {
      const { rows, damaged } = await check(maker.folder, { kind });
      // 40 guides and 40 pictures; a night later one guide is other, and one picture comes where
      // one goes.
      expect([kind, damaged, rows]).toEqual([kind, false, 80 + 11 * 1 + 10 * 2]);
    }
    // Each row is looked at again behind a snapshot that can't be read.
    await rm(join(maker.folder, archiveOf(maker, nightOf(5))));
    const { rows } = await check(maker.folder);
    expect([rows > 160, rows < 240]).toEqual([true, true]);
  });
});
