import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { startService } from "./service.js";

const step = (text: string) => ({ orderby: 1, lines: [{ text, bullet: "black", level: 0 }] });

describe("the other editor", () => {
  it("changes everything without a request", async () => {
    const { sandbox, get } = await startService();
    const { edit } = sandbox;
    edit.createWiki({ namespace: "CATEGORY", title: "Frames", contents: "" });
    edit.createWiki({ namespace: "CATEGORY", title: "Legs", contents: "" });
    edit.setParent("CATEGORY", "Legs", "Frames");
    edit.wiki("CATEGORY", "Legs", { contents: "Four." });
    edit.setWikiTags("CATEGORY", "Legs", ["oak"]);
    const guideid = edit.createGuide({ category: "Legs", type: "how-to", title: "Turn" });
    const first = edit.addStep(guideid, step("one"));
    const second = edit.addStep(guideid, step("two"));
    edit.orderSteps(guideid, [first, second]);
    edit.step(guideid, first, { title: "First" });
    edit.deleteStep(guideid, second);
    edit.guide(guideid, { summary: "Round." });
    edit.setPublic(guideid, true);
    edit.setGuideTags(guideid, ["lathe"]);
    expect(sandbox.recorded).toEqual([]);
    expect((await get(`/guides/${guideid}`)).body).toMatchObject({
      summary: "Round.",
      public: true,
      steps: [{ title: "First" }],
    });
    expect((await get("/wikis/CATEGORY/Legs")).body).toMatchObject({
      contents_raw: "Four.",
      tags: ["oak"],
      parent: "Frames",
    });
    expect((await get("/tags")).body).toEqual(["oak", "lathe"]);
    edit.deleteGuide(guideid);
    edit.deleteWiki("CATEGORY", "Legs");
    expect((await get("/wikis/CATEGORY?display=titles")).body).toEqual(["Frames"]);
    edit.clear();
    expect(sandbox.state()).toMatchObject({ guides: [], wikis: [], hierarchy: {}, tags: [] });
    expect(() => edit.guide(guideid, {})).toThrow(`The sandbox has no guide ${guideid}`);
  });
});

describe("the state by names", () => {
  it("is equal for two sites that were filled in another order, references included, and tells other content apart", async () => {
    const fill = async (titles: readonly string[], text: string) => {
      const sandbox = await startSandbox();
      sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Frames", contents: "" });
      const ids = new Map(
        titles.map((title) => [title, sandbox.edit.createGuide({ category: "Frames", type: "how-to", title })]),
      );
      const stepid = sandbox.edit.addStep(ids.get("B") ?? 0, step("Glue."));
      const introduction = `${text} [guide|${ids.get("B")}|B], ${sandbox.origin}/Guide/B/${ids.get("B")}?stepid=${stepid}`;
      sandbox.edit.guide(ids.get("A") ?? 0, { introduction, prerequisites: [ids.get("B")] });
      const state = sandbox.namedState();
      await sandbox.close();
      return state;
    };
    const state = await fill(["A", "B"], "See");
    expect(await fill(["B", "A"], "See")).toEqual(state);
    expect(await fill(["B", "A"], "Read")).not.toEqual(state);
    expect(state.guides[0]).toMatchObject({
      guideid: "A",
      prerequisites: ["B"],
      introduction: "See [guide|B|B], site:/Guide/B/B?stepid=B, step 1",
    });
  });
});
