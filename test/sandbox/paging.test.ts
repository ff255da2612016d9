import { describe, expect, it } from "vitest";
import { type Service, startService } from "./service.js";

const ids = (rows: readonly { guideid: number }[]) => rows.map((row) => row.guideid);

async function filled(count: number): Promise<Service> {
  const service = await startService();
  service.sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Frames", contents: "" });
  for (let number = 1; number <= count; number += 1) {
    service.sandbox.edit.createGuide({ category: "Frames", type: "how-to", title: `Guide ${number}`, public: true });
  }
  return service;
}

describe("lists", () => {
  it("pages by 20, takes limits up to 200 and clamps larger ones", async () => {
    const { get } = await filled(205);
    expect(ids((await get("/guides")).body)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect((await get("/guides?limit=200")).body).toHaveLength(200);
    expect((await get("/guides?limit=100000")).body).toHaveLength(200);
    expect(ids((await get("/guides?limit=200&offset=200")).body)).toEqual([201, 202, 203, 204, 205]);
    expect((await get("/guides?offset=205")).body).toEqual([]);
    expect(ids((await get("/guides?order=DESC&limit=2")).body)).toEqual([205, 204]);
  });

  it.each(["limit=0", "limit=-1", "limit=ten", "limit=1.5", "offset=-1", "offset=x", "order=UP", "modifiedSince=now"])(
    "refuses %s",
    async (query) => {
      const { get } = await startService();
      expect(await get(`/guides?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ code: "invalid_value" }] },
      });
    },
  );

  it("uses the first 50 guideids, ignores filters with them, and leaves unknown ones out", async () => {
    const { get } = await filled(60);
    const wanted = [999, ...Array.from({ length: 55 }, (_, index) => index + 1)].join(",");
    const { body } = await get(`/guides?guideids=${wanted}&filter=teardown&limit=1`);
    expect(ids(body)).toEqual(Array.from({ length: 49 }, (_, index) => index + 1));
  });

  it("filters by type, an unknown one matching nothing, and by modifiedSince, inclusive", async () => {
    let now = 1_000_000;
    const { sandbox, get } = await startService({ now: () => now });
    sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Frames", contents: "" });
    sandbox.edit.createGuide({ category: "Frames", type: "teardown", public: true });
    now = 2_000_000;
    sandbox.edit.createGuide({ category: "Frames", type: "repair", public: true });
    expect(ids((await get("/guides?filter=repair,technique")).body)).toEqual([2]);
    expect((await get("/guides?filter=nothing")).body).toEqual([]);
    expect(ids((await get("/guides?modifiedSince=2000")).body)).toEqual([2]);
    expect(ids((await get("/guides?modifiedSince=1000")).body)).toEqual([1, 2]);
  });

  it("leaves hidden rows of the caller's list out after paging, so that a page is short before the end", async () => {
    const { send, get, makeGuide } = await startService();
    const first = await makeGuide();
    for (let more = 0; more < 2; more += 1) await makeGuide();
    await send("DELETE", `/guides/1?revisionid=${first.guide_revisionid}`);
    expect(ids((await get("/user/guides?limit=2")).body)).toEqual([2]);
    expect(ids((await get("/user/guides?limit=2&offset=2")).body)).toEqual([3]);
  });

  it("lists featured guides, tags in order of creation, users, and wikis of a namespace by title", async () => {
    const { send, get, makeGuide, makeWiki } = await startService();
    await makeGuide({ public: true, flags: ["GUIDE_STARRED"] });
    await makeGuide({ public: true });
    expect(ids((await get("/guides/featured")).body)).toEqual([1]);
    for (const tag of ["zebrano", "ash", "oak"]) await send("PUT", "/guides/1/tag", { tag });
    expect((await get("/tags")).body).toEqual(["zebrano", "ash", "oak"]);
    expect((await get("/tags?order=DESC&limit=1")).body).toEqual(["oak"]);
    expect((await get("/guides/1/tags")).body).toEqual(["ash", "oak", "zebrano"]);
    expect((await get("/users")).body).toMatchObject([{ username: "Sandbox Admin" }]);
    for (const title of ["Wood", "Glue"]) await makeWiki("WIKI", title);
    expect((await get("/wikis/WIKI")).body.map((wiki: { title: string }) => wiki.title)).toEqual(["Glue", "Wood"]);
    expect((await get("/wikis/WIKI?display=titles&limit=1")).body).toEqual(["Glue"]);
    expect((await get("/wikis/WIKI?display=pictures")).status).toBe(400);
  });

  it("lets a test move a list while somebody pages through it", async () => {
    const { sandbox, get } = await filled(3);
    sandbox.faults.beforeList(({ path, query }) => {
      if (path === "/guides" && query.includes("offset=2")) sandbox.edit.deleteGuide(1);
    });
    expect(ids((await get("/guides?limit=2")).body)).toEqual([1, 2]);
    expect(ids((await get("/guides?limit=2&offset=2")).body)).toEqual([]);
    sandbox.faults.clear();
    expect(ids((await get("/guides")).body)).toEqual([2, 3]);
  });
});
