import { describe, expect, it } from "vitest";
import { prune } from "../../src/backup/prune/prune.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { BackupSite } from "./helpers/backups.js";
import { looms, rowsOf } from "./helpers/read-backups.js";

/** Takes these guides from every list, and answers for them by themselves as ever. */
function shortenLists({ sandbox }: BackupSite, guides: readonly number[]): void {
  const { edit, faults } = sandbox;
  const hide = (): void => {
    for (const guide of guides) edit.deleteGuide(guide);
  };
  const show = (): void => {
    for (const guide of guides) edit.restoreGuide(guide);
  };
  let isListing = false;
  faults.decide((request) => {
    const list = request.method === "GET" && /^\/guides(\/all)?$/.test(request.path);
    if (list && !isListing) hide();
    if (!list && isListing) show();
    isListing = list;
    return undefined;
  });
}

describe("lists that are short for a moment", () => {
  it("make no tombstones of what answers when it is asked for", async () => {
    const site = await looms();
    await site.backUp();
    shortenLists(site, [3, 7]);
    const { index, extracted } = await site.backUp();
    expect([index.counts.deleted, index.manyDeleted, extracted.unlisted]).toEqual([
      0,
      undefined,
      ["guide/3", "guide/7"],
    ]);
    const rows = await rowsOf(site);
    expect(["guide/3", "guide/7"].map((key) => rows.get(key)?.state)).toEqual(["present", "present"]);
  });

  it("show edits of what they leave out, and what cannot be told stays as a failure", async () => {
    const site = await looms();
    await site.backUp();
    site.sandbox.edit.guide(3, { introduction: "Later." });
    shortenLists(site, [3]);
    const second = await site.backUp();
    expect((await rowsOf(site, second.index.snapshot)).get("guide/3")).toMatchObject({ state: "present" });
    expect(second.index.counts.changed).toBeGreaterThan(0);
    site.sandbox.faults.decide(undefined);
    site.sandbox.edit.deleteGuide(5);
    site.sandbox.faults.inject({ kind: "status", status: 500 }, { path: "/guides/5", times: 100 });
    const third = await site.backUp();
    expect(third.failures).toEqual([expect.objectContaining({ stage: "extract", key: "guide/5" })]);
    expect((await rowsOf(site, third.index.snapshot)).get("guide/5")?.state).toBe("present");
    site.sandbox.faults.clear();
    expect((await site.backUp()).index.counts.deleted).toBe(1);
  });
});

describe("more deletions than the limit allows", () => {
  it("stop no backup: the snapshot is marked, and no earlier one is pruned until somebody agrees", async () => {
    const site = await looms();
    const first = await site.backUp();
    await site.backUp();
    for (const guide of [1, 2]) site.sandbox.edit.deleteGuide(guide);
    site.sandbox.edit.guide(9, { introduction: "Later." });
    const third = await site.backUp();
    expect(third.index.manyDeleted).toEqual([{ list: "guides", present: 13, gone: 2 }]);
    // The guide, and the category page that lists it: rows of pages carry no date.
    expect([third.index.counts.deleted, third.index.counts.changed]).toEqual([2, 2]);
    expect(third.warnings[0]).toMatch(/2 of 13 guides are no longer listed.*--max-deletions 100%/);
    expect((await rowsOf(site, first.index.snapshot)).get("guide/1")?.state).toBe("present");
    const fourth = await site.backUp();
    expect(fourth.index.manyDeleted).toBeUndefined();
    expect(fourth.warnings[0]).toMatch(/no earlier snapshot is pruned/);
    expect(await kept(site)).toEqual(4);
    const agreed = await site.backUp({ options: { maxDeletions: { share: 1 } } });
    expect(agreed.warnings).toEqual([]);
    expect(agreed.index.deletionsAccepted).toBe(true);
    expect((await site.backUp()).warnings).toEqual([]);
    // The first is full, and the last needs it.
    expect(await kept(site)).toBeLessThan(5);
  });
});

/** How many snapshots a prune leaves that keeps the last one only. */
async function kept({ folder }: BackupSite): Promise<number> {
  const none = { daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const retention = { ...none, last: 1 };
  const signal = new AbortController().signal;
  await prune({
    storage: new LocalFolder(folder),
    retention,
    dryRun: false,
    compact: null,
    madeBy: "guideferry test",
    signal,
  });
  const repository = await openRepository(folder);
  await repository.close();
  return repository.snapshots().length;
}
