import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { ConnectionError } from "../../../src/core/errors.js";
import type { MediaItem } from "../../../src/core/model/item.js";
import { createTarget } from "../../../src/service/target/target.js";
import { SiteTexts } from "../../../src/service/target/texts.js";
import { guideItem, mediaItem, step, wikiItem } from "../../helpers/items.js";
import { json, localServer } from "../../helpers/local-server.js";
import { pngOf } from "../../helpers/png.js";
import { OLD_SITE, siteWithCategory, startTargetSite } from "../../helpers/target-site.js";
import { testStack } from "../helpers/test-stack.js";

function imageItem(id: number, bytes: Buffer, fileName = "shed.png"): MediaItem {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const body = {
    id,
    guid: `guid${id}`,
    fileName,
    url: `https://cdn.example/${id}`,
    width: 800,
    height: 600,
    markup: null,
    sourceImage: null,
    content: { sha256, size: bytes.length, type: "image/png" },
  };
  return { key: `image/${id}`, kind: "image", revision: "", raw: null, media: [], translations: [], issues: [], body };
}

test("an image goes up with a part of its hash in its name, and a step shows it", async () => {
  const site = await siteWithCategory();
  const bytes = pngOf(800, 600);
  const more = { bytes: () => Readable.from([bytes]) };
  const image = imageItem(5, bytes);
  await site.load(image, more);
  await site.load(
    guideItem(1, { steps: [step(1, ["See."], { media: { type: "images", images: ["image/5"] } })] }),
    more,
  );
  const hash = createHash("sha256").update(bytes).digest("hex");
  expect(site.sandbox.state().media).toMatchObject([{ filename: `shed-${hash.slice(0, 12)}.png`, sha256: hash }]);
  expect(JSON.stringify(site.sandbox.state().guides[0]?.["steps"])).toContain(hash);
});

test("an upload whose answer was lost is found by its name, not sent again", async () => {
  const site = await startTargetSite();
  const bytes = pngOf(800, 600);
  const more = { bytes: () => Readable.from([bytes]) };
  const image = imageItem(5, bytes);
  site.sandbox.faults.inject({ kind: "reset", applied: true }, { method: "POST", path: "/user/media/images" });
  const [operation] = site.target.plan(image, await site.ledger.loaded("image/5"));
  if (operation === undefined) throw new Error("nothing was planned");
  await expect(site.apply(operation, more)).rejects.toThrow();
  const [orphan] = await site.ledger.orphans();
  const receipt = await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal);
  expect(receipt?.written[0]).toMatchObject({ key: "image/5", facts: { sha256: image.body.content?.sha256 } });
  expect(site.sandbox.state().media).toHaveLength(1);
});

const ANN = { id: 71, name: "Ann", uniqueName: "ann" };
const PEOPLE = { site: "samples/site" } as const;

test("viewers of a private guide are recognised by their unique names, and taken out again when they may not any more", async () => {
  const site = await startTargetSite({ sandbox: PEOPLE });
  const [known] = (await users(site.sandbox.url, site.sandbox.token)).filter((user) => user.unique_username !== null);
  const person = { id: 71, name: "Somebody", uniqueName: known?.unique_username ?? "" };
  const viewers = (list: readonly (typeof ANN)[]) => ({ category: "Hand Looms", viewers: { users: list, teams: [] } });
  const category = site.sandbox.state().wikis.find((wiki) => wiki["namespace"] === "CATEGORY")?.["title"];
  const body = { ...viewers([person, ANN]), category: String(category) };
  await site.load(guideItem(900, body));
  const guide = () => site.sandbox.state().guides.find((each) => each["title"] === "Guide 900");
  expect(JSON.stringify(guide())).toContain(String(known?.userid));
  expect(site.target.losses(guideItem(900, body)).map(({ code, path }) => [code, path])).toContainEqual([
    "viewer",
    "viewers.users",
  ]);
  const before = site.writes().length;
  await site.load(guideItem(900, { ...body, viewers: { users: [], teams: [] } }));
  expect(
    site
      .writes()
      .slice(before)
      .filter((write) => write.startsWith("DELETE")),
  ).toHaveLength(1);
});

test("flags that the server set and nobody may change are left as they are", async () => {
  const site = await siteWithCategory();
  await site.load(guideItem(1, { flags: ["GUIDE_STARRED"] }));
  expect(site.sandbox.state().guides[0]?.["flags"]).toEqual(
    expect.arrayContaining(["GUIDE_STARRED", "GUIDE_USER_CONTRIBUTED"]),
  );
  expect(site.sandbox.state().guides[0]?.["flags"]).not.toContain("GUIDE_IN_PROGRESS");
});

test("a page's flags that the site refuses are a loss and no failure", async () => {
  const site = await startTargetSite();
  site.sandbox.faults.inject(
    { kind: "status", status: 422, body: { message: "No." } },
    { method: "PATCH", path: "/wikis/WIKI/Sheds" },
  );
  const item = wikiItem("WIKI", "Sheds", { flags: ["WIKI_PRIVATE"] });
  await site.load(item);
  const issues: string[] = [];
  for await (const issue of site.ledger.issues("wiki/WIKI/Sheds")) issues.push(issue.code);
  expect(issues).toContain("refused-by-site");
});

