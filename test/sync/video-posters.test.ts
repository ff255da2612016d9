import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { startBackups } from "../backup/helpers/backups.js";
import { mediaRequests, rowsOf, textOf } from "../backup/helpers/read-backups.js";
import { issuesOf, loadInto, withTarget } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { exported } from "../web/reader/export/helpers/exported.js";
import { type ExtractSite, keepGuides, SAMPLE_SITE, startSite } from "./extract-site.js";

/** Guide 10 has a step with video 7, whose poster is image 133. */
const GUIDE_10 = { selection: { include: ["guide/10"] } };

async function media(site: ExtractSite, key: "video/7" | "image/133") {
  const item = site.workspace.items.entry(key) === undefined ? undefined : await site.workspace.items.get(key);
  return item?.kind === "video" || item?.kind === "image" ? item.body : undefined;
}

test("an extract keeps the poster of a video, and fetches neither again", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  expect((await site.run(GUIDE_10)).failures).toBe(0);
  expect(await media(site, "video/7")).toMatchObject({ poster: "image/133" });
  const content = (await media(site, "image/133"))?.content;
  expect(await site.workspace.media.verify(content?.sha256 ?? "")).toBe(true);
  const before = mediaRequestsOf(site);
  await site.run({ ...GUIDE_10, options: { refreshAfterSeconds: -10 } });
  expect(mediaRequestsOf(site)).toEqual(before);
});

test("a workspace that was made without posters gets them without fetching videos again", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run(GUIDE_10);
  const { items } = site.workspace;
  const video = await items.get("video/7");
  if (video?.kind !== "video") throw new Error("there is no video");
  const { poster, ...body } = video.body;
  await items.put({ ...video, media: [], body });
  const before = mediaRequestsOf(site);
  await site.run({ ...GUIDE_10, options: { refreshAfterSeconds: -10 } });
  expect(await media(site, "video/7")).toEqual(video.body);
  expect(mediaRequestsOf(site)).toEqual(before);
});

test("backups hold the poster, the next night fetches nothing, and an export shows it", async () => {
  const nights = await startBackups();
  keepGuides(nights.sandbox, [10]);
  const { index } = await nights.backUp();
  const rows = await rowsOf(nights);
  expect(JSON.parse(await textOf(nights, "video/7", index.snapshot))).toMatchObject({ body: { poster: "image/133" } });
  expect(rows.get("image/133")).toMatchObject({ state: "present" });
  const before = mediaRequests(nights);
  const second = await nights.backUp();
  expect([second.index.counts.newMedia, mediaRequests(nights)]).toEqual([0, before]);
  const folder = join(await temporaryFolder(), "site");
  await exported(nights.folder, folder);
  const page = await readFile(join(folder, "guide/10.html"), "utf8");
  const [, poster = ""] = /<video[^>]* poster="\.\.\/(media\/[^"]+)"/.exec(page) ?? [];
  const { content } = JSON.parse(await textOf(nights, "image/133", index.snapshot)).body;
  expect(poster).toMatch(new RegExp(`^media/(?:.*/)?${content.sha256}\\.jpg$`));
  expect((await readFile(join(folder, poster))).length).toBe(content.size);
});

test("a load sends no poster, and the ledger says that the service takes none", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run(GUIDE_10);
  await site.workspace.close();
  const target = await startSandbox();
  try {
    const summary = await loadInto(target, site.folder);
    expect(summary).toMatchObject({ failed: 0, refused: 0 });
    expect(await idsAt(target, site.folder, ["video/7", "image/133"])).toEqual([expect.any(String), undefined]);
    expect(await issuesOf({ target, workspace: site.folder }, "video/7")).toContainEqual(
      expect.objectContaining({ code: "poster", level: "loss", path: "poster" }),
    );
  } finally {
    await target.close();
  }
});

/** What the ledger knows the items as at the target. */
function idsAt(target: Sandbox, workspace: string, keys: readonly Key[]) {
  return withTarget(target, workspace, {}, async ({ ledger, target: site }) => {
    const opened = ledger(await site.survey(new AbortController().signal));
    return Promise.all(keys.map((key) => opened.idOf(key)));
  });
}

/** The addresses that bytes were asked for at, in their order. */
function mediaRequestsOf({ sandbox }: ExtractSite): readonly string[] {
  return sandbox.recorded.filter(({ isApi }) => !isApi).map(({ path }) => path);
}
