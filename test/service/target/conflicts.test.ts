import { expect, test } from "vitest";
import { ConflictError } from "../../../src/core/errors.js";
import { guideItem, wikiItem } from "../../helpers/items.js";
import { siteWithCategory, startTargetSite } from "../../helpers/target-site.js";

test("a site that wants the other revision field gets it, and the ledger remembers", async () => {
  const site = await siteWithCategory({ sandbox: { revisionField: "revisionid" } });
  await site.load(guideItem(12));
  await site.load(guideItem(12, { summary: "Second." }));
  expect(await site.ledger.recall("revision-field")).toBe("revisionid");
  const before = site.writes().length;
  await site.load(guideItem(12, { summary: "Third." }));
  expect(site.writes().slice(before)).toEqual(["PATCH /guides/1"]);
  expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "Third." });
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
  await expect(fail.load(ours)).rejects.toThrow(/already exists at .* did not create it/);
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