test("a guide whose second body lost its answer, after the site refused the first, is found and not made again", async () => {
  const site = await siteWithCategory();
  const posts = { method: "POST", path: "/guides" } as const;
  site.sandbox.faults.inject({ kind: "status", status: 422, body: { message: "No work log here." } }, posts);
  site.sandbox.faults.inject({ kind: "reset", applied: true }, posts);
  const item = guideItem(12, { introduction: "Hello.", workLogEnabled: true });
  const [operation] = site.target.plan(item, await site.ledger.loaded(item.key));
  if (operation === undefined) throw new Error("nothing was planned");
  await expect(site.apply(operation)).rejects.toThrow(ConnectionError);
  const [orphan] = await site.ledger.orphans();
  const receipt = await site.target.find(operation, orphan?.mark ?? {}, site.context(operation), site.signal);
  expect(receipt?.written[0]).toMatchObject({ key: "guide/12", id: "1" });
});

test("an upload that never arrived is looked for to the end of a list that does not page", async () => {
  const { origin, arrivals } = await localServer((_, response) => json(response, [{ id: 3, filename: "first.pdf" }]));
  const texts = new SiteTexts({ source: () => OLD_SITE, target: () => OLD_SITE, dangling: "absolute" });
  const target = createTarget({ name: "target", client: testStack(origin).client, texts, output: {} });
  const content = { sha256: "0".repeat(64), size: 5, type: "application/pdf" };
  const item = mediaItem("document", 6, { fileName: "second.pdf", content });
  const [operation] = target.plan(item, { operations: new Map(), written: new Map() });
  if (operation === undefined) throw new Error("nothing was planned");
  const { context } = await startTargetSite();
  const signal = new AbortController().signal;
  expect(await target.find(operation, { file: "second.pdf" }, context(operation), signal)).toBeUndefined();
  expect(arrivals).toHaveLength(2);
});

async function users(
  url: string,
  token: string,
): Promise<readonly { userid: number; unique_username: string | null }[]> {
  const answer = await fetch(`${url}/users?limit=200`, { headers: { authorization: `api ${token}` } });
  return (await answer.json()) as readonly { userid: number; unique_username: string | null }[];
}

test("a video that the site never gets ready is used all the same, and told of", async () => {
  const site = await startTargetSite({ sandbox: { videoPolls: 1_000_000 }, target: { readyWithin: 5 } });
  const bytes = Buffer.from("invented bytes");
  const image = imageItem(5, bytes, "clip.mp4");
  const video: MediaItem = { ...image, key: "video/5", kind: "video" };
  await site.load(video, { bytes: () => Readable.from([bytes]) });
  expect(await site.ledger.idOf("video/5")).toBeDefined();
  const codes: string[] = [];
  for await (const issue of site.ledger.issues("video/5")) codes.push(issue.code);
  expect(codes).toEqual(["video-not-ready"]);
});

test("viewers that a site has switched off are a loss and no failure", async () => {
  const site = await startTargetSite({ sandbox: PEOPLE });
  const [known] = (await users(site.sandbox.url, site.sandbox.token)).filter((user) => user.unique_username !== null);
  const person = { id: 71, name: "Somebody", uniqueName: known?.unique_username ?? "" };
  const category = site.sandbox.state().wikis.find((wiki) => wiki["namespace"] === "CATEGORY")?.["title"];
  site.sandbox.faults.inject(
    { kind: "status", status: 405, body: { message: "Off." } },
    { method: "PUT", path: /users/ },
  );
  await site.load(guideItem(900, { category: String(category), viewers: { users: [person], teams: [] } }));
  const codes: string[] = [];
  for await (const issue of site.ledger.issues("guide/900")) codes.push(issue.code);
  expect(codes).toContain("viewers-switched-off");
});

test("somebody who becomes known at the target is let in by the next run", async () => {
  const site = await startTargetSite({ sandbox: PEOPLE });
  const category = site.sandbox.state().wikis.find((wiki) => wiki["namespace"] === "CATEGORY")?.["title"];
  const item = guideItem(900, { category: String(category), viewers: { users: [ANN], teams: [] } });
  expect(await site.load(item)).not.toContain("guide/900/viewer/user/71");
});

test.each(["specification", "dozuki", "ifixit"] as const)(
  "the first guide of an empty %s site keeps its work log where there is one",
  async (dialect) => {
    const site = await siteWithCategory({ sandbox: { dialect } });
    await site.load(guideItem(1, { workLogEnabled: true }));
    expect(site.sandbox.state().guides[0]?.["workLog"]).toBe(dialect !== "ifixit");
    const losses: string[] = [];
    for await (const { code } of site.ledger.issues("guide/1")) losses.push(code);
    expect(losses.includes("work-log")).toBe(dialect === "ifixit");
  },
);
