import { expect, it } from "vitest";
import { sourceOf } from "../sync/extract-site.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { rowsOf } from "./helpers/read-backups.js";

/** The site answers that there is nothing on these lists. */
function empty({ sandbox }: BackupSite, ...lists: readonly string[]): void {
  sandbox.faults.decide(({ path }) => (lists.includes(path) ? { kind: "status", status: 200, body: [] } : undefined));
}

it("a night on which a list comes back empty marks its snapshot, and pages that answer by themselves stay", async () => {
  const site = await startBackups();
  const source = sourceOf(site.sandbox, { records: "all", personalData: true });
  await site.backUp({ source });
  empty(site, "/wikis/INFO");
  const { index, extracted } = await site.backUp({ source });
  expect([index.manyDeleted, index.counts.deleted, extracted.unlisted.length]).toEqual([undefined, 0, 3]);
  empty(site, "/users", "/quizzes", "/tags");
  const marked = await site.backUp({ source });
  const lists = marked.index.manyDeleted?.map(({ list }) => list);
  expect(lists).toContainEqual(expect.stringMatching(/^users(?:\/\{userid\})?$/));
  expect(lists).toContainEqual(expect.stringMatching(/^quizzes(?:\/:quizid)?$/));
  expect(lists).toContain("tags");
  expect(marked.warnings[0]).toMatch(/More is missing than --max-deletions allows/);
  site.sandbox.faults.decide(undefined);
  const allowed = await site.backUp({ source, options: { maxDeletions: { share: 1 } } });
  expect([allowed.index.complete, allowed.index.deletionsAccepted]).toEqual([true, true]);
  expect((await site.backUp({ source })).index.counts).toMatchObject({ changed: 0, deleted: 0 });
});

it("what people settle day by day may be settled to the last", async () => {
  const site = await startBackups();
  const source = sourceOf(site.sandbox, { records: "all" });
  await site.backUp({ source });
  empty(site, "/approvals/requests");
  const { index } = await site.backUp({ source });
  expect(index.counts.deleted).toBe(3);
  expect((await rowsOf(site)).get("record/approvals/requests")?.state).toBe("present");
});
