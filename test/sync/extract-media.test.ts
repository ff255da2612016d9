import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { StoppedError } from "../../src/core/errors.js";
import type { MediaItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { pixelsOf, storedMedia, withSize } from "../../src/sync/stored-media.js";
import { type ExtractSite, SAMPLE_SITE, startSite } from "./extract-site.js";

/** Takes guide 7 and its pictures, of which image 111 is one, and nothing else. */
const GUIDE_7 = { selection: { include: ["guide/7", "image/*"], dependencies: false } };
const IMAGE: Key = "image/111";

async function medium({ workspace }: ExtractSite, key: Key): Promise<MediaItem["body"] | undefined> {
  const item = workspace.items.entry(key) === undefined ? undefined : await workspace.items.get(key);
  return item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item.body : undefined;
}

/** The path that the bytes of the image are at. */
async function pathOf(site: ExtractSite): Promise<string> {
  const probe = await startSite({ site: SAMPLE_SITE });
  await probe.run(GUIDE_7);
  const url = (await medium(probe, IMAGE))?.url;
  if (url === undefined) throw new Error("guide 7 does not need the image");
  return new URL(url, site.sandbox.origin).pathname;
}

test("media are fetched once, however many items use them", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const files = site.sandbox.recorded.filter(({ path }) => /^\/media\/.*\.full$/.test(path)).map(({ path }) => path);
  expect(new Set(files).size).toBe(files.length);
  const contents = [...site.workspace.items.entries("image")].map(
    async ({ key }) => (await medium(site, key))?.content,
  );
  for (const content of await Promise.all(contents)) {
    expect(await site.workspace.media.verify(content?.sha256 ?? "")).toBe(true);
  }
});

test("pictures are measured when they come, so that no check of the items writes them again", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run();
  const { items, media } = site.workspace;
  const images = [...items.entries("image")];
  expect(images.length).toBeGreaterThan(5);
  for (const { key, digest } of images) {
    const body = await medium(site, key);
    const size = await pixelsOf(media.open(body?.content?.sha256 ?? ""));
    expect({ key, width: body?.width, height: body?.height }).toEqual({ key, ...size });
    const item = await storedMedia(site.workspace, key);
    expect(item === undefined ? undefined : await withSize(site.workspace, item)).toMatchObject({ body: { ...size } });
    expect(items.entry(key)?.digest).toBe(digest);
  }
});

test("a cut download goes on, and the hash is that of an undisturbed one", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  site.sandbox.faults.inject({ kind: "truncate" }, { path, times: 3 });
  const summary = await site.run(GUIDE_7);
  expect(summary.failures).toBe(0);
  const undisturbed = await startSite({ site: SAMPLE_SITE });
  await undisturbed.run(GUIDE_7);
  expect((await medium(site, IMAGE))?.content).toEqual((await medium(undisturbed, IMAGE))?.content);
});

test("bytes that the host does not have are final: one try, an issue of the guide, and the guide is there", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  site.sandbox.faults.inject({ kind: "status", status: 404 }, { path, times: 9 });
  const summary = await site.run(GUIDE_7);
  expect(site.sandbox.recorded.filter((request) => request.path === path)).toHaveLength(1);
  expect(await site.workspace.items.get("guide/7")).toMatchObject({
    issues: expect.arrayContaining([
      expect.objectContaining({
        code: "media-missing",
        level: "error",
        key: "guide/7",
        message: expect.stringContaining("404"),
      }),
    ]),
  });
  expect(summary.failures).toBe(1);
  expect(site.workspace.failures.list("media")).toMatchObject([
    { key: "guide/7", reason: expect.stringContaining(IMAGE) },
  ]);
  expect(await medium(site, IMAGE)).toBeUndefined();
});

