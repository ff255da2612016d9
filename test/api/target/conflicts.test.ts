import { expect, test } from "vitest";
import { ConflictError } from "../../../src/errors.js";
import { guideItem, step, wikiItem } from "../../helpers/items.js";
import { siteWithCategory, startTargetSite } from "../../helpers/target-site.js";

test("an editor's work is never overwritten unseen, not even after our own step was added", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(12, { steps: [step(1)] }));
  site.sandbox.edit.guide(1, { summary: "The editor's." });
  await site.load(guideItem(12, { steps: [step(1), step(2)] }));
  await expect(site.load(guideItem(12, { summary: "Ours.", steps: [step(1), step(2)] }))).rejects.toThrow(
    ConflictError,
  );
  expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "The editor's." });
});

test("--on-conflict update puts the source's version over the editor's", async () => {
  const site = await siteWithCategory({ target: { onConflict: "update" } });
  await site.load(guideItem(12));
  site.sandbox.edit.guide(1, { summary: "The editor's." });
  await site.load(guideItem(12, { summary: "Ours." }));
  expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "Ours." });
});

test("a step that somebody edited is a conflict of that step", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(12, { steps: [step(1)] }));
  const id = Number(await site.ledger.idOf("step/1"));
  site.sandbox.edit.step(1, id, { lines: [{ text: "The editor's.", bullet: "black", level: 0 }] });
  await expect(site.load(guideItem(12, { steps: [step(1, ["Ours."])] }))).rejects.toThrow(
    /step 1: somebody changed it/,
  );
});

test("a page that is there already is adopted untouched, or replaced, or refused, as --on-existing says", async () => {
  const existing = { namespace: "WIKI", title: "Sheds", contents: "Theirs." };
  const ours = wikiItem("WIKI", "Sheds", { contents: "Ours." });
  const adopt = await startTargetSite();
  adopt.sandbox.edit.createWiki(existing);
  await adopt.load(ours);
  expect((await adopt.ledger.written("wiki/WIKI/Sheds"))?.adopted).toBe(true);
  expect(adopt.sandbox.state().wikis[0]).toMatchObject({ contents: "Theirs." });
  const update = await startTargetSite({ target: { onExisting: "update" } });
  update.sandbox.edit.createWiki(existing);
  await update.load(ours);
  expect(update.sandbox.state().wikis[0]).toMatchObject({ contents: "Ours." });
  const fail = await startTargetSite({ target: { onExisting: "fail" } });
  fail.sandbox.edit.createWiki(existing);
  await expect(fail.load(ours)).rejects.toThrow(/exists .* already and is not ours/);
});

test("a category whose revision reads null can be changed and moved, and an editor's change to it is seen", async () => {
  const site = await startTargetSite();
  await site.load(wikiItem("CATEGORY", "Looms"));
  await site.load(wikiItem("CATEGORY", "Hand Looms", { parent: "Looms" }));
  await site.load(wikiItem("CATEGORY", "Hand Looms", { parent: "Looms", contents: "New." }));
  expect(site.sandbox.state().hierarchy).toMatchObject({ Looms: ["Hand Looms"] });
  site.sandbox.edit.wiki("CATEGORY", "Hand Looms", { contents: "The editor's." });
  await expect(site.load(wikiItem("CATEGORY", "Hand Looms", { parent: "Looms", contents: "Ours." }))).rejects.toThrow(
    ConflictError,
  );
});
