import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../storage/workspace/helpers/files.js";
import { sourceOf } from "../sync/extract-site.js";
import { startBackups } from "./helpers/backups.js";
import { looms, mediaIn, rowsOf, textOf } from "./helpers/read-backups.js";

describe("what vanishes", () => {
  it("is deleted in the snapshot also where it is all there was, and its snapshot is marked", async () => {
    const site = await looms();
    const { index } = await site.backUp();
    for (let guide = 1; guide <= 13; guide += 1) site.sandbox.edit.deleteGuide(guide);
    const emptied = await site.backUp({ options: { maxDeletions: { share: 0.99 } } });
    expect([emptied.index.manyDeleted, emptied.index.counts.deleted]).toEqual([
      [{ list: "guides", present: 13, gone: 13 }],
      13,
    ]);
    expect(emptied.warnings[0]).toMatch(/list of guides is empty, and had 13/);
    expect((await rowsOf(site, index.snapshot)).get("guide/1")?.state).toBe("present");
    site.sandbox.edit.restoreGuide(1);
    expect((await site.backUp()).index.counts.new).toBe(1);
    expect((await rowsOf(site)).get("guide/1")?.state).toBe("present");
  });

  it("is no reason for a mark where it is one item", async () => {
    const site = await startBackups({});
    site.sandbox.edit.createWiki({ namespace: "WIKI", title: "One", contents: "1" });
    site.sandbox.edit.createWiki({ namespace: "WIKI", title: "Two", contents: "2" });
    await site.backUp();
    site.sandbox.edit.deleteWiki("WIKI", "Two");
    const { index } = await site.backUp();
    expect([index.counts.deleted, index.manyDeleted]).toEqual([1, undefined]);
  });
});

describe("whose backup it is", () => {
  it("no admin's lists leave private guides out, so that needs an agreement", async () => {
    const site = await looms({ admin: false });
    await expect(site.backUp()).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/is not an admin .*--public-only/),
    });
    expect(existsSync(join(site.folder, "repository.json"))).toBe(false);
    const { index, extracted } = await site.backUp({ options: { publicOnly: true } });
    expect([index.complete, extracted.privateIncluded]).toEqual([true, "no-not-admin"]);
    expect((await rowsOf(site)).get("guide/13")).toBeUndefined();
  });

  it("another site's repository is refused, and another name", async () => {
    const [one, other] = [await looms(), await looms()];
    await one.backUp({ options: { name: "Weavers' Site" } });
    expect(readdirSync(one.folder).filter((name) => name.endsWith(".zip"))).toEqual([
      expect.stringMatching(/^weavers-site-\d{8}T\d{6}Z\.full\.rows\.zip$/),
      expect.stringMatching(/^weavers-site-\d{8}T\d{6}Z\.full\.zip$/),
    ]);
    const source = sourceOf(other.sandbox);
    await expect(one.backUp({ source, workspace: other.workspace })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/holds the backups of weavers-site.* Use another folder with --to\.$/),
    });
    await expect(one.backUp({ options: { name: "else" } })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/Leave out --name or give --name weavers-site, or use another folder/),
    });
    expect((await one.backUp()).index.kind).toBe("incremental");
  });
});

describe("what fails", () => {
  it("stays as it was, marks the snapshot, and is tried before anything else the next night", async () => {
    const site = await looms();
    const { edit, faults, recorded } = site.sandbox;
    await site.backUp();
    for (const guide of [2, 9]) edit.guide(guide, { introduction: "Later." });
    faults.inject({ kind: "status", status: 500 }, { path: "/guides/9", times: 100 });
    const second = await site.backUp();
    expect(second.index.complete).toBe(false);
    expect(second.failures).toEqual([expect.objectContaining({ stage: "extract", key: "guide/9" })]);
    expect(await textOf(site, "guide/9", second.index.snapshot)).toMatch(/"Begin\."/);
    expect(await textOf(site, "guide/2", second.index.snapshot)).toMatch(/"Later\."/);
    faults.clear();
    for (const guide of [1, 4]) edit.guide(guide, { introduction: "Later." });
    const from = recorded.length;
    const third = await site.backUp({ control: { concurrency: 1 } });
    expect(third.index.complete).toBe(true);
    const read = recorded.slice(from).flatMap(({ path }) => /\/guides\/(\d+)$/.exec(path)?.[1] ?? []);
    expect(read[0]).toBe("9");
    expect(await textOf(site, "guide/9", third.index.snapshot)).toMatch(/"Later\."/);
  });

  it("is no item whose file in the workspace is damaged, when an archive holds it", async () => {
    const site = await looms();
    const first = await site.backUp();
    const [file] = filesIn(join(site.workspace, "items/guide")).filter((name) => name.includes("/5-"));
    truncateSync(join(site.workspace, "items/guide", file ?? ""), 10);
    const { index } = await site.backUp({ options: { fullEvery: 1 } });
    expect([index.complete, index.kind]).toEqual([true, "full"]);
    expect(await textOf(site, "guide/5", index.snapshot)).toBe(await textOf(site, "guide/5", first.index.snapshot));
  });

  it("is a picture whose file is damaged before it is packed: it is left out, named, and fetched the next night", async () => {
    const site = await looms();
    let damaged = "";
    const progress = ({ stage }: { readonly stage: string }): void => {
      if (stage !== "archive" || damaged !== "") return;
      damaged = mediaIn(site).toSorted().at(-1) ?? "";
      writeFileSync(join(site.workspace, "media", damaged), "not what it was");
    };
    const { index, failures } = await site.backUp({ control: { progress } });
    expect([index.complete, index.counts.media]).toEqual([false, 12]);
    expect(failures).toEqual([
      expect.objectContaining({ stage: "media", reason: expect.stringContaining(damaged.slice(3)) }),
    ]);
    const second = await site.backUp();
    expect([second.index.complete, second.index.counts.media, second.index.counts.newMedia]).toEqual([true, 13, 1]);
    await rowsOf(site);
  });
});
