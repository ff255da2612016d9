import { describe, expect, it } from "vitest";
import { type Pruned, prune } from "../../src/backup/prune/prune.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { snapshotIdOf } from "../../src/storage/repository/names.js";
import type { Retention } from "../../src/storage/repository/plan-prune.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { guideItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const NOTHING: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

/**
 * Chains of nights in which every guide changes; the first of each is full. A number: the seconds
 * to the night before it.
 */
async function nights(chains: readonly (readonly number[])[]): Promise<string> {
  const maker = await makeRepository(await temporaryFolder());
  let time = Date.UTC(2029, 7, 15, 3);
  for (const chain of chains) {
    for (const [at, seconds] of chain.entries()) {
      time += seconds * 1000;
      const items = [1, 2, 3, 4].map((id) => guideItem(id, { title: `${time}`, introduction: "words ".repeat(200) }));
      // One that stays, so that the chain hangs together.
      await maker.add({
        snapshot: snapshotIdOf(new Date(time), null),
        items: [...items, guideItem(5)],
        kind: at === 0 ? "full" : "incremental",
      });
    }
  }
  return maker.folder;
}

async function compacted(folder: string, dryRun = false): Promise<Pruned> {
  return prune({
    storage: new LocalFolder(folder),
    retention: { ...NOTHING, last: 2 },
    dryRun,
    compact: { encryption: null, scratch: await temporaryFolder() },
    madeBy: "test",
    signal: new AbortController().signal,
  });
}

async function namesOf(folder: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  await repository.close();
  return repository.snapshots().map(({ snapshot }) => snapshot);
}

describe("a copy of an old state", () => {
  it("never becomes the youngest where a clock that was ahead left names side by side", async () => {
    const folder = await nights([[0, 1, 1, 1], [1]]);
    const before = await namesOf(folder);
    expect(before.at(-1)).toBe("20290815T030004Z");
    for (const dryRun of [true, false]) {
      const done = await compacted(folder, dryRun);
      expect(done.nameless).toEqual([{ snapshot: "20290815T030003Z", next: "20290815T030004Z" }]);
      expect(done.compacted).toEqual([]);
      expect(done.plan.held.has("20290815T030000Z")).toBe(true);
    }
    const repository = await openRepository(folder);
    expect(repository.find().snapshot).toBe("20290815T030004Z");
    await repository.close();
  });

  it("takes the second between, where there is one", async () => {
    const folder = await nights([[0, 1, 1, 1], [2]]);
    expect((await compacted(folder)).compacted).toEqual([{ snapshot: "20290815T030003Z", as: "20290815T030004Z" }]);
    expect(await namesOf(folder)).toEqual(["20290815T030004Z", "20290815T030005Z"]);
  });
});
