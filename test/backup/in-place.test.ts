import { expect, test } from "vitest";
import type { SiteState } from "../../src/sandbox/index.js";
import { stepBody, stepIds } from "../helpers/small-sites.js";
import { snapshotOf } from "../helpers/vandalised-site.js";
import { twoGuides } from "./helpers/two-guides.js";

function plain({ wikis, ...state }: SiteState) {
  return {
    ...state,
    tags: [],
    wikis: wikis.map((wiki) => ({ ...wiki, displayTitle: wiki["displayTitle"] ?? wiki["title"] })),
  };
}

test("a site that is as it was costs no write", async () => {
  const site = await snapshotOf(twoGuides);
  const done = await site.restore();
  expect(done).toMatchObject({ untouched: 4, putBack: [], newer: [], failed: 0, writes: 0 });
  expect(site.writes()).toEqual([]);
});

test("an edited guide goes back by edits of what differs alone", async () => {
  const site = await snapshotOf(twoGuides);
  const before = site.sandbox.state();
  site.sandbox.edit.step(1, stepIds(site.sandbox, 1)[1] ?? 0, {
    lines: [{ text: "Ruined.", bullet: "red", level: 0 }],
  });
  const done = await site.restore();
  expect(done.putBack).toMatchObject([{ key: "guide/1", paths: expect.arrayContaining(["steps[1].lines[0].text"]) }]);
  expect(done).toMatchObject({ untouched: 3, failed: 0, writes: 1, differences: [] });
  expect(site.writes()).toHaveLength(1);
  expect(site.sandbox.state()).toEqual(before);
  expect(await site.restore()).toMatchObject({ putBack: [], writes: 0 });
});

test("titles, tags, visibility, order, new and deleted steps go back", async () => {
  const site = await snapshotOf(twoGuides);
  const { edit, state } = site.sandbox;
  const before = state();
  edit.guide(2, { title: "PWNED", introduction: "Ha." });
  edit.setGuideTags(1, ["spam", "more"]);
  edit.setPublic(1, false);
  edit.orderSteps(2, stepIds(site.sandbox, 2).toReversed());
  edit.addStep(1, stepBody(2, "Spam."));
  edit.wiki("WIKI", "Sheds", { contents: "Spam." });
  edit.wiki("CATEGORY", "Looms", { display_title: "Spam" });
  const done = await site.restore();
  expect(done).toMatchObject({ untouched: 0, failed: 0, differences: [] });
  // The site keeps tags that nobody uses any more, and a display title that is the title itself.
  expect(plain(state())).toEqual(plain(before));
  expect(site.writes()).toContain("POST /wikis/WIKI/Sheds/revert");
  expect(await site.restore()).toMatchObject({ untouched: 4, writes: 0 });
});

test("a deleted guide comes back with its id by the site's own restore", async () => {
  const site = await snapshotOf(twoGuides);
  const before = site.sandbox.state();
  site.sandbox.edit.deleteGuide(1);
  const done = await site.restore();
  expect(done).toMatchObject({ broughtBack: [{ key: "guide/1" }], anew: [], failed: 0 });
  expect(site.writes()).toEqual(["POST /guides/1/en/restore"]);
  expect(site.sandbox.state()).toEqual(before);
});

test("what needs a deleted guide is not taken for edited, in whatever order they come", async () => {
  const site = await snapshotOf((sandbox) => {
    twoGuides(sandbox);
    sandbox.edit.guide(2, { prerequisites: [], introduction: "" });
    sandbox.edit.guide(1, { prerequisites: [2] });
    // A public one, whose list says that it is as it was, is not even read.
    sandbox.edit.setPublic(1, false);
  });
  site.sandbox.edit.deleteGuide(2);
  const done = await site.restore({ overwrites: false, concurrency: 1 });
  expect(done).toMatchObject({ broughtBack: [{ key: "guide/2" }], left: [], putBack: [], untouched: 3, writes: 1 });
});

test("a deleted guide that the site does not restore is made anew, and references follow", async () => {
  const site = await snapshotOf(twoGuides);
  site.sandbox.edit.deleteGuide(1);
  site.sandbox.faults.decide(({ path }) => (/restore$/.test(path) ? { kind: "status", status: 403 } : undefined));
  const done = await site.restore();
  expect(done).toMatchObject({ anew: [{ key: "guide/1" }], followed: ["guide/2"], failed: 0, differences: [] });
  const made = site.sandbox.state().guides.find((guide) => guide["title"] === "Warp");
  expect(made).toMatchObject({ public: true, tags: ["wool"] });
  expect(site.sandbox.state().guides.find((guide) => guide["title"] === "Weft")).toMatchObject({
    prerequisites: [made?.["guideid"]],
    introduction: `See [guide|${made?.["guideid"]}|the first] and [guide|77|another].`,
  });
  expect(await site.restore()).toMatchObject({ anew: [], newer: [], untouched: 4, writes: 0 });
});

