import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../../src/sandbox/index.js";
import { guideItem, line, step, wikiItem } from "../../helpers/items.js";
import {
  siteWithCategory,
  startTargetSite,
  type TargetSite,
  type TargetSiteOptions,
} from "../../helpers/target-site.js";

/** What every target promises of its writes; called once for each kind of site. */
export function testTarget(name: string, sandbox: SandboxOptions): void {
  const make = (options: TargetSiteOptions = {}): Promise<TargetSite> => siteWithCategory({ ...options, sandbox });
  const bare = (): Promise<TargetSite> => startTargetSite({ sandbox });
  describe(name, () => {
    test("a guide is made private with its steps in order, and published last", async () => {
      const site = await make();
      await site.load(guideItem(12, { public: true, steps: [step(1), step(2)], tags: ["weaving"] }));
      expect(site.writes().slice(1)).toEqual([
        "POST /guides",
        "POST /guides/1/steps",
        "POST /guides/1/steps",
        "PUT /guides/1/tag",
        "PATCH /guides/1",
        "PUT /guides/1/public",
      ]);
      const [guide] = site.sandbox.state().guides;
      expect(guide).toMatchObject({ title: "Guide 12", public: true, tags: ["weaving"] });
      expect((guide?.["steps"] as undefined | readonly { lines: unknown }[])?.map(({ lines }) => lines)).toEqual([
        [{ text: "Line of step 1", bullet: "black", level: 0 }],
        [{ text: "Line of step 2", bullet: "black", level: 0 }],
      ]);
    });

    test("loading the same again plans nothing that is not done", async () => {
      const site = await make();
      const item = guideItem(12, { public: true, steps: [step(1)], tags: ["weaving"], flags: ["GUIDE_STARRED"] });
      await site.load(item);
      expect(await site.load(item)).toEqual([]);
    });

    test("a step put in the middle is one create and one order call", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1), step(2)] }));
      const before = site.writes().length;
      await site.load(guideItem(12, { steps: [step(1), step(3, ["In between"]), step(2)] }));
      expect(site.writes().slice(before)).toEqual(["POST /guides/1/steps", "PUT /guides/1/steporder"]);
      const [guide] = site.sandbox.state().guides;
      expect(
        (guide?.["steps"] as undefined | readonly { lines: readonly { text: string }[] }[])?.map(
          ({ lines }) => lines[0]?.text,
        ),
      ).toEqual(["Line of step 1", "In between", "Line of step 2"]);
    });

    test("a step that is gone at the source is removed, and one that somebody removed already is no error", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1), step(2), step(3)] }));
      const id = Number(await site.ledger.idOf("step/2"));
      site.sandbox.edit.deleteStep(1, id);
      await site.load(guideItem(12, { steps: [step(1)] }));
      const [guide] = site.sandbox.state().guides;
      expect(guide?.["steps"]).toHaveLength(1);
      expect(await site.ledger.idOf("step/3")).toBeUndefined();
    });

    test("changing one line patches that step and nothing else", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1), step(2)] }));
      const before = site.writes().length;
      await site.load(guideItem(12, { steps: [step(1), step(2, ["Another text"])] }));
      expect(site.writes().slice(before)).toHaveLength(1);
      expect(site.writes().at(-1)).toMatch(/^PATCH \/guides\/1\/steps\/\d+$/);
    });

    test("a guide edited by us through its steps can still be changed: our own step edits are no conflict", async () => {
      const site = await make();
      await site.load(guideItem(12, { steps: [step(1)] }));
      await site.load(guideItem(12, { steps: [step(1, ["Changed"])] }));
      await site.load(guideItem(12, { summary: "A new summary.", steps: [step(1, ["Changed"])] }));
      expect(site.sandbox.state().guides[0]).toMatchObject({ summary: "A new summary." });
    });

    test("pages of one title in two namespaces are two pages", async () => {
      const site = await bare();
      await site.load(wikiItem("ITEM", "Shuttle", { contents: "The part." }));
      await site.load(wikiItem("WIKI", "Shuttle", { contents: "The page." }));
      expect(
        site.sandbox
          .state()
          .wikis.map((wiki) => wiki["contents"])
          .sort(),
      ).toEqual(["The page.", "The part."]);
    });

    test("a reference whose goal comes later is a link to the old site, never a bare old id, and is pointed home afterwards", async () => {
      const site = await make();
      const more = { moves: () => true };
      const first = guideItem(12, { introduction: "See [guide|13|the other]." });
      await site.load(first, more);
      expect(site.sandbox.state().guides[0]?.["introduction"]).toBe("See [https://old.example/Guide/-/13|the other].");
      await site.load(guideItem(13), more);
      expect(await site.ledger.repairable()).toEqual(["guide/12"]);
      const [operation] = site.target.plan(first, await site.ledger.loaded("guide/12"));
      if (operation === undefined) throw new Error("nothing was planned");
      await site.apply(operation, more);
      expect(site.sandbox.state().guides[0]?.["introduction"]).toBe("See [guide|2|the other].");
      expect(await site.ledger.repairable()).toEqual([]);
    });

    test("a temporary link that would make a line too long gives way to its label", async () => {
      const site = await make();
      const text = `${"x".repeat(330)} [guide|13|there]`;
      await site.load(guideItem(12, { steps: [step(1, [text])] }), { moves: () => true });
      const [guide] = site.sandbox.state().guides;
      expect(
        (guide?.["steps"] as undefined | readonly { lines: readonly { text: string }[] }[])?.[0]?.lines[0]?.text,
      ).toBe(`${"x".repeat(330)} there`);
    });

    test("levels, bullets and titles arrive as they are", async () => {
      const site = await make();
      const lines = [line({ text: "a", bullet: "icon_note" }), line({ text: "b", bullet: "red", level: 1 })];
      await site.load(guideItem(12, { steps: [step(1, lines, { title: "Warp it" })] }));
      expect((site.sandbox.state().guides[0]?.["steps"] as undefined | readonly unknown[])?.[0]).toMatchObject({
        title: "Warp it",
        lines: [
          { text: "a", bullet: "icon_note", level: 0 },
          { text: "b", bullet: "red", level: 1 },
        ],
      });
    });
  });
}
