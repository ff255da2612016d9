import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { looms, rowsOf, textOf } from "./helpers/read-backups.js";

/** The site lists these, and answers 404 for each. */
function hide({ sandbox }: BackupSite, paths: RegExp, status = 404): void {
  sandbox.faults.decide(({ path }) => (paths.test(path) ? { kind: "status", status } : undefined));
}

async function manifestOf({ folder }: BackupSite) {
  const repository = await openRepository(folder);
  const manifest = await repository.manifest(repository.find().snapshot);
  await repository.close();
  return manifest;
}

describe("an item that is listed and answered 404", () => {
  it("is a failure: a backup that reads no item is not complete", async () => {
    const site = await looms();
    hide(site, /^\/(?:guides\/\d+|wikis\/\w+\/.+)$/);
    const { index, failures } = await site.backUp();
    expect(index.complete).toBe(false);
    expect(failures.map(({ key }) => key)).toEqual(
      expect.arrayContaining(["category/Looms", "guide/1", "guide/13", "wiki/WIKI/Sheds"]),
    );
    expect(failures[0]?.reason).toMatch(/is listed, but .*404/);
    site.sandbox.faults.clear();
    const second = await site.backUp();
    expect([second.index.complete, second.failures]).toEqual([true, []]);
    expect((await rowsOf(site)).get("guide/13")?.state).toBe("present");
  });

  it("is a failure of the snapshot without it, and the next backup reads it first", async () => {
    const site = await looms();
    hide(site, /^\/guides\/7$/);
    const first = await site.backUp();
    expect([first.index.complete, first.failures]).toEqual([
      false,
      [expect.objectContaining({ key: "guide/7", stage: "extract" })],
    ]);
    expect(first.extracted.vanished).toEqual([]);
    site.sandbox.faults.clear();
    const from = site.sandbox.recorded.length;
    site.sandbox.edit.guide(1, { introduction: "Later." });
    expect((await site.backUp({ control: { concurrency: 1 } })).index.complete).toBe(true);
    const read = site.sandbox.recorded.slice(from).flatMap(({ path }) => /\/guides\/(\d+)$/.exec(path)?.[1] ?? []);
    expect(read).toEqual(["7", "1"]);
  });

  it("keeps its last text and translations, and the snapshot is incomplete", async () => {
    const site = await looms();
    const first = await site.backUp();
    site.sandbox.edit.guide(7, { introduction: "Later." });
    hide(site, /^\/guides\/7$/);
    const { index, failures } = await site.backUp();
    expect([index.complete, failures.map(({ key }) => key)]).toEqual([false, ["guide/7"]]);
    expect(await textOf(site, "guide/7", index.snapshot)).toBe(await textOf(site, "guide/7", first.index.snapshot));
  });

  it("counts towards the limit of failures", async () => {
    const site = await looms();
    for (let at = 14; at <= 70; at += 1) {
      const guide = site.sandbox.edit.createGuide({ category: "Looms", type: "how-to", title: `Guide ${at}` });
      site.sandbox.edit.setPublic(guide, true);
    }
    hide(site, /^\/guides\/\d+$/);
    await expect(site.backUp()).rejects.toMatchObject({ exitCode: 8, message: expect.stringMatching(/is listed/) });
  });

  it("is deleted when the list no longer has it; no list is read when nothing is missing", async () => {
    const site = await looms();
    await site.backUp();
    for (const guide of [2, 3]) site.sandbox.edit.guide(guide, { introduction: "Later." });
    site.sandbox.faults.decide(({ path }) => {
      if (path === "/guides/2") site.sandbox.edit.deleteGuide(3);
      return undefined;
    });
    const { index, failures, extracted } = await site.backUp({ control: { concurrency: 1 } });
    expect([index.complete, failures, extracted.vanished]).toEqual([true, [], ["guide/3"]]);
    expect(index.counts.deleted).toBe(1);
    expect((await rowsOf(site)).get("guide/3")).toMatchObject({ state: "deleted", deleted: index.snapshot });
    expect((await manifestOf(site)).leftOut).toEqual([{ key: "guide/3", why: "vanished" }]);
    site.sandbox.faults.clear();
    const from = site.sandbox.recorded.length;
    await site.backUp();
    const lists = site.sandbox.recorded.slice(from).filter(({ path }) => path === "/guides");
    const before = from - site.sandbox.recorded.slice(0, from).filter(({ path }) => path !== "/guides").length;
    expect(lists.length).toBeLessThan(before / 2);
  });

  it("marks the snapshot when the site is emptied during the backup", async () => {
    const site = await looms();
    await site.backUp();
    for (let guide = 1; guide <= 5; guide += 1) site.sandbox.edit.guide(guide, { introduction: "Later." });
    site.sandbox.faults.decide(({ path }) => {
      if (path === "/guides/1") for (let guide = 2; guide <= 5; guide += 1) site.sandbox.edit.deleteGuide(guide);
      return undefined;
    });
    const { index, warnings } = await site.backUp({ control: { concurrency: 1 } });
    expect(index.manyDeleted).toEqual([{ list: "guides", present: 13, gone: 4 }]);
    expect(warnings[0]).toMatch(/4 of 13 guides are no longer listed/);
  });
});

it("an archived guide that this account cannot read is reported, and named in the manifest", async () => {
  const site = await startBackups(undefined, true);
  const options = { publicOnly: true };
  await site.backUp({ options });
  site.sandbox.edit.guide(5, { flags: ["GUIDE_ARCHIVED"] });
  const { index, extracted, failures } = await site.backUp({ options });
  expect([index.complete, failures, extracted.archived]).toEqual([true, [], ["guide/15", "guide/5"]]);
  expect((await manifestOf(site)).leftOut).toEqual([
    { key: "guide/15", why: "archived" },
    { key: "guide/5", why: "archived" },
  ]);
});
