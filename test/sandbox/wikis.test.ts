import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "./service.js";

/** A namespace and a field that it does not have. */
const FOREIGN: readonly (readonly [namespace: string, fields: Readonly<Record<string, unknown>>])[] = [
  ["CATEGORY", { suppliers: [] }],
  ["CATEGORY", { table_of_contents: true }],
  ["CATEGORY", { repairability_score: 5 }],
  ["ITEM", { documents: [] }],
  ["WIKI", { info: [] }],
  ["WIKI", { page_title: "x" }],
  ["WIKI", { contents_json: {} }],
  ["WIKI", { parent: "Glue" }],
  ["INFO", { documents: [] }],
  ["USER", { display_title: "x" }],
  ["WIKI", { flags: ["WIKI_UNHEARD"] }],
  ["WIKI", { image: 5 }],
  ["WIKI", { documents: [{ documentid: 5 }] }],
];

describe("wikis", () => {
  it.each(FOREIGN)("of %s refuse %j", async (namespace, fields) => {
    const { send } = await startService();
    const body = { namespace, title: namespace === "USER" ? "1" : "Glue", contents: "", ...fields };
    const answer = await send("POST", "/wikis", body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].field).toBe(Object.keys(fields)[0]);
  });

  it.each(["namespace", "title", "contents"])("need %s", async (field) => {
    const { send } = await startService();
    const answer = await send("POST", "/wikis", { namespace: "WIKI", title: "Glue", contents: "", [field]: undefined });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, code: "missing_field" }] } });
  });

  it("are created, read, changed, reverted and deleted by namespace and title", async () => {
    const { send, get, makeWiki } = await startService({ dialect: "dozuki" });
    const first = await makeWiki("WIKI", "Wood_glue", {
      contents: "one ",
      flags: ["WIKI_STUB"],
      table_of_contents: true,
    });
    expect(first).toMatchObject({
      title: "Wood glue",
      contents_raw: "one",
      contents_json: { type: "doc" },
      flags: { WIKI_STUB: { flagid: "WIKI_STUB" } },
      tags: [],
      table_of_contents: true,
    });
    expect((await send("POST", "/wikis", { namespace: "WIKI", title: "Wood glue", contents: "" })).status).toBe(422);
    const path = "/wikis/WIKI/Wood_glue";
    const second = await send("PATCH", `${path}?revisionid=${first.revisionid}`, { contents: "two", flags: [] });
    expect(second.body).toMatchObject({ contents_raw: "two", flags: [] });
    const same = await send("PATCH", `${path}?revisionid=${second.body.revisionid}`, { contents: "two" });
    expect(same.body.revisionid).toBe(second.body.revisionid);
    const revert = `${path}/revert?revisionid=${second.body.revisionid}&to_revisionid=`;
    expect((await send("POST", `${revert}${second.body.revisionid}`)).status).toBe(422);
    const third = await send("POST", `${revert}${first.revisionid}`);
    expect(third.body.contents_raw).toBe("one");
    expect((await send("DELETE", `${path}?revisionid=${third.body.revisionid}`)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  it("of CATEGORY hide their revision from plain reads, not from unpatrolled ones, and delete only without children", async () => {
    const { send, get, makeWiki } = await startService({ dialect: "dozuki" });
    const top = await makeWiki("CATEGORY", "Top");
    const sub = await makeWiki("CATEGORY", "Sub");
    expect(top.revisionid).toEqual(expect.any(Number));
    expect((await get("/wikis/CATEGORY/Top")).body).toMatchObject({ revisionid: null, source_revisionid: null });
    expect((await get("/wikis/CATEGORY/Top?unpatrolled")).body.revisionid).toBe(top.revisionid);
    expect((await get("/wikis/WIKI")).status).toBe(200);
    await send("PUT", `/wikis/CATEGORY/Sub/parent?revisionid=${sub.revisionid}`, { parent: "Top" });
    const refused = await send("DELETE", `/wikis/CATEGORY/Top?revisionid=${top.revisionid}`);
    expect(refused.status).toBe(422);
  });

  it("get a parent by title or null, never one below themselves, and the move is a revision", async () => {
    const { send, get, makeWiki } = await startService();
    const revision: Record<string, number> = {};
    for (const title of ["A", "B", "C"]) revision[title] = (await makeWiki("CATEGORY", title)).revisionid;
    const move = async (title: string, parent: unknown) => {
      const answer = await send("PUT", `/wikis/CATEGORY/${title}/parent?revisionid=${revision[title]}`, { parent });
      if (answer.status === 200) revision[title] = answer.body.revisionid;
      return answer;
    };
    const before = revision["C"];
    expect((await move("C", "B")).body).toMatchObject({ parent: "B", ancestors: [{ title: "B" }] });
    expect(revision["C"]).not.toBe(before);
    expect((await move("B", "A")).status).toBe(200);
    for (const parent of ["C", "B", "A", "Nowhere", 5]) {
      expect((await move("A", parent)).status).toBe(422);
    }
    const hierarchy = { hierarchy: { A: { B: { C: null } } }, display_titles: {} };
    expect((await get("/wikis/CATEGORY?display=hierarchy")).body).toEqual(hierarchy);
    expect((await get("/wikis/CATEGORY/B/children")).body).toMatchObject([{ title: "C" }]);
    expect((await move("C", null)).body).toMatchObject({ parent: null, ancestors: [] });
    expect((await get("/wikis/CATEGORY?display=hierarchyOrder")).body).toEqual([
      { title: "A", children: [{ title: "B" }] },
      { title: "C" },
    ]);
    expect((await get("/wikis/CATEGORY?display=leaves")).body).toMatchObject([{ title: "B" }, { title: "C" }]);
    expect((await get("/wikis/WIKI?display=hierarchy")).status).toBe(400);
  });

  it("keep the rows that they have from above when their own are written", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const path = "/wikis/CATEGORY/Wren%20Frame";
    const { body } = await get(`${path}?unpatrolled=1`);
    const rows = body["info"] as readonly { readonly inheritedFrom?: string }[];
    const above = rows.filter(({ inheritedFrom }) => inheritedFrom !== undefined);
    expect(above).toHaveLength(1);
    const own = [{ name: "Wood", value: "Ash" }];
    const written = await send("PATCH", `${path}?revisionid=${body.revisionid}`, { info: own });
    expect([written.status, written.body["info"]]).toEqual([200, [...own, ...above]]);
  });

  it("show display titles where they differ", async () => {
    const { get, makeWiki } = await startService();
    await makeWiki("CATEGORY", "Frames", { display_title: "All frames" });
    await makeWiki("CATEGORY", "Legs", { display_title: "Legs" });
    const { body } = await get("/wikis/CATEGORY?display=hierarchy");
    expect(body.display_titles).toEqual({ Frames: "All frames" });
    expect((await get("/wikis/CATEGORY/Frames")).body).toMatchObject({ title: "Frames", display_title: "All frames" });
  });

  it("are translated by a PATCH with langid or a POST with source_revisionid, and read with langid", async () => {
    const { send, get, makeWiki } = await startService({ languages: ["en", "de", "fr"] });
    const source = await makeWiki("WIKI", "Glue", { contents: "sticky" });
    const path = "/wikis/WIKI/Glue";
    const german = await send("PATCH", `${path}?langid=de&revisionid=${source.revisionid}`, { contents: "klebrig" });
    expect(german).toMatchObject({
      status: 200,
      body: { langid: "de", contents_raw: "klebrig", wikiid: source.wikiid },
    });
    const post = { namespace: "WIKI", title: "Glue", langid: "fr", contents: "collant" };
    expect((await send("POST", "/wikis", post)).status).toBe(422);
    const french = await send("POST", "/wikis", { ...post, source_revisionid: source.revisionid });
    expect(french).toMatchObject({ status: 201, body: { langid: "fr" } });
    expect((await get(`${path}?langid=de`)).body).toMatchObject({
      contents_raw: "klebrig",
      available_langids: ["en", "de", "fr"],
    });
    expect((await get(`${path}?langid=it`)).body.langid).toBe("en");
    expect((await get("/wikis/WIKI?langid=de")).body).toMatchObject([{ text: "klebrig" }]);
    expect((await send("DELETE", `${path}?revisionid=${source.revisionid}`)).status).toBe(204);
    expect((await get(`${path}?langid=de`)).status).toBe(404);
  });

  it("of CATEGORY have a repairability score on ifixit, and answer at their older address too", async () => {
    const { get, makeWiki } = await startService({ dialect: "ifixit" });
    const { revisionid } = await makeWiki("CATEGORY", "Frames", { repairability_score: 7 });
    expect((await get("/categories/Frames")).body).toMatchObject({ revisionid, repairability_score: 7 });
  });

  it("of USER and TEAM stand for somebody who is there", async () => {
    const { send } = await startService();
    const page = (namespace: string, title: string) => send("POST", "/wikis", { namespace, title, contents: "" });
    expect((await page("USER", "1")).status).toBe(201);
    expect((await page("USER", "2")).status).toBe(422);
    expect((await page("TEAM", "1")).status).toBe(422);
  });

  it.each(["a/b", "a?b", "a#b", "50%", "a&b", "a+b", "a\\b", "<b>"])(
    "of CATEGORY have no title like %s",
    async (title) => {
      const { send } = await startService();
      expect((await send("POST", "/wikis", { namespace: "CATEGORY", title, contents: "" })).status).toBe(422);
      expect((await send("POST", "/wikis", { namespace: "ITEM", title, contents: "" })).status).toBe(201);
    },
  );

  it("and guides are tagged without a revision, the tag at most 32 characters, a typed one never listed", async () => {
    const { send, get, makeWiki } = await startService();
    await makeWiki("WIKI", "Glue");
    const path = "/wikis/WIKI/Glue/tag";
    expect((await send("PUT", path, { tag: " oak " })).body.tags).toEqual(["oak"]);
    expect((await send("PUT", path, { tag: "oak" })).body.tags).toEqual(["oak"]);
    expect((await send("PUT", path, { tag: "x".repeat(32) })).status).toBe(200);
    expect((await send("PUT", path, { tag: "x".repeat(33) })).status).toBe(422);
    expect((await send("PUT", path, {})).status).toBe(422);
    expect((await send("PUT", path, { tag: "device:saw" })).body.tags).toEqual(["oak", "x".repeat(32)]);
    expect((await send("DELETE", path, { tag: "Oak" })).status).toBe(404);
    expect((await send("DELETE", path, { tag: "oak" })).body.tags).toEqual(["x".repeat(32)]);
    expect((await get("/wikis/WIKI/Glue/tags")).body).toEqual(["x".repeat(32)]);
    expect((await get("/tags")).body).toEqual(["oak", "x".repeat(32)]);
  });
});