test("what is newer stays and is listed; what was edited is left and listed unless it may be overwritten", async () => {
  const site = await snapshotOf(twoGuides);
  const { edit } = site.sandbox;
  edit.createGuide({ category: "Looms", type: "how-to", subject: "New", title: "New", difficulty: "Easy" });
  edit.guide(1, { summary: "Better." });
  edit.guide(2, { summary: "Better too." });
  const left = await site.restore({ overwrites: false });
  expect(left).toMatchObject({
    newer: ["guide/3"],
    left: [{ key: "guide/1", paths: ["summary"] }, { key: "guide/2" }],
  });
  expect(site.writes()).toEqual([]);
  const named = await site.restore({ selection: { include: ["guide/2"] } });
  expect(named).toMatchObject({ items: 1, putBack: [{ key: "guide/2" }], writes: 1 });
  expect(site.sandbox.state().guides.map((guide) => guide["summary"])).toEqual(["Better.", "", ""]);
});

test("a rehearsal says what would be done and writes nothing", async () => {
  const site = await snapshotOf(twoGuides);
  site.sandbox.edit.deleteGuide(1);
  site.sandbox.edit.guide(2, { summary: "Better." });
  const done = await site.restore({ dryRun: true, keepPresent: () => Promise.reject(new Error("asked to write")) });
  expect(done).toMatchObject({ broughtBack: [{ key: "guide/1" }], putBack: [{ key: "guide/2" }], writes: 2 });
  expect(done.planned?.kinds).toEqual({ "restored by the site": 1, "edit guide": 1 });
  expect([...(done.planned?.steps ?? [])].toSorted()).toEqual([
    ["guide/1", ["restored by the site"]],
    ["guide/2", [expect.stringContaining("Weft")]],
  ]);
  expect(site.writes()).toEqual([]);
  expect((await site.restore()).writes).toBe(2);
});

test("a rehearsal counts what is done before the load, step by step, and leaves nothing behind", async () => {
  const site = await snapshotOf(twoGuides);
  const { edit } = site.sandbox;
  const [first = 0, second = 0] = stepIds(site.sandbox, 1);
  edit.step(1, first, { title: "PWNED" });
  edit.deleteStep(1, second);
  edit.addStep(1, stepBody(2, "Spam."));
  edit.wiki("WIKI", "Sheds", { contents: "Spam." });
  edit.setGuideTags(2, ["spam"]);
  const foreseen = await site.restore({ dryRun: true });
  expect(foreseen.planned?.kinds).toMatchObject({
    "add step": 1,
    "delete step": 1,
    "edit step": 1,
    "reverted by the site": 1,
    tag: expect.any(Number),
  });
  expect(site.writes()).toEqual([]);
  const done = await site.restore();
  expect(done.writes).toBe(foreseen.writes);
  expect(site.writes()).toHaveLength(foreseen.writes);
  expect(await site.restore({ dryRun: true })).toMatchObject({ putBack: [], writes: 0, planned: { kinds: {} } });
});

test("who edits while it runs is not overwritten, and is listed", async () => {
  const site = await snapshotOf(twoGuides);
  site.sandbox.edit.guide(1, { title: "PWNED" });
  site.sandbox.faults.decide(({ path, method }) => {
    if (method === "PATCH" && path === "/guides/1") site.sandbox.edit.guide(1, { summary: "Right now." });
    return undefined;
  });
  const done = await site.restore({ overwrites: true, onConflict: "skip" });
  expect(done).toMatchObject({ raced: ["guide/1"] });
  expect(site.sandbox.state().guides[0]).toMatchObject({ title: "PWNED", summary: "Right now." });
});

test("a step that others link to and that was deleted gets another id, and the links follow", async () => {
  const site = await snapshotOf((sandbox) => {
    twoGuides(sandbox);
    const [step] = stepIds(sandbox, 1);
    sandbox.edit.guide(2, { conclusion: `Back to [guide|1|its start|stepid=${step}].` });
  });
  const before = site.sandbox.namedState().guides;
  site.sandbox.edit.deleteStep(1, stepIds(site.sandbox, 1)[0] ?? 0);
  expect(await site.restore()).toMatchObject({ putBack: [{ key: "guide/1" }], followed: ["guide/2"], failed: 0 });
  expect(site.sandbox.namedState().guides).toEqual(before);
  expect(await site.restore()).toMatchObject({ putBack: [], followed: [], writes: 0 });
});

test("an account that is no admin makes nothing anew that it only cannot see", async () => {
  const site = await snapshotOf((sandbox) => {
    twoGuides(sandbox);
    sandbox.edit.setPublic(2, false);
  });
  site.sandbox.faults.decide(({ path, method }) => {
    if (/^\/user$/.test(path)) return undefined;
    return method === "GET" && path === "/guides/2" ? { kind: "status", status: 404 } : undefined;
  });
  const done = await site.restore({ selection: { include: ["guide/2"] }, admin: false });
  expect(done).toMatchObject({ anew: [], lost: [{ key: "guide/2" }], writes: 0 });
});
