import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

describe("people", () => {
  it("are found by name, e-mail address and numbers of other systems", async () => {
    const { get } = await startService({ site: SAMPLE_SITE });
    expect((await get("/users/search/SAND")).body).toMatchObject([{ userid: 11 }, { username: "Sandbox Admin" }]);
    expect((await get("/users/searchnames/odile")).body).toMatchObject([{ userid: 5, username: "Odile Fennwick" }]);
    expect((await get("/users/search/jory")).body).toEqual([]);
    for (const path of ["/users/email/mio@loomworks.example", "/users/sso/mio.sandgrube", "/users/employee_id/L-011"]) {
      expect((await get(path)).body).toMatchObject({ userid: 11, username: "Mio Sandgrube" });
    }
    expect((await get("/users/email/nobody@loomworks.example")).status).toBe(404);
    expect((await get("/users?joinedSince=1600000000")).body).toMatchObject([{ userid: 11 }]);
  });

  it("keep their addresses to themselves and to admins", async () => {
    const { get, sandbox } = await startService({ site: SAMPLE_SITE });
    const seen = async (token: string | null) => JSON.stringify((await get("/users/11", token)).body).includes("mio@");
    expect(await Promise.all([seen(sandbox.token), seen(sandbox.tokenOf(11))])).toEqual([true, true]);
    expect(await Promise.all([seen(sandbox.tokenOf(3)), seen(null)])).toEqual([false, false]);
    for (const path of ["/users", "/guides/1", "/teams/2"]) {
      expect(JSON.stringify((await get(path)).body)).not.toContain("@loomworks.example");
    }
    expect((await get("/user", sandbox.tokenOf(11))).body["email"]).toBe("mio@loomworks.example");
  });

  it("earn badges, earned ones first", async () => {
    const { get } = await startService({ site: SAMPLE_SITE });
    expect((await get("/users/5/badges")).body).toMatchObject([
      { earned: true, times_earned: 1, badge: { badgeid: 1 } },
      { earned: true, times_earned: 3, date: 1_712_000_000, badge: { badgeid: 2 } },
      { earned: false, times_earned: 0, date: null, badge: { badgeid: 3 } },
    ]);
    expect((await get("/user/badges?category=badgeGeneral")).body).toMatchObject([{ badge: { badgeid: 3 } }]);
    expect((await get("/user/badges?category=gold")).status).toBe(400);
    expect((await get("/users/404/badges")).status).toBe(404);
  });
});

describe("favourites and completions", () => {
  it("are set once and taken back, and show in the guide", async () => {
    let now = 100;
    const { send, get, sandbox } = await startService({ site: SAMPLE_SITE, now: () => now * 1000 });
    const mine = async (list: string) => (await get(`/user/${list}`)).body;
    expect((await send("PUT", "/user/favorites/guides/404", {})).status).toBe(404);
    expect((await send("PUT", "/user/favorites/guides/1", { langid: "de" })).status).toBe(404);
    expect((await send("PUT", "/user/favorites/guides/12", { langid: "de" })).status).toBe(204);
    now += 5;
    expect((await send("PUT", "/user/favorites/guides/1", {})).status).toBe(204);
    expect((await send("PUT", "/user/favorites/guides/12", {})).status).toBe(204);
    expect(await mine("favorites/guides")).toMatchObject([
      { date: 105, guide: { guideid: 1 } },
      { date: 100, guide: { guideid: 12 } },
    ]);
    expect((await get("/guides/1")).body["favorited"]).toBe(true);
    expect((await get("/guides/1", null)).body["favorited"]).toBe(false);
    expect((await send("DELETE", "/user/favorites/guides/1")).status).toBe(204);
    expect((await send("DELETE", "/user/favorites/guides/1")).status).toBe(204);
    expect(await mine("favorites/guides")).toHaveLength(1);
    for (const guideid of [2, 1, 1]) expect((await send("PUT", `/guides/${guideid}/completed`)).status).toBe(204);
    expect((await send("PUT", "/guides/404/completed")).status).toBe(404);
    expect(await mine("completions")).toMatchObject([{ guideid: 1 }, { guideid: 2 }]);
    expect((await mine("completions"))[0]).not.toHaveProperty("date");
    expect((await send("DELETE", "/guides/1/completed")).status).toBe(204);
    expect(await mine("completions")).toHaveLength(1);
    expect((await get("/users/11/completions")).body).toMatchObject([{ guideid: 1 }, { guideid: 24 }]);
    // What is deleted goes from a page after it was cut.
    sandbox.edit.deleteGuide(1);
    expect((await get("/users/11/completions?limit=1")).body).toEqual([]);
    expect((await get("/users/11/favorites/guides")).body).toMatchObject([{ guide: { guideid: 25 } }]);
  });

  it("are refused with 420 when they come too quickly, each person for itself", async () => {
    let now = 100;
    const { send, sandbox } = await startService({ site: SAMPLE_SITE, completionsPerHour: 2, now: () => now * 1000 });
    const complete = async (guideid: number, token = sandbox.token) =>
      (await send("PUT", `/guides/${guideid}/completed`, {}, token)).status;
    expect([await complete(1), await complete(2), await complete(3), await complete(2)]).toEqual([204, 204, 420, 204]);
    expect(await complete(3, sandbox.tokenOf(5))).toBe(204);
    now += 3600;
    expect(await complete(3)).toBe(204);
  });

  it("of private guides are seen by those who see the guide", async () => {
    const { get, sandbox } = await startService({ site: SAMPLE_SITE });
    expect((await get("/users/3/favorites/guides")).body).toHaveLength(1);
    expect((await get("/users/3/favorites/guides", null)).body).toEqual([]);
    expect((await get("/users/3/favorites/guides", sandbox.tokenOf(3))).body).toHaveLength(1);
  });
});

describe("the view history", () => {
  it("is asked for by person or document, and between two moments", async () => {
    const { get } = await startService({ site: SAMPLE_SITE });
    const dates = async (path: string) => (await get(`/user_view_history/${path}`)).body.map((row) => row["date"]);
    expect(await dates("user/11")).toEqual([1_719_090_000, 1_719_176_400, 1_719_180_000, 1_719_262_800]);
    expect(await dates("guide/1")).toEqual([1_719_000_000, 1_719_090_000, 1_719_262_800]);
    expect(await dates("wiki/618")).toEqual([1_719_180_000]);
    expect(await dates("user/11?start_date=1719176400&end_date=1719180000")).toEqual([1_719_176_400, 1_719_180_000]);
    expect((await get("/user_view_history/user/77?start_date=yesterday")).status).toBe(422);
    expect((await get("/user_view_history/user/11?limit=1")).body[0]).toEqual({
      userid: 11,
      username: "Mio Sandgrube",
      doc_type: "GUIDE",
      docid: "1",
      date: 1_719_090_000,
    });
    expect((await get("/user_view_history/course/1")).status).toBe(404);
  });
});
