import { expect, test } from "vitest";
import type { Source } from "../../src/core/contracts.js";
import { describeExtract } from "../../src/sync/extract/summary.js";
import { SAMPLE_SITE, startSite } from "./extract-site.js";

const GUIDES = { selection: { only: new Set(["guide"] as const), dependencies: false } };

test("an item that is deleted while the extract runs is noted and is no failure", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  site.sandbox.faults.decide(({ path }) => {
    if (path === "/guides/2") site.sandbox.edit.deleteGuide(5);
    return undefined;
  });
  const summary = await site.run({ ...GUIDES, control: { concurrency: 1 } });
  expect(summary).toMatchObject({ failures: 0, vanished: ["guide/5"], kinds: { guide: { present: 19 } } });
  expect(describeExtract(summary).join("\n")).toContain("guide/5");
});

test("what vanished is told in the same order, in whatever order the answers came", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  site.sandbox.faults.decide(({ path }) => {
    if (path === "/guides/2") for (const guide of [3, 4, 5, 6]) site.sandbox.edit.deleteGuide(guide);
    return /^\/guides\/[3-6]$/.test(path) ? { kind: "status", status: 404 } : undefined;
  });
  const { vanished } = await site.run(GUIDES);
  expect(vanished).toEqual(["guide/3", "guide/4", "guide/5", "guide/6"]);
});

test("an item that is listed and answered 404 all the same is a failure, and keeps what was had of it", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run(GUIDES);
  site.sandbox.edit.guide(5, { introduction: "New." });
  site.sandbox.faults.decide(({ path }) => (path === "/guides/5" ? { kind: "status", status: 404 } : undefined));
  const summary = await site.run(GUIDES);
  expect(summary).toMatchObject({ failures: 1, vanished: [], kinds: { guide: { failed: 1, gone: 0, present: 20 } } });
  expect(site.workspace.failures.list()).toMatchObject([
    { key: "guide/5", reason: expect.stringMatching(/is listed/) },
  ]);
  site.sandbox.faults.clear();
  expect(await site.run(GUIDES)).toMatchObject({ failures: 0, kinds: { guide: { read: 1 } } });
});

test("a category that only the tree shows, and that is no page, is no failure, and gone if it was one", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const source: Source = {
    ...site.source,
    async *list(options, signal) {
      // As on sites whose list of categories leaves out what has no page any more, and whose tree
      // does not.
      for await (const row of site.source.list(options, signal))
        yield row.key === "category/Looms" ? { ...row, revision: "", perhaps: true } : row;
    },
  };
  site.sandbox.faults.decide(({ path }) =>
    path === "/wikis/CATEGORY/Looms" ? { kind: "status", status: 404 } : undefined,
  );
  expect(await site.run({ source })).toMatchObject({ failures: 0, vanished: ["category/Looms"] });
  expect(site.workspace.items.entry("category/Looms")?.state).toBe("gone");
});
