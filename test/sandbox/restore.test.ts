import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "./service.js";

describe("a deleted guide", () => {
  it("comes back by the service's own restore with all that it was, for admins only", async () => {
    const { sandbox, send, get } = await startService({ site: SAMPLE_SITE });
    const paths = [
      "/guides/1?excludePrerequisiteSteps",
      "/guides/1/tags",
      "/guides/1/releases",
      "/guides/2",
      "/comments",
    ];
    const read = async () => Promise.all(paths.map(async (path) => (await get(path)).body));
    const before = await read();
    const state = sandbox.state();
    const { guide_revisionid } = (await get("/guides/1")).body;
    expect((await send("DELETE", `/guides/1?revisionid=${guide_revisionid}`)).status).toBe(204);
    expect((await get("/guides/1")).status).toBe(404);
    expect((await send("POST", "/guides/1/en/restore", {}, sandbox.tokenOf(11))).status).toBe(403);
    expect((await send("POST", "/guides/1/en/restore", {}, null)).status).toBe(401);
    const restored = await send("POST", "/guides/1/en/restore");
    expect(restored).toMatchObject({ status: 200, body: { guideid: 1, guide_revisionid } });
    expect(await read()).toEqual(before);
    expect(sandbox.state()).toEqual(state);
  });

  it("comes back language by language, the source first", async () => {
    const { sandbox, send, get } = await startService({ site: SAMPLE_SITE });
    const german = (await get("/guides/12?langid=de")).body;
    sandbox.edit.deleteGuide(12);
    expect((await send("POST", "/guides/12/de/restore")).status).toBe(422);
    expect((await send("POST", "/guides/12/en/restore")).status).toBe(200);
    expect((await get("/guides/12?langid=de")).body.langid).toBe("en");
    expect((await send("POST", "/guides/12/de/restore")).body).toMatchObject({ langid: "de" });
    expect((await get("/guides/12?langid=de")).body).toEqual(german);
    expect((await send("POST", "/guides/1/de/restore")).status).toBe(404);
    expect((await send("POST", "/guides/404/en/restore")).status).toBe(404);
    expect((await send("POST", "/guides/12/xx/restore")).status).toBe(400);
  });

  it("is a prerequisite again of those that it was one of", async () => {
    const { sandbox, send, get } = await startService({ site: SAMPLE_SITE });
    const before = (await get("/guides/1")).body.prerequisites;
    sandbox.edit.deleteGuide(before[0].guideid);
    expect((await get("/guides/1")).body.prerequisites).toHaveLength(before.length - 1);
    await send("POST", `/guides/${before[0].guideid}/en/restore`);
    expect((await get("/guides/1")).body.prerequisites).toEqual(before);
  });
});

describe("a wiki", () => {
  it("goes back to an older revision, with a new one for it", async () => {
    const { sandbox, send, get } = await startService({ site: SAMPLE_SITE });
    const before = (await get("/wikis/WIKI/House Rules")).body;
    sandbox.edit.vandaliseWiki("WIKI", "House Rules");
    const bad = (await get("/wikis/WIKI/House Rules")).body;
    expect(bad.contents_raw).toBe("Nobody needs this page.");
    const revert = (query: string, token = sandbox.token) =>
      send("POST", `/wikis/WIKI/House Rules/revert?${query}`, undefined, token);
    expect((await revert(`revisionid=${bad.revisionid}`)).status).toBe(422);
    expect((await revert(`revisionid=1&to_revisionid=${before.revisionid}`)).status).toBe(409);
    expect((await revert(`revisionid=${bad.revisionid}&to_revisionid=${bad.revisionid}`)).status).toBe(422);
    const { body } = await revert(`revisionid=${bad.revisionid}&to_revisionid=${before.revisionid}`);
    expect(body).toMatchObject({ contents_raw: before.contents_raw, contents_json: before["contents_json"] });
    expect([before.revisionid, bad.revisionid]).not.toContain(body.revisionid);
  });
});

describe("an image", () => {
  it("is copied by its guid into the caller's media manager, from any owner, also when no page shows it any more", async () => {
    const { sandbox, send, get } = await startService({ site: SAMPLE_SITE });
    const { image, markup } = (await get("/media/images/130")).body as unknown as {
      image: { guid: string; original: string };
      markup: string;
    };
    sandbox.edit.vandaliseGuide(7);
    const bram = sandbox.tokenOf(3);
    const copy = await send("POST", `/user/media/images/${image.guid}`, undefined, bram);
    expect(copy).toMatchObject({ status: 200, body: { markup, srcid: 111 } });
    expect(copy.body.image.guid).not.toBe(image.guid);
    expect(copy.body.image.id).not.toBe(130);
    const listed = (await get("/user/media/images", bram)).body;
    expect(listed.map((one) => one.image.id)).toEqual([copy.body.image.id]);
    const bytes = await Promise.all(
      [image.original, copy.body.image.original].map(async (url) =>
        Buffer.from(await (await fetch(url)).arrayBuffer()),
      ),
    );
    expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0))).toBe(true);
    expect((await send("POST", "/user/media/images/NoSuchGuidAtAll1", undefined, bram)).status).toBe(404);
    expect((await send("POST", `/user/media/images/${image.guid}`, undefined, null)).status).toBe(401);
    const lines = [{ text: "Cut it.", bullet: "black", level: 0 }];
    const media = { type: "image", data: [copy.body.image.id] };
    expect((await send("POST", "/guides/2/steps", { orderby: 1, lines, media })).status).toBe(422);
    expect((await send("POST", "/guides/11/steps", { orderby: 1, lines, media }, bram)).status).toBe(201);
  });
});
