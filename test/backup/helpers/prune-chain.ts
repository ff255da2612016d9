import { type Pruned, type PruneParts, prune } from "../../../src/backup/prune/prune.js";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { SnapshotId } from "../../../src/storage/repository/format.js";
import { snapshotIdOf } from "../../../src/storage/repository/names.js";
import type { Retention } from "../../../src/storage/repository/plan-prune.js";
import { guideItem } from "../../helpers/items.js";
import { type Maker, makeRepository } from "../../helpers/repository.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const NOTHING: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const NEVER = new AbortController().signal;

export function snapshotOn(day: number): SnapshotId {
  return snapshotIdOf(new Date(Date.UTC(2026, 0, 1 + day, 3)), null);
}

/** Each number: the guides that change in that night; null: a full one, without a change. */
export async function chain(nights: readonly (readonly number[] | null)[], guides = 4): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder());
  const versions = Array.from({ length: guides }, () => 0);
  for (const [day, changed] of nights.entries()) {
    for (const id of changed ?? []) versions[id % guides] = day + 1;
    const items = versions.map((version, id) =>
      guideItem(id + 1, { title: `Version ${version} of ${id}`, introduction: "words ".repeat(200) }),
    );
    const kind = changed === null || day === 0 ? "full" : "incremental";
    await maker.add({
      snapshot: snapshotOn(day),
      items,
      kind,
      media: [Buffer.from(`picture of ${versions.join()}`), Buffer.alloc(9000, "x")],
    });
  }
  return maker;
}

export function run(folder: string, retention: Partial<Retention>, more: Partial<PruneParts> = {}): Promise<Pruned> {
  return prune({
    storage: new LocalFolder(folder),
    retention: { ...NOTHING, ...retention },
    dryRun: false,
    compact: null,
    madeBy: "test",
    signal: NEVER,
    ...more,
  });
}
