import { expect, test } from "vitest";
import { guideItem, step, wikiItem } from "../../helpers/items.js";
import { siteWithCategory } from "../../helpers/target-site.js";

test.each([
  ["save-guide", "/guides", guideItem(12, { introduction: "Hello." })],
  ["save-wiki", "/wikis", wikiItem("WIKI", "Sheds", { contents: "On sheds." })],
] as const)("a %s whose answer was lost is found, not made again", async (_verb, path, item) => {
  const site = await siteWithCategory();
  site.sandbox.faults.inject({ kind: "reset", applied: true }, { method: "POST", path });
  const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
  if (operation === undefined) throw new Error("nothing was planned");
  await expect(site.apply(operation)).rejects.toThrow();
  const [orphan] = await site.ledger.orphans();
  const receipt = await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal);
  expect(receipt?.written[0]?.key).toBe(item.key);
});

test.each([
  ["save-guide", "/guides", guideItem(12, { introduction: "Hello." })],
  ["save-wiki", "/wikis", wikiItem("WIKI", "Sheds", { contents: "On sheds." })],
] as const)("a %s that never arrived is not found", async (_verb, path, item) => {
  const site = await siteWithCategory();
  site.sandbox.faults.inject({ kind: "reset", applied: false }, { method: "POST", path });
  const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
  if (operation === undefined) throw new Error("nothing was planned");
  await expect(site.apply(operation)).rejects.toThrow();
  const [orphan] = await site.ledger.orphans();
  expect(await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal)).toBeUndefined();
});

test("of two guides that look alike only one that the ledger does not know is a candidate", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(1, { title: "Twin" }));
  const item = guideItem(2, { title: "Twin" });
  site.sandbox.faults.inject({ kind: "reset", applied: false }, { method: "POST", path: "/guides" });
  await expect(site.load(item)).rejects.toThrow();
  const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
  const [orphan] = await site.ledger.orphans();
  if (operation === undefined) throw new Error("nothing was planned");
  expect(await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal)).toBeUndefined();
});

test("a step whose answer was lost is found among the guide's steps", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(12, { steps: [step(1, ["Same"])] }));
  const item = guideItem(12, { steps: [step(1, ["Same"]), step(2, ["Same"])] });
  site.sandbox.faults.inject({ kind: "reset", applied: true }, { method: "POST", path: "/guides/1/steps" });
  await expect(site.load(item)).rejects.toThrow();
  const [orphan] = await site.ledger.orphans();
  const operation = site.target.plan(item, await site.ledger.loaded(item.key)).find(({ id }) => id === orphan?.id);
  if (operation === undefined) throw new Error("nothing was planned");
  const receipt = await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal);
  expect(receipt?.written[0]?.key).toBe("step/2");
  expect(receipt?.written[0]?.id).not.toBe(await site.ledger.idOf("step/1"));
});

test("an edit whose answer was lost is done when it is sent again", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(12));
  site.sandbox.faults.inject({ kind: "reset", applied: true }, { method: "PATCH", path: "/guides/1" });
  await site.load(guideItem(12, { summary: "Sent twice." }));
  expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "Sent twice." });
});
