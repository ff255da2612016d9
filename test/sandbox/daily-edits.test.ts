import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "./service.js";

const DAY = 86_400;

describe("a site that changes from night to night", () => {
  it("dates every change by the clock that it was given", async () => {
    let now = 1_750_000_000;
    const { sandbox, get } = await startService({ site: SAMPLE_SITE, now: () => now * 1000 });
    const { edit } = sandbox;
    const changed = async (list: string, since: number) =>
      (await get(`${list}modifiedSince=${since}`)).body.map((row) => row.guideid ?? row.title ?? row["commentid"]);
    const { stepid } = (await get("/guides/5?excludePrerequisiteSteps")).body.steps[0];
    const work: readonly (readonly [list: string, expected: readonly unknown[], change: () => unknown])[] = [
      ["/guides?", [2], () => edit.vandaliseGuide(2)],
      ["/guides?", [10], () => edit.setGuideFlags(10, ["GUIDE_PATAGONIA"])],
      ["/guides?", [24], () => edit.moveGuide(24, "Dyeing")],
      ["/guides?", [5], () => edit.exchangeImage(5, stepid, "a new picture")],
      ["/guides?", [26], () => edit.setPublic(edit.createGuide({ category: "Dyeing", type: "how-to" }), true)],
      ["/wikis/WIKI?", ["Glossary"], () => edit.vandaliseWiki("WIKI", "Glossary")],
      ["/wikis/CATEGORY?", ["Dyeing"], () => edit.setParent("CATEGORY", "Dyeing", "Workshop")],
      // Neither tags nor deletions nor restored guides show there: they make no revision.
      ["/guides?", [], () => edit.setGuideTags(7, ["rope"])],
      ["/guides?", [], () => edit.deleteGuide(9)],
      ["/guides?", [], () => edit.restoreGuide(9)],
      ["/guides?", [], () => edit.releaseGuide(9)],
    ];
    for (const [list, expected, change] of work) {
      now += DAY;
      const dusk = now;
      now += 60;
      change();
      expect([change.toString(), await changed(list, dusk)]).toEqual([change.toString(), expected]);
    }
    expect((await get("/guides/5")).body.steps.find((step) => step.guideid === 5)?.media.data).toHaveLength(1);
    expect((await get("/guides/9/releases")).body[0]["publish_date"]).toBe(now);
  });

  it("gets and loses comments", async () => {
    let now = 1_750_000_000;
    const { sandbox, get } = await startService({ site: SAMPLE_SITE, now: () => now * 1000 });
    const { edit } = sandbox;
    const since = async (date: number) => (await get(`/comments?modifiedSince=${date}`)).body;
    const first = edit.comment("guide", 1, "Mine has nine levers.");
    const reply = edit.comment("guide", 1, "Count them again.", first);
    expect(await since(now)).toMatchObject([{ commentid: first, replies: [{ commentid: reply }] }]);
    now += DAY;
    edit.changeComment(first, "Mine has eight levers.");
    expect(await since(now)).toMatchObject([
      { commentid: first, modified_date: now, text_raw: "Mine has eight levers." },
    ]);
    edit.deleteComment(first);
    expect(await since(now - DAY)).toEqual([]);
    expect((await get(`/comments/${reply}`)).body.status).toBe("deleted");
    expect(() => edit.changeComment(404, "x")).toThrow("The sandbox has no comment 404");
  });

  it("is vandalised so that nothing good is left, the same way each time", async () => {
    const { sandbox, get } = await startService({ site: SAMPLE_SITE });
    const before = (await get("/guides/7?excludePrerequisiteSteps")).body;
    sandbox.edit.vandaliseGuide(7);
    const after = (await get("/guides/7?excludePrerequisiteSteps")).body;
    expect(after).toMatchObject({ title: `${before.title} IS NONSENSE`, parts: [], tools: [], documents: [] });
    expect(after.steps).toHaveLength(1);
    expect(after.steps[0].stepid).toBe(before.steps[0].stepid);
    expect(after.steps[0].media.data).toEqual([]);
    expect((await get("/guides/7/tags")).body).toEqual([]);
    expect(after.guide_revisionid).toBeGreaterThan(before.guide_revisionid);
    expect(() => sandbox.edit.vandaliseGuide(404)).toThrow("The sandbox has no guide 404");
  });

  it("has its viewers and rows changed, and all of it taken away", async () => {
    const { sandbox, get } = await startService({ site: SAMPLE_SITE });
    sandbox.edit.setViewers(11, { users: [5], teams: [] });
    expect((await get("/guides/11/users")).body).toMatchObject([{ userid: 5 }]);
    expect((await get("/guides/11/teams")).body["guideTeams"]).toEqual([]);
    expect(sandbox.edit.setRow("schedules", { title: "New" })).toBe(3);
    sandbox.edit.setRow("schedules", { prsid: 1, title: "Other" });
    expect((await get("/periodic_review/1")).body).toEqual({ prsid: 1, title: "Other" });
    sandbox.edit.removeRow("schedules", 1);
    expect((await get("/periodic_review/1")).status).toBe(404);
    expect(() => sandbox.edit.removeRow("schedules", 1)).toThrow("The sandbox has no row 1 of schedules");
    sandbox.edit.clear();
    expect((await get("/periodic_review")).body).toEqual([]);
    expect(() => sandbox.tokenOf(404)).toThrow("The sandbox has no user 404");
  });
});
