import fc from "fast-check";
import { expect, test } from "vitest";
import "../helpers/seed.js";
import type { InPlaceSummary } from "../../src/backup/in-place/summary.js";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import { restorable, type Vandalism, vandalise, vandalism } from "../helpers/vandal.js";
import { snapshotOf } from "../helpers/vandalised-site.js";

/** The restore writes to a guide by the id of its picture, of which the ledger has no row. */
const ANOTHER_PICTURE: readonly Vandalism[] = [
  { act: "prerequisites", guide: 95, place: 63, text: "x" },
  { act: "step", guide: 14, place: 3, text: "Buy wool" },
  { act: "introduction", guide: 88, place: 4, text: "pwned" },
  { act: "otherPicture", guide: 55, place: 11, text: "x" },
];

test("whatever a vandal did, a restore brings the night of the snapshot back, and a second one writes nothing", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  const before = restorable(site.sandbox.namedState());
  expect(await site.restore()).toMatchObject({ putBack: [], writes: 0 });
  await fc.assert(
    fc.asyncProperty(vandalism, async (acts) => {
      for (const act of acts) await vandalise(site.sandbox, act);
      const foreseen = await site.restore({ dryRun: true });
      const done = await site.restore();
      expect(keysOf(foreseen)).toEqual(keysOf(done));
      // How a guide was edited, or tagged, before it was deleted comes to light when it is back.
      if (done.broughtBack.length === 0) expect(foreseen.writes).toBe(done.writes);
      expect(foreseen.writes).toBeLessThanOrEqual(done.writes);
      expect(sumOf(foreseen.planned?.kinds ?? {})).toBe(foreseen.writes);
      expect(done).toMatchObject({ failed: 0, left: [], lost: [], differences: [] });
      expect(restorable(site.sandbox.namedState())).toEqual(before);
      expect(await site.restore()).toMatchObject({ putBack: [], broughtBack: [], anew: [], writes: 0 });
    }),
    // Each night goes on from the one before, so a smaller one would say nothing.
    { numRuns: Number(process.env["RUNS"] ?? 2), endOnFailure: true, examples: [[ANOTHER_PICTURE]] },
  );
}, 600_000);

function keysOf({ putBack, broughtBack, followed, newer }: InPlaceSummary) {
  const keys = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);
  return { putBack: keys(putBack), broughtBack: keys(broughtBack), followed: followed.toSorted(), newer };
}

function sumOf(kinds: Readonly<Record<string, number>>): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0);
}
