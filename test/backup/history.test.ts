import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blameOf, type HistoryEntry, historyOf, versionsOf } from "../../src/backup/history/history.js";
import type { Item } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import type { SnapshotId } from "../../src/storage/repository/format.js";
import { snapshotIdOf } from "../../src/storage/repository/names.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { guideItem, step, wikiItem } from "../helpers/items.js";
import { type Maker, makeRepository } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import "../helpers/seed.js";

function nightOf(day: number): SnapshotId {
  return snapshotIdOf(new Date(Date.UTC(2026, 0, 1 + day, 3)), null);
}

async function nights(...states: readonly (readonly Item[])[]): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder());
  for (const [day, items] of states.entries()) await maker.add({ snapshot: nightOf(day), items });
  return maker;
}

async function history({ folder }: Maker, key: Key): Promise<readonly HistoryEntry[]> {
  const repository = await openRepository(folder);
  const all: HistoryEntry[] = [];
  try {
    for await (const entry of historyOf(repository, key)) all.push(entry);
  } finally {
    await repository.close();
  }
  return all;
}

async function blame({ folder }: Maker, key: Key, until = 99): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const lines = await blameOf(repository, key, nightOf(until));
  await repository.close();
  return lines.map(({ snapshot, author, line }) => `${snapshot.slice(6, 8)} ${author ?? "-"} ${line}`);
}

const OTHER = guideItem(2);
const one = (introduction: string, more = {}): Item => ({
  ...guideItem(1, { introduction, steps: [step(7, ["Oil it"]), step(8, ["Turn it"])], ...more }),
  revision: introduction,
});

describe("history", () => {
  it("tells each night in which an item came, changed, went or came back, and nothing else", async () => {
    const ada = { id: 3, name: "Ada", uniqueName: "ada" };
    const maker = await nights(
      [OTHER],
      [OTHER, one("first", { modifiedDate: 99, author: ada })],
      [OTHER, one("first", { modifiedDate: 99, author: ada })],
      [OTHER, one("second", { title: "New title", steps: [step(8, ["Turn it"]), step(9)] })],
      [OTHER],
      [guideItem(2, { title: "Other" })],
      [OTHER, one("third")],
    );
    const entries = await history(maker, "guide/1");
    expect(entries.map(({ snapshot, what, revision }) => [snapshot, what, revision])).toEqual([
      [nightOf(1), "new", "first"],
      [nightOf(3), "changed", "second"],
      [nightOf(4), "deleted", "second"],
      [nightOf(6), "back", "third"],
    ]);
    expect(entries[0]).toMatchObject({ modified: 99, author: "Ada", changes: [] });
    expect(entries[1]?.changes.map(({ path }) => path)).toEqual([
      "title",
      "introduction",
      "steps[step/7]",
      "steps[step/9]",
      "author",
      "modifiedDate",
    ]);
    await expect(history(maker, "guide/77")).rejects.toMatchObject({ exitCode: 10 });
  });

  it("sees an item that is again as it was, though nothing new is written of it", async () => {
    const maker = await nights([one("a"), OTHER], [one("b"), OTHER], [one("a"), OTHER], [OTHER], [one("a"), OTHER]);
    expect((await history(maker, "guide/1")).map(({ snapshot }) => snapshot)).toEqual([0, 1, 2, 3, 4].map(nightOf));
  });

  it("is what reading every row says, whatever happened", async () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      version: fc.option(fc.integer({ min: 0, max: 2 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        fc.nat(7),
        async (days, full) => {
          const maker = await makeRepository(await temporaryFolder());
          const state = new Map<number, number>([[1, 0]]);
          for (const [day, all] of days.entries()) {
            for (const { id, version } of all) version === null ? state.delete(id) : state.set(id, version);
            const items = [...state].map(([id, version]) => guideItem(id, { title: `Version ${version}` }));
            await maker.add({
              snapshot: nightOf(day),
              items,
              kind: day === 0 || day === full ? "full" : "incremental",
            });
          }
          const repository = await openRepository(maker.folder);
          for (const key of ["guide/1", "guide/2", "guide/3"] as const) {
            const expected: string[] = [];
            let last = "";
            for (const [snapshot, { items }] of maker.rows) {
              const row = items.find((each) => each.key === key);
              const now = row === undefined ? "" : row.state === "deleted" ? "deleted" : row.sha256;
              if (now !== last) expected.push(snapshot);
              last = now;
            }
            expect((await versionsOf(repository, key)).map(({ index }) => index.snapshot)).toEqual(expected);
          }
          await repository.close();
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("blame", () => {
  it("names the night of each line", async () => {
    const [ada, bob] = [
      { id: 3, name: "Ada", uniqueName: null },
      { id: 4, name: "Bob", uniqueName: null },
    ];
    const page = (contents: string, author: typeof ada) => wikiItem("WIKI", "Page", { contents, author });
    const maker = await nights(
      [page("One\nTwo\nThree", ada)],
      [page("One\nTwo and a half\nThree", bob)],
      [page("Nought\nOne\nTwo and a half\nThree", ada)],
      [page("Nought\nOne\nTwo and a half\nThree", ada), OTHER],
    );
    expect((await blame(maker, "wiki/WIKI/Page")).slice(-4)).toEqual([
      "03 Ada Nought",
      "01 Ada One",
      "02 Bob Two and a half",
      "01 Ada Three",
    ]);
    expect((await blame(maker, "wiki/WIKI/Page", 1)).slice(-3)).toEqual([
      "01 Ada One",
      "02 Bob Two and a half",
      "01 Ada Three",
    ]);
    await expect(blame(maker, "guide/2", 1)).rejects.toMatchObject({ exitCode: 10 });
  });
});
