import { expect, it } from "vitest";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { sourceOf } from "../sync/extract-site.js";
import { oneBackup, startBackups } from "./helpers/backups.js";
import { fillLooms } from "./helpers/looms.js";
import { rowsOf } from "./helpers/read-backups.js";

it("a clock that is set back, or was years ahead one night, puts no snapshot before another and overwrites none", async () => {
  const site = await startBackups({});
  fillLooms(site.sandbox);
  const { folder, workspace } = site;
  const source = sourceOf(site.sandbox);
  const clock = ["2026-11-01", "2026-11-02", "2026-10-01", "2035-01-01", "2026-11-03", "2026-11-03"];
  const made: string[] = [];
  for (const [night, day] of clock.entries()) {
    site.sandbox.edit.guide(1, { introduction: `Night ${night}.` });
    const now = new Date(`${day}T03:00:00Z`);
    const { index } = await oneBackup({ folder, workspace, source, now, options: { fullEvery: 4 } });
    expect([night, index.previous, index.complete]).toEqual([night, made.at(-1) ?? null, true]);
    made.push(index.snapshot);
  }
  expect(made).toEqual(made.toSorted());
  expect(made).toEqual([
    "20261101T030000Z",
    "20261102T030000Z",
    "20261102T030001Z",
    "20350101T030000Z",
    "20350101T030001Z",
    "20350101T030002Z",
  ]);
  const repository = await openRepository(folder);
  expect(repository.snapshots().map(({ snapshot }) => snapshot)).toEqual(made);
  const texts = new Set<string>();
  for (const snapshot of made) {
    const row = (await rowsOf(site, snapshot)).get("guide/1");
    if (row?.state === "present") texts.add(row.sha256);
  }
  expect(texts.size).toBe(clock.length);
  expect(repository.find().snapshot).toBe(made.at(-1));
  await repository.close();
});

it("after a night with the clock ahead it says so, reads what was read then once more, and misses no change", async () => {
  const site = await startBackups({});
  fillLooms(site.sandbox);
  const { folder, workspace } = site;
  const source = sourceOf(site.sandbox);
  const night = (day: string) =>
    oneBackup({ folder, workspace, source, now: new Date(`${day}T03:00:00Z`), reading: { refreshCycle: 14 } });
  expect((await night("2026-11-01")).warnings).toEqual([]);
  expect((await night("2035-01-01")).warnings).toEqual([]);
  const store = await openWorkspace(workspace, { create: false, command: "test" });
  const ahead = Date.UTC(2035, 0, 1) / 1000;
  for (const { key, revision } of [...store.items.entries()]) store.items.compared(key, { revision, readAt: ahead });
  store.items.compared("record/extract", { revision: `${ahead}/2/`, readAt: ahead });
  await store.close();
  const from = site.sandbox.recorded.length;
  const { warnings, index } = await night("2026-11-03");
  expect(warnings).toEqual([expect.stringMatching(/20350101T030000Z, began at 2035-01-01.*later than now/)]);
  expect(index.complete).toBe(true);
  const asked = site.sandbox.recorded.slice(from);
  expect(new Set(asked.filter(({ path }) => /^\/guides\/\d+$/.test(path)).map(({ path }) => path)).size).toBe(13);
  expect(asked.filter(({ path }) => path === "/comments").every(({ query }) => !/modifiedSince=20/.test(query))).toBe(
    true,
  );
  const after = site.sandbox.recorded.length;
  expect((await night("2026-11-04")).warnings).toEqual([]);
  const read = site.sandbox.recorded.slice(after).filter(({ path }) => /^\/guides\/\d+$/.test(path));
  expect(read.length).toBeLessThan(6);
});
