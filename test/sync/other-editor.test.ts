import { expect, test } from "vitest";
import { issuesOf } from "../helpers/migration.js";
import { pngOf } from "../helpers/png.js";
import { post, stepBody, stepIds, twoGuides, upload } from "../helpers/small-sites.js";

const warp = 1;

test("a guide that somebody deleted at the target is made anew, whole and published, under --on-conflict update", async () => {
  const pair = await twoGuides();
  pair.source.edit.setGuideTags(warp, ["wool"]);
  await pair.run();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  pair.source.edit.guide(warp, { summary: "New." });
  expect(await pair.run({ onConflict: "update" })).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ summary: "New.", public: true, tags: ["wool"] });
  expect(pair.guide("Warp").steps).toHaveLength(2);
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a step that somebody deleted at the target and that changes at the source is listed, and made anew under --on-conflict update", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [first] = pair.guide("Warp").steps;
  pair.target.edit.deleteStep(pair.guide("Warp").guideid, first?.stepid ?? 0);
  const sourceStep = stepIds(pair.source, warp)[0] ?? 0;
  pair.source.edit.step(warp, sourceStep, { lines: [{ text: "Changed.", bullet: "black", level: 0 }] });
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp").steps).toHaveLength(1);
  expect(await pair.run({ onConflict: "update" })).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Changed.", "Second."]);
});

test("a step deleted by somebody does not keep others from being added and ordered", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [, second] = pair.guide("Warp").steps;
  pair.target.edit.deleteStep(pair.guide("Warp").guideid, second?.stepid ?? 0);
  pair.source.edit.addStep(warp, stepBody(1, "Before all."));
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Before all.", "First."]);
  expect((await pair.run()).writes).toBe(0);
});

test("a step that somebody adds while ours are created stays, and ours come whole and in order", async () => {
  const pair = await twoGuides();
  let once = true;
  pair.target.faults.decide(({ method, path }) => {
    if (once && method === "POST" && /\/steps$/.test(path)) {
      once = false;
      pair.target.edit.addStep(pair.guide("Warp").guideid, stepBody(1, "Theirs."));
    }
    return undefined;
  });
  expect(await pair.run({ concurrency: 1 })).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(
    expect.arrayContaining(["Theirs.", "First.", "Second."]),
  );
  const ours = pair
    .guide("Warp")
    .steps.flatMap((step) => step.lines[0]?.text ?? [])
    .filter((text) => text !== "Theirs.");
  expect(ours).toEqual(["First.", "Second."]);
});

test("a step that somebody deletes while ours are created does not stop the others", async () => {
  const pair = await twoGuides();
  let seen = 0;
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "POST" || !/\/steps$/.test(path)) return undefined;
    seen += 1;
    if (seen === 2) pair.target.edit.deleteStep(pair.guide("Warp").guideid, pair.guide("Warp").steps[0]?.stepid ?? 0);
    return undefined;
  });
  expect(await pair.run({ concurrency: 1 })).toMatchObject({ failed: 0 });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Second."]);
});

test("a category that somebody moved at the target is not moved back unseen", async () => {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  await pair.run();
  pair.target.edit.setParent("CATEGORY", "Hand Looms", null);
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Tools", contents: "All." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Tools");
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pair.target.state().hierarchy["Tools"]).toBeUndefined();
  expect(await issuesOf(pair, "category/Hand Looms")).toContainEqual(
    expect.objectContaining({ code: "conflict-skipped" }),
  );
});

test("a kill whose guide is deleted before the next run does not stop that run", async () => {
  const pair = await twoGuides();
  const kill = new AbortController();
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "POST" || !/\/steps$/.test(path)) return undefined;
    return { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed")) };
  });
  await expect(pair.run({ kill: kill.signal, concurrency: 1 })).rejects.toThrow();
  pair.target.faults.clear();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  expect(await pair.run({ onConflict: "update" })).toMatchObject({ heldBack: [] });
  expect(pair.guide("Weft").steps).toHaveLength(2);
  expect(pair.guide("Warp").steps).toHaveLength(2);
});

test("the other revision field asked for in the middle of a run is learned", async () => {
  const pair = await twoGuides({ target: { revisionField: "revisionid" } });
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect((await pair.verify()).differences).toEqual([]);
});

test("what is taken away at the source is taken away at the target, and what cannot be is listed", async () => {
  const pair = await twoGuides({ source: { videoPolls: 0 } });
  const { source } = pair;
  const image = await upload(source, "images", "shed.png", pngOf(800, 600));
  const document = await upload(source, "uploads", "manual.pdf", Buffer.from("%PDF-1.4 invented"));
  const video = await upload(source, "uploads", "clip.mp4", Buffer.from("....ftypisom invented"));
  const part = { name: "Shuttle", type: "wood", quantity: 2, notes: "Oiled." };
  const guide = {
    category: "Looms",
    type: "how-to",
    subject: "s",
    title: "Full",
    summary: "Sum.",
    introduction: "In.",
    conclusion: "Out.",
  };
  const media = { image, objectid: video, documents: [document], featured_documentid: document };
  const { guideid } = await post(source, "guides", {
    ...guide,
    ...media,
    time_required_min: 60,
    parts: [part],
    tools: [part],
  });
  const page = {
    namespace: "WIKI",
    title: "Full",
    contents: "All.",
    description: "Much.",
    image,
    table_of_contents: true,
  };
  await post(source, "wikis", { ...page, documents: [{ documentid: document }] });
  const suppliers = [{ "part_#": "1", type: "shop", supplier: "S", url: "https://shop.example" }];
  await post(source, "wikis", {
    namespace: "ITEM",
    title: "Full",
    contents: "All.",
    image,
    info: [{ name: "a", value: "b" }],
    suppliers,
  });
  await pair.run();
  expect(pair.guide("Full")["introVideo"]).not.toBeNull();
  const empty = {
    summary: "",
    introduction: "",
    conclusion: "",
    objectid: null,
    documents: [],
    time_required_min: 0,
    parts: [],
    tools: [],
  };
  source.edit.guide(Number(guideid), empty);
  source.edit.wiki("WIKI", "Full", { description: "", image: null, documents: [], table_of_contents: false });
  source.edit.wiki("ITEM", "Full", { image: null, info: [], suppliers: [] });
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect(pair.guide("Full")).toMatchObject({ introVideo: null, documents: [], parts: [], summary: "" });
  const pages = pair.target.state().wikis.filter((wiki) => wiki["title"] === "Full");
  expect(pages).toMatchObject([
    { namespace: "ITEM", image: null, info: [], suppliers: [] },
    { namespace: "WIKI", image: null, description: "", documents: [], tableOfContents: false },
  ]);
  expect((await pair.verify()).differences).toEqual([]);
  expect((await pair.run()).writes).toBe(0);
});

test("other guides that refer to one that is made anew are pointed to it", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(2, { introduction: "See [guide|1|it].", prerequisites: [1] });
  await pair.run();
  const old = pair.guide("Warp").guideid;
  pair.target.edit.guide(pair.guide("Weft").guideid, { prerequisites: [] });
  pair.target.edit.deleteGuide(old);
  pair.source.edit.guide(1, { summary: "New." });
  expect(await pair.run({ onConflict: "update" })).toMatchObject({ failed: 0 });
  const { guideid } = pair.guide("Warp");
  expect(guideid).not.toBe(old);
  expect(pair.guide("Weft")).toMatchObject({ introduction: `See [guide|${guideid}|it].`, prerequisites: [guideid] });
});
