import { describe, expect, it } from "vitest";
import type { SnapshotIndex } from "../../../src/storage/repository/format.js";
import { beforeRestore, snapshotIdOf } from "../../../src/storage/repository/names.js";
import type { Retention } from "../../../src/storage/repository/plan-prune.js";
import { planPrune } from "../../../src/storage/repository/plan-prune.js";
import { snapshotIndex } from "../../helpers/snapshot-index.js";

const NOTHING: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const BEFORE = { madeBy: `guideferry ${beforeRestore("0.1.0")}` };

/** At three, or another hour, of a day counted from 1 November. */
function night(day: number, more: Partial<SnapshotIndex> = {}, hour = 3): SnapshotIndex {
  return snapshotIndex(snapshotIdOf(new Date(Date.UTC(2026, 10, day, hour)), null), more);
}

const kept = (snapshots: readonly SnapshotIndex[], retention: Partial<Retention>) =>
  planPrune(snapshots, [], { ...NOTHING, ...retention }).kept;

describe("a snapshot that a restore took", () => {
  it("takes no night's place, whatever is asked for, and is kept on top", () => {
    const [good, present] = [night(2), night(2, BEFORE, 12)];
    const nights = [night(1), good, present];
    for (const asked of [{ daily: 1 }, { last: 1 }, { weekly: 1 }, { monthly: 1 }, { yearly: 1 }])
      expect([...kept(nights, asked)]).toEqual([
        [good.snapshot, Object.keys(asked)],
        [present.snapshot, ["before a restore"]],
      ]);
  });

  it("is not the complete one that stands for all", () => {
    const [good, failed, present] = [night(1), night(2, { complete: false }), night(2, BEFORE, 12)];
    expect(kept([good, failed, present], { last: 1 }).get(good.snapshot)).toEqual(["complete"]);
  });

  it("goes when nights of thirty later days are there, however many came in one day, and whatever one clock said", () => {
    const present = night(1, BEFORE, 12);
    const later = Array.from({ length: 30 }, (_, day) => night(day + 2));
    const wrong = night(3, { started: "2031-01-01T03:00:00.000Z" }, 4);
    const isKept = (nights: readonly SnapshotIndex[]) => kept(nights, { last: 1 }).has(present.snapshot);
    expect(isKept([night(1), present, ...later])).toBe(false);
    expect(isKept([night(1), present, ...later.slice(1)])).toBe(true);
    const [first = present] = later;
    const sameDay = Array.from({ length: 20 }, (_, hour) => night(2, {}, hour + 4));
    expect(isKept([present, first, ...sameDay])).toBe(true);
    expect(isKept([present, first, wrong])).toBe(true);
  });
});

describe("what was written anew", () => {
  it("stands for its original, and a night that began at the same time by a wrong clock does not", () => {
    const [first, original] = [night(1), night(2)];
    const copy = snapshotIndex("20261102T030001Z", { ...times(original), previous: original.previous });
    expect([...kept([first, original, copy], { last: 2 }).keys()]).toEqual([copy.snapshot, first.snapshot]);
    const other = snapshotIndex("20261102T030001Z", { ...times(original), previous: original.snapshot });
    expect([...kept([first, original, other], { last: 2 }).keys()]).toEqual([other.snapshot, original.snapshot]);
  });
});

function times({ started, finished }: SnapshotIndex): Pick<SnapshotIndex, "started" | "finished"> {
  return { started, finished };
}