test.each([
  ["JSON", { AccessKeyId: "never to be kept" }, "JSON"],
  ["text", "never to be kept", "plain text"],
])("%s that comes in the place of a picture is listed and not kept", async (_, body, told) => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  site.sandbox.faults.inject({ kind: "status", status: 200, body }, { path, times: 9 });
  const summary = await site.run(GUIDE_7);
  expect(summary.failures).toBe(1);
  expect(site.workspace.failures.list("media")).toMatchObject([
    { key: "guide/7", reason: expect.stringMatching(new RegExp(`for image/111 is ${told}, not an image`)) },
  ]);
  expect(await medium(site, IMAGE)).toBeUndefined();
  expect(site.sandbox.recorded.filter((request) => request.path === path)).toHaveLength(1);
  site.sandbox.faults.clear();
  await site.run({ options: { onlyFailed: true } });
  expect(await medium(site, IMAGE)).toBeDefined();
});

test("final failures are not tried by the next extract, but by retry, which clears them", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  site.sandbox.faults.inject({ kind: "status", status: 404 }, { path });
  await site.run(GUIDE_7);
  await site.run(GUIDE_7);
  expect(await medium(site, IMAGE)).toBeUndefined();
  const summary = await site.run({ options: { onlyFailed: true } });
  expect(summary.kinds.guide.read).toBe(1);
  expect(await medium(site, IMAGE)).toBeDefined();
  expect(site.workspace.failures.list()).toEqual([]);
  expect((await site.workspace.items.get("guide/7"))?.issues).toEqual([]);
});

test("bytes that may come later are asked for again by the next extract", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  site.sandbox.faults.inject({ kind: "status", status: 500 }, { path, times: 6 });
  expect((await site.run(GUIDE_7)).failures).toBe(1);
  expect(site.workspace.items.entry("guide/7")?.revision).toBe("");
  expect((await site.run(GUIDE_7)).failures).toBe(0);
  expect(await medium(site, IMAGE)).toBeDefined();
});

test("a reference to what the site itself does not know is a note, not a failure", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const summary = await site.run({
    selection: { include: ["guide/22", "image/*", "document/*", "video/*"], dependencies: false },
  });
  const issues = (await site.workspace.items.get("guide/22"))?.issues ?? [];
  expect(issues.filter(({ code }) => code === "reference-dangling").length).toBeGreaterThan(2);
  expect(issues.every(({ level }) => level === "note")).toBe(true);
  expect(summary.failures).toBe(0);
});

test("a picture that was annotated comes with the one that it was made from, when details are wanted", async () => {
  const site = await startSite({ site: SAMPLE_SITE }, { imageDetails: true });
  await site.run(GUIDE_7);
  expect(await medium(site, "image/130")).toMatchObject({ sourceImage: IMAGE, markup: expect.any(String) });
  expect(await medium(site, IMAGE)).toMatchObject({ content: { size: expect.any(Number) } });
});

test("an image has the same file name whether a text or a field names it first", async () => {
  const bodies = [];
  for (const item of ["wiki/USER/5", "guide/24"]) {
    const site = await startSite({ site: SAMPLE_SITE });
    await site.run({ selection: { include: [item] } });
    bodies.push(await medium(site, "image/122"));
  }
  const [fromText, fromField] = bodies;
  expect([fromText?.content?.sha256, fromText?.fileName]).toEqual([fromField?.content?.sha256, fromField?.fileName]);
});

test("a file that was lost from the workspace is fetched again with the item that needs it", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run(GUIDE_7);
  const sha256 = (await medium(site, IMAGE))?.content?.sha256 ?? "";
  await rm(site.workspace.media.path(sha256));
  await site.run({ ...GUIDE_7, options: { refreshAfterSeconds: -10 } });
  expect(site.workspace.media.has(sha256)).toBe(true);
});

test("a run that is dropped while it fetches media finds the rest by itself the next time", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  const path = await pathOf(site);
  const [stop, abort] = [new AbortController(), new AbortController()];
  site.sandbox.faults.decide((request) => {
    if (request.path !== path) return undefined;
    stop.abort();
    abort.abort();
    return { kind: "stall" };
  });
  const dropped = site.run({ ...GUIDE_7, control: { stop: stop.signal, abort: abort.signal } });
  await expect(dropped).rejects.toThrow(StoppedError);
  expect(await medium(site, IMAGE)).toBeUndefined();
  site.sandbox.faults.clear();
  await site.run(GUIDE_7);
  expect(await medium(site, IMAGE)).toMatchObject({ content: { size: expect.any(Number) } });
});
