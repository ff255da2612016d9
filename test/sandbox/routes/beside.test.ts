import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

describe("what is not in the specification but known", () => {
  it("searches titles and summaries, page by page, by kinds", async () => {
    const { get } = await startService({ site: SAMPLE_SITE });
    const all = (await get("/search/WREN?limit=3")).body;
    expect(all).toMatchObject({ search: "WREN", limit: 3, offset: 0, moreResults: true, results: [{}, {}, {}] });
    const total = Number(all["totalResults"]);
    expect((await get(`/search/wren?offset=${total - 1}`)).body).toMatchObject({ moreResults: false, results: [{}] });
    const categories = (await get("/search/wren?filter=category")).body["results"] as readonly object[];
    expect(categories).toMatchObject([{ namespace: "CATEGORY" }, {}, {}, {}]);
    expect((await get("/search/drive?filter=guide")).body["results"]).toMatchObject([{ guideid: 11, public: false }]);
    expect((await get("/search/drive?filter=guide", null)).body["results"]).toEqual([]);
    expect((await get("/search/teardown?filter=teardown")).body["results"]).toMatchObject([{ guideid: 21 }]);
    expect((await get("/search/wren?filter=question")).body["results"]).toEqual([]);
  });

  it("suggests at most ten, and a guide by its number", async () => {
    const { get } = await startService({ site: SAMPLE_SITE });
    expect((await get("/suggest/e?doctypes=all")).body["results"]).toHaveLength(10);
    expect((await get("/suggest/guideid:11?doctypes=guide")).body["results"]).toMatchObject([{ guideid: 11 }]);
    expect((await get("/suggest/guideid:11?doctypes=guide", null)).body["results"]).toEqual([]);
    expect((await get("/suggest/e")).status).toBe(400);
    expect((await get("/suggest/e?doctypes=loom")).status).toBe(400);
  });

  it("has teams whose members come and go, collections, and limits of uploads", async () => {
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE });
    const members = (answer: readonly { readonly [other: string]: unknown }[]) => answer.map((one) => one["userid"]);
    expect(members((await get("/teams/2")).body)).toEqual([1, 3, 11]);
    const mio = sandbox.tokenOf(11);
    expect(members((await send("PUT", "/teams/1/users/11", undefined, mio)).body)).toEqual([1, 5, 11]);
    expect((await send("DELETE", "/teams/1/users/5", undefined, mio)).status).toBe(403);
    expect(members((await send("DELETE", "/teams/1/users/5")).body)).toEqual([1, 11]);
    expect((await send("PUT", "/teams/1/users/404")).status).toBe(404);
    expect((await send("PUT", "/teams/77/users/11")).status).toBe(404);
    expect((await get("/teams?newMemberSince=1")).body).toMatchObject([{ teamid: 2 }]);
    expect((await get("/collections")).body).toMatchObject([
      { guides: [{ guideid: 1 }, { guideid: 12 }, { guideid: 11 }] },
    ]);
    expect((await get("/collections", null)).body).toMatchObject([{ guides: [{ guideid: 1 }, { guideid: 12 }] }]);
    expect((await get("/user/media/constraints")).body).toMatchObject({ image: { minWidth: 50, minHeight: 50 } });
    expect((await get("/wikis/CATEGORY/Wren 40/identification")).body).toMatchObject({ title: "Wren 40" });
    expect((await get("/wikis/CATEGORY/No such/identification")).status).toBe(404);
  });
});
