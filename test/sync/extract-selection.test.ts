import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { selectStored } from "../../src/sync/dependencies.js";
import { EVERYTHING } from "../../src/sync/selection.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";

function keys({ workspace }: ExtractSite, kind: "guide" | "category" | "wiki" | "image"): readonly Key[] {
  return [...workspace.items.entries(kind)].map(({ key }) => key);
}

test("what a chosen guide needs comes along: prerequisites in a chain, its category and that one's parents, its media", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run({ selection: { include: ["guide/4"] } });
  expect(keys(site, "guide")).toEqual(expect.arrayContaining(["guide/2", "guide/3", "guide/4"]));
  expect(keys(site, "guide")).not.toContain("guide/1");
  expect(keys(site, "category")).toEqual(
    expect.arrayContaining(["category/Wren Heddles", "category/Wren 40", "category/Looms"]),
  );
  expect(keys(site, "image").length).toBeGreaterThan(3);
});

test("without dependencies only what the choice names comes", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run({ selection: { include: ["guide/4"], dependencies: false } });
  expect(keys(site, "guide")).toEqual(["guide/4"]);
  expect([...keys(site, "category"), ...keys(site, "wiki"), ...keys(site, "image")]).toEqual([]);
});

test("a choice by category takes the guides in it and below it", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run({ selection: { include: ["category:**/Wren 40/**"], only: new Set(["guide"]), dependencies: false } });
  expect(keys(site, "guide")).toEqual(
    expect.arrayContaining(["guide/1", "guide/2", "guide/12", "guide/15", "guide/7"]),
  );
  expect(keys(site, "guide")).not.toContain("guide/25");
});

test("what is not chosen this time is neither read nor gone", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  site.sandbox.edit.guide(5, { introduction: "New." });
  const summary = await site.run({ selection: { include: ["guide/4"], dependencies: false } });
  expect(summary.kinds.guide).toMatchObject({ read: 0, gone: 0, unchanged: 1 });
  const next = await site.run();
  expect(next.kinds.guide).toMatchObject({ read: 1, gone: 0 });
});

test("a change of what an unchanged choice needs is taken", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  site.sandbox.edit.guide(2, { introduction: "New words." });
  site.sandbox.edit.guide(25, { introduction: "New words." });
  await site.run({ selection: { include: ["guide/4"] } });
  expect(await site.workspace.items.get("guide/2")).toMatchObject({ body: { introduction: "New words." } });
  expect(await site.workspace.items.get("guide/25")).not.toMatchObject({ body: { introduction: "New words." } });
});

test("a selection of what is stored says why each item comes", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const identity = await site.source.identify(new AbortController().signal);
  const reasons = await selectStored(site.workspace.items, { ...EVERYTHING, include: ["guide/4"] }, identity);
  expect(reasons.get("guide/4")).toEqual({ chosen: true });
  expect(reasons.get("guide/3")).toEqual({ chosen: false, neededBy: "guide/4", how: "prerequisite" });
  expect(reasons.get("category/Wren Heddles")).toEqual({ chosen: false, neededBy: "guide/4", how: "category" });
  expect(reasons.get("category/Wren 40")).toMatchObject({ chosen: false, how: "parent category" });
  expect([...reasons.values()].some((reason) => !reason.chosen && reason.how === "media")).toBe(true);
  expect(reasons.has("guide/1")).toBe(false);
  const bare = await selectStored(
    site.workspace.items,
    { ...EVERYTHING, include: ["guide/4"], dependencies: false },
    identity,
  );
  expect([...bare.keys()]).toEqual(["guide/4"]);
  const all = await selectStored(site.workspace.items, EVERYTHING, identity);
  expect(all.size).toBe([...site.workspace.items.entries()].length);
});
