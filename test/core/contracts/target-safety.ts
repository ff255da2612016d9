import { describe, expect, test } from "vitest";
import { ConflictError } from "../../../src/core/errors.js";
import type { SandboxOptions } from "../../../src/sandbox/index.js";
import { guideItem, step, wikiItem } from "../../helpers/items.js";
import { siteWithCategory, type TargetSite, type TargetSiteOptions } from "../../helpers/target-site.js";

/** What every target promises of lost answers and of other people's work. */
export function testTargetSafety(name: string, sandbox: SandboxOptions): void {
  const make = (options: TargetSiteOptions = {}): Promise<TargetSite> => siteWithCategory({ ...options, sandbox });
  describe(name, () => {
    test("an editor's work is never overwritten unseen, not even after our own step was added", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1)] }));
      site.sandbox.edit.guide(1, { summary: "The editor's." });
      await site.load(guideItem(12, { steps: [step(1), step(2)] }));
      await expect(site.load(guideItem(12, { summary: "Ours.", steps: [step(1), step(2)] }))).rejects.toThrow(
        ConflictError,
      );
      expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "The editor's." });
    });

    test("--on-conflict update puts the source's version over the editor's", async () => {
      const site = await make({ target: { onConflict: "update" } });
      await site.load(guideItem(12));
      site.sandbox.edit.guide(1, { summary: "The editor's." });
      await site.load(guideItem(12, { summary: "Ours." }));
      expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "Ours." });
    });

    test("--on-conflict merge sends what only we changed and leaves what only the editor changed", async () => {
      const site = await make({ target: { onConflict: "merge" } });
      await site.load(guideItem(12));
      site.sandbox.edit.guide(1, { summary: "The editor's.", introduction: "The editor's." });
      await site.load(guideItem(12, { conclusion: "Ours.", introduction: "Ours." }));
      const merged = { summary: "The editor's.", conclusion: "Ours.", introduction: "The editor's." };
      expect(site.sandbox.state().guides[0]).toMatchObject(merged);
      expect((await site.ledger.written("guide/12"))?.facts).toMatchObject({
        apart: { summary: "", introduction: "" },
        clashes: ["introduction"],
      });
    });

    test("a step that somebody edited is a conflict of that step", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1)] }));
      const id = Number(await site.ledger.idOf("step/1"));
      site.sandbox.edit.step(1, id, { lines: [{ text: "The editor's.", bullet: "black", level: 0 }] });
      await expect(site.load(guideItem(12, { steps: [step(1, ["Ours."])] }))).rejects.toThrow(
        /step 1: somebody changed it/,
      );
    });

    test.each([
      ["save-guide", "/guides", guideItem(12, { introduction: "Hello." })],
      ["save-wiki", "/wikis", wikiItem("WIKI", "Sheds", { contents: "On sheds." })],
    ] as const)("a %s whose answer was lost is found, not made again", async (_verb, path, item) => {
      const site = await make();
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
      const site = await make();
      site.sandbox.faults.inject({ kind: "reset", applied: false }, { method: "POST", path });
      const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
      if (operation === undefined) throw new Error("nothing was planned");
      await expect(site.apply(operation)).rejects.toThrow();
      const [orphan] = await site.ledger.orphans();
      expect(
        await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal),
      ).toBeUndefined();
    });

    test("of two guides that look alike only one that the ledger does not know is a candidate", async () => {
      const site = await make();
      await site.load(guideItem(1, { title: "Twin" }));
      const item = guideItem(2, { title: "Twin" });
      site.sandbox.faults.inject({ kind: "reset", applied: false }, { method: "POST", path: "/guides" });
      await expect(site.load(item)).rejects.toThrow();
      const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
      const [orphan] = await site.ledger.orphans();
      if (operation === undefined) throw new Error("nothing was planned");
      expect(
        await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal),
      ).toBeUndefined();
    });

    test("a step whose answer was lost is found among the guide's steps", async () => {
      const site = await make();
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
      const site = await make();
      await site.load(guideItem(12));
      site.sandbox.faults.inject({ kind: "reset", applied: true }, { method: "PATCH", path: "/guides/1" });
      await site.load(guideItem(12, { summary: "Sent twice." }));
      expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "Sent twice." });
    });
  });
}
