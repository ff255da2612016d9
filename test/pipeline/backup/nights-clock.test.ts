import { expect, it } from "vitest";
import { openRepository } from "../../../src/archive/repository/read/open-repository.js";
import { sourceOf } from "../extract-site.js";
import { fillLooms } from "./helpers/looms.js";
import { oneNight, startNights } from "./helpers/nights.js";
import { rowsOf } from "./helpers/read-nights.js";

it("a clock that is set back, or was years ahead one night, puts no snapshot before another and overwrites none", async () => {
  const site = await startNights({});
  fillLooms(site.sandbox);
  const { folder, workspace } = site;
  const source = sourceOf(site.sandbox);
  const clock = ["2026-11-01", "2026-11-02", "2026-10-01", "2035-01-01", "2026-11-03", "2026-11-03"];
  const made: string[] = [];
  for (const [night, day] of clock.entries()) {
    site.sandbox.edit.guide(1, { introduction: `Night ${night}.` });
    const now = new Date(`${day}T03:00:00Z`);
    const { index } = await oneNight({ folder, workspace, source, now, options: { fullEvery: 4 } });
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
