import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { issuesOf } from "../helpers/migration.js";
import { pngOf } from "../helpers/png.js";
import { post, stepBody, stepIds, twoGuides, upload } from "../helpers/small-sites.js";

test("a step that the site refuses keeps its guide private and listed, the rest goes on, and the next run completes it", async () => {
  const pair = await twoGuides();
  pair.target.faults.inject(
    {
      kind: "status",
      status: 422,
      body: { message: "Validation failed", errors: [{ field: "lines", message: "Too odd." }] },
    },
    { method: "POST", path: "/guides/1/steps" },
  );
  expect(await pair.run({ concurrency: 1 })).toMatchObject({ failed: 1 });
  expect(pair.guide("Warp")).toMatchObject({ public: false });
  expect(pair.guide("Weft")).toMatchObject({ public: true });
  expect(await pair.run({ keys: new Set(["guide/1"]) })).toMatchObject({ failed: 0, operations: { failed: 0 } });
  expect(pair.guide("Warp")).toMatchObject({ public: true });
  expect((await pair.verify()).differences).toEqual([]);
});

test("a step that the site refused and that is gone at the source counts as failed no more", async () => {
  const pair = await twoGuides();
  pair.target.faults.inject(
    { kind: "status", status: 422, body: { message: "No." } },
    { method: "POST", path: "/guides/1/steps" },
  );
  await pair.run({ concurrency: 1 });
  pair.source.edit.deleteStep(1, stepIds(pair.source, 1)[0] ?? 0);
  expect(await pair.run()).toMatchObject({ failed: 0, operations: { failed: 0 } });
});

test("what failed of a guide that is gone at the source counts as failed no more", async () => {
  const pair = await twoGuides();
  pair.target.faults.inject(
    { kind: "status", status: 422, body: { message: "No." } },
    { method: "POST", path: "/guides/1/steps" },
  );
  await pair.run({ concurrency: 1 });
  pair.source.edit.deleteGuide(1);
  expect(await pair.run()).toMatchObject({ failed: 0, operations: { failed: 0 } });
});

test("an upload that the site refuses is a failure of its own: what uses it goes without it, and gets it in a later run", async () => {
  const pair = await twoGuides({ target: { extensions: [] } });
  await withPicture(pair.source);
  expect(await pair.run()).toMatchObject({ failed: 1, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ public: true });
  expect(pair.guide("Warp").steps).toHaveLength(3);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({
      code: "media-not-there",
      path: expect.stringMatching(/^step\/\d+\.media\.images\[0\]$/),
    }),
  );
  expect((await pair.verify()).differences).toEqual([]);
  const uploads = pair.writes().filter((write) => write.includes("/user/media")).length;
  expect(uploads).toBe(1);
});

test("an upload that was refused once is sent in the next run, and what went without it is mended", async () => {
  const pair = await twoGuides();
  await withPicture(pair.source);
  pair.target.faults.inject(
    { kind: "status", status: 422, body: { message: "Extension not allowed." } },
    { method: "POST", path: "/user/media/images" },
  );
  expect(await pair.run()).toMatchObject({ failed: 1 });
  const [issue] = (await issuesOf(pair, "guide/1")).filter(({ code }) => code === "media-not-there");
  const image = issue?.message.split(" ")[0] as Key;
  expect(await pair.run({ keys: new Set([image]) })).toMatchObject({ failed: 0, operations: { failed: 0 } });
  expect(JSON.stringify(pair.guide("Warp").steps)).toMatch(/[0-9a-f]{64}/);
  expect((await pair.run()).writes).toBe(0);
  expect((await pair.verify()).differences).toEqual([]);
});

