import { expect, test } from "vitest";
import type { Transform } from "../../../src/core/formats.js";
import type { Item } from "../../../src/core/model/item.js";
import { extractFrom, loadInto } from "../../helpers/migration.js";
import { twoGuides } from "../../helpers/small-sites.js";

const ALL = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;

test("what a transform leaves out or fails on is not gone", async () => {
  const pair = await twoGuides();
  await pair.run();
  const failing: Transform = () => {
    throw new Error("broken");
  };
  for (const transform of [(): readonly Item[] => [], failing]) {
    expect(await pair.run({ ...ALL, transforms: [transform] })).toMatchObject({
      deletedAtSource: { listed: 0, deleted: 0 },
    });
    expect(pair.target.state().guides).toHaveLength(2);
  }
});

test.each([
  ["--since", { since: 1 }],
  ["--only", { only: new Set(["guide"] as const) }],
  ["--include", { include: ["guide/2"] }],
  ["--exclude", { exclude: ["wiki/*/*"] }],
] as const)("a run with %s is no proof of a deletion", async (_flag, selection) => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(1);
  await extractFrom(pair.source, pair.workspace, { selection });
  expect(await loadInto(pair.target, pair.workspace, ALL)).toMatchObject({ deletedAtSource: { deleted: 0 } });
  expect(pair.target.state().guides).toHaveLength(2);
  // A list of everything shows it.
  expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { deleted: 1 } });
});

test("guides that this account cannot see any more are no proof: left out on request, or by an account that is no admin", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.setPublic(1, false);
  await extractFrom(pair.source, pair.workspace, { selection: { includePrivate: false } });
  expect(await loadInto(pair.target, pair.workspace, ALL)).toMatchObject({ deletedAtSource: { deleted: 0 } });
  const reader = await twoGuides({ source: { account: { admin: false } } });
  await reader.run();
  reader.source.edit.setPublic(1, false);
  expect(await reader.run(ALL)).toMatchObject({ deletedAtSource: { deleted: 0 } });
  expect(reader.target.state().guides).toHaveLength(2);
});

test("a list that the source refuses, or that fails, proves nothing", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteWiki("WIKI", "Sheds");
  pair.source.faults.decide(({ path }) => (path.endsWith("/wikis/WIKI") ? { kind: "status", status: 403 } : undefined));
  expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { listed: 0, deleted: 0 } });
  pair.source.faults.clear();
  pair.source.edit.deleteGuide(1);
  pair.source.faults.decide(({ path }) => (path.endsWith("/guides") ? { kind: "status", status: 400 } : undefined));
  await expect(pair.run(ALL)).rejects.toThrow();
  pair.source.faults.clear();
  expect(await loadInto(pair.target, pair.workspace, ALL)).toMatchObject({
    deletedAtSource: { listed: 0, deleted: 0 },
  });
  expect(pair.target.state().guides).toHaveLength(2);
});

test("what is listed again and cannot be read is not gone for sure any more", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(1);
  await extractFrom(pair.source, pair.workspace);
  pair.source.edit.restoreGuide(1);
  pair.source.edit.guide(1, { summary: "Back." });
  pair.source.faults.decide(({ path }) => (path.endsWith("/guides/1") ? { kind: "status", status: 403 } : undefined));
  await extractFrom(pair.source, pair.workspace);
  expect(await loadInto(pair.target, pair.workspace, ALL)).toMatchObject({ deletedAtSource: { deleted: 0 } });
});

test("a load with a selection, and a retry of others, deletes nothing", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(1);
  await extractFrom(pair.source, pair.workspace);
  const load = (more: object) => loadInto(pair.target, pair.workspace, { ...ALL, ...more });
  expect(await load({ selected: new Set(["guide/2"]) })).toMatchObject({ deletedAtSource: { deleted: 0 } });
  expect(await load({ keys: new Set(["guide/2"]) })).toMatchObject({ deletedAtSource: { deleted: 0 } });
  expect(await load({ keys: new Set(["guide/1"]) })).toMatchObject({ deletedAtSource: { deleted: 1 } });
});
