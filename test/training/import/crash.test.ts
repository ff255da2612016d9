import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../helpers/temporary-folder.js";
import { CrashBatch, type Kill, type Left, leftBy, OPTIONS, runUntilKilled } from "./helpers/crash-batch.js";
import { importInto } from "./helpers/imports.js";

/** Places that are tried in every run of the tests; `npm run crash` tries all of them. */
const PLACES = 2;
const IS_FULL = process.env["GUIDEFERRY_CRASH_TEST"] === "full";

let batch: CrashBatch;
let undisturbed: Left & { readonly requests: number; readonly rows: number };

beforeAll(async () => {
  batch = await CrashBatch.make();
  const { target, workspace } = await batch.begin();
  const before = target.recorded.length;
  let rows = 0;
  const { summary } = await importInto(target, workspace, batch.packages, {
    ...OPTIONS,
    journal: (journal) => ({
      ...journal,
      put: async (row) => {
        rows += 1;
        return journal.put(row);
      },
    }),
  });
  expect(summary).toMatchObject({ packages: 12, imported: 9, published: 9, failed: 1, unknown: 0 });
  expect(summary.actions).toMatchObject({ "new-module": 9, "new-version": 1, "same-as": 1, refused: 1 });
  undisturbed = { requests: target.recorded.length - before, rows, ...(await leftBy(target, workspace)) };
  await target.close();
});

afterAll(() => removeFolder(batch.folder));

test.each([
  ["request", false],
  ["request", true],
  ["row", false],
  ["row", true],
] as const)(
  "a batch killed at any %s, done: %s, ends like one that never was",
  async (at, done) => {
    const places = at === "request" ? undisturbed.requests : undisturbed.rows;
    const stride = IS_FULL ? 1 : Math.ceil(places / PLACES);
    let kills = 0;
    const first = IS_FULL || done ? 1 : 1 + Math.floor(stride / 2);
    for (let nth = first; nth <= places; nth += stride) kills += (await killOnce({ at, nth, done })) ? 1 : 0;
    if (IS_FULL) process.stdout.write(`${kills} kills at a ${at}, done: ${done}\n`);
    expect(kills).toBeGreaterThanOrEqual(IS_FULL ? places : PLACES - 1);
  },
  7_200_000,
);

test("a batch of which four packages are under way at once, killed anywhere, loses and doubles nothing", async () => {
  const stride = IS_FULL ? 3 : Math.ceil(undisturbed.requests / 2);
  for (let nth = 11; nth <= undisturbed.requests; nth += stride) {
    for (const done of [false, true]) await killOnce({ at: "request", nth, done, concurrency: 4 });
  }
}, 7_200_000);

/** Kills one run, runs it again, and compares what is there with what an undisturbed one leaves. */
async function killOnce(kill: Kill): Promise<boolean> {
  const { target, workspace } = await batch.begin();
  try {
    const isOver = await runUntilKilled(target, workspace, batch.packages, kill);
    await importInto(target, workspace, batch.packages, { ...OPTIONS, concurrency: kill.concurrency ?? 1 });
    const { site, journal } = await leftBy(target, workspace);
    const where = `killed at ${kill.at} ${kill.nth}, done: ${kill.done}`;
    expect(site, where).toEqual(undisturbed.site);
    expect(journal, where).toEqual(undisturbed.journal);
    return !isOver;
  } finally {
    await target.close();
  }
}