test.each([true, false])(
  "documents that an iFixit site takes no upload of are a loss, on an empty site too: %s",
  async (isEmpty) => {
    const pair = await twoGuides({ target: { dialect: "ifixit" } });
    if (!isEmpty) {
      pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "." });
      pair.target.edit.createGuide({ category: "Theirs", type: "how-to", subject: "s", title: "Theirs", public: true });
    }
    const id = await upload(pair.source, "uploads", "manual.pdf", Buffer.from("%PDF-1.4 invented"));
    for (const title of ["Shed", "Reed"])
      await post(pair.source, "guides", {
        category: "Looms",
        type: "how-to",
        subject: title,
        title,
        documents: [id],
        public: true,
      });
    await post(pair.source, "wikis", {
      namespace: "WIKI",
      title: "Reeds",
      contents: "On reeds.",
      documents: [{ documentid: id }],
    });
    expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
    expect(pair.guide("Shed")).toMatchObject({ public: true, documents: [] });
    expect((await pair.verify()).differences).toEqual([]);
    // Only its first answer tells of an empty site what it takes: what was planned before is looked
    // through once more.
    await pair.run();
    expect((await pair.run()).writes).toBe(0);
    expect(pair.writes().filter((write) => write.includes("uploads")).length).toBeLessThanOrEqual(1);
  },
);

test("an account that may not set a flag, an author or a parent still gets everything else in", async () => {
  const pair = await twoGuides({ target: { account: { admin: false } } });
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand.", flags: [] });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  pair.target.faults.inject(
    { kind: "status", status: 403, body: { message: "No." } },
    { method: "PUT", path: /\/parent$/ },
  );
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect(await issuesOf(pair, "category/Hand Looms")).toContainEqual(
    expect.objectContaining({ code: "refused-by-site", path: "parent" }),
  );
  expect((await pair.verify()).differences).toEqual([]);
});

test("guides without their category fail with the site's reason and nothing else does", async () => {
  const pair = await twoGuides();
  pair.target.faults.inject(
    { kind: "status", status: 422, body: { message: "No." } },
    { method: "POST", path: "/wikis" },
  );
  const outcome = await pair.run({ concurrency: 1 });
  expect(outcome.failed).toBe(3);
  expect(pair.target.state().wikis.map((wiki) => wiki["title"])).toEqual(["Sheds"]);
  expect(await pair.run()).toMatchObject({ failed: 0, heldBack: [] });
  expect((await pair.verify()).differences).toEqual([]);
});

test("an adopted page keeps its content, tags, parent and flags, and --on-existing update takes it over later", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  pair.target.edit.setWikiTags("WIKI", "Sheds", ["theirs"]);
  pair.source.edit.setWikiTags("WIKI", "Sheds", ["ours"]);
  expect(await pair.run()).toMatchObject({ adopted: 1, failed: 0 });
  const page = () => pair.target.state().wikis.find((wiki) => wiki["title"] === "Sheds");
  expect(page()).toMatchObject({ contents: "Theirs.", tags: ["theirs"] });
  expect((await pair.run()).writes).toBe(0);
  expect(await pair.run({ onExisting: "update" })).toMatchObject({ failed: 0 });
  expect(page()).toMatchObject({ contents: "On sheds." });
  expect((await pair.run()).writes).toBe(0);
});

test.each([
  ["answers 500", { kind: "status", status: 500 }],
  ["drops the connection", { kind: "reset", applied: false }],
] as const)(
  "an upload that failed in an earlier run and now %s is listed, and the rest of the run goes on",
  async (_what, fault) => {
    const pair = await twoGuides();
    await withPicture(pair.source);
    pair.target.faults.inject(fault, { method: "POST", path: "/user/media/images", times: 1000 });
    expect(await pair.run()).toMatchObject({ failed: 1 });
    pair.source.edit.guide(2, { summary: "Changed meanwhile." });
    expect(await pair.run()).toMatchObject({ failed: 2, writes: expect.any(Number) });
    expect(pair.guide("Weft")).toMatchObject({ summary: "Changed meanwhile.", public: true });
    pair.target.faults.clear();
    expect(await pair.run()).toMatchObject({ failed: 0, operations: { failed: 0, begun: 0 } });
    expect((await pair.verify()).differences).toEqual([]);
  },
);

async function withPicture(source: Parameters<typeof upload>[0]): Promise<void> {
  const id = await upload(source, "images", "shed.png", pngOf(800, 600));
  await post(source, "guides/1/steps", { ...stepBody(3, "See."), media: { type: "image", data: [id] } });
}
