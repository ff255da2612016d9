import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

const INVALID_LOGIN = { message: "Invalid login" };

describe("who may do what", () => {
  it("takes the token after the word api and after the word Bearer, and no other word", async () => {
    const { sandbox } = await startService();
    const status = async (authorization: string) =>
      (await fetch(`${sandbox.url}/user`, { headers: { authorization } })).status;
    expect(await status(`api ${sandbox.token}`)).toBe(200);
    expect(await status(`Bearer ${sandbox.token}`)).toBe(200);
    expect(await status(`Token ${sandbox.token}`)).toBe(401);
    expect(await status(`api ${sandbox.token}0`)).toBe(401);
  });

  it("answers 401 with the known message to everything that needs a login", async () => {
    const { send, get } = await startService();
    for (const path of ["/user", "/user/guides", "/user/flags", "/user/media/images"]) {
      expect(await get(path, null)).toMatchObject({ status: 401, body: INVALID_LOGIN });
    }
    expect(await send("POST", "/guides", {}, null)).toMatchObject({ status: 401, body: INVALID_LOGIN });
    expect(await get("/guides", "0123456789abcdef")).toMatchObject({ status: 401, body: INVALID_LOGIN });
  });

  it("signs in with e-mail and password and ends the token at logout", async () => {
    const { sandbox, send, get } = await startService();
    const { email, password, userid } = sandbox.credentials;
    const login = await send("POST", "/user/token", { email, password }, null);
    expect(login).toMatchObject({ status: 201, body: { userid, authToken: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    const { authToken } = login.body;
    const user = await get("/user", authToken);
    expect(user.body).toMatchObject({ userid, privileges: ["User", "Moderator", "Admin"] });
    expect(user.body).not.toHaveProperty("authToken");
    expect((await send("DELETE", "/user/token", undefined, authToken)).status).toBe(204);
    expect((await get("/user", authToken)).status).toBe(401);
    expect((await send("POST", "/user/token", { email, password: "wrong" }, null)).status).toBe(401);
    expect((await send("POST", "/user/token", { email }, null)).status).toBe(422);
  });

  it("looks at the app id before the password", async () => {
    const { sandbox, send } = await startService({ dialect: "ifixit" });
    const { email, password } = sandbox.credentials;
    const refused = await send("POST", "/user/token", { email, password: "wrong" }, null);
    expect(refused).toMatchObject({ status: 400, body: { message: "Invalid app id" } });
    const headers = { "x-app-id": "sandbox-app" };
    const body = JSON.stringify({ email, password });
    expect((await fetch(`${sandbox.url}/user/token`, { method: "POST", headers, body })).status).toBe(201);
    expect(sandbox.recorded.map((request) => request.hasAppId)).toEqual([false, true]);
  });

  it("ends tokens after their lifetime and when a test says so", async () => {
    let now = 0;
    const { sandbox, get } = await startService({ tokenLifetime: 1000, now: () => now });
    expect((await get("/user")).status).toBe(200);
    now = 1000;
    expect((await get("/user")).status).toBe(401);
    now = 0;
    sandbox.expireTokens();
    expect((await get("/user")).status).toBe(401);
  });

  it("shows nothing of a private site to anonymous readers, but lets them sign in", async () => {
    const { sandbox, get, send } = await startService({ private: true });
    for (const path of ["/guides", "/sites/info", "/wikis/WIKI", "/tags", "/guides/1"]) {
      expect(await get(path, null)).toMatchObject({ status: 401, body: INVALID_LOGIN });
    }
    const { email, password } = sandbox.credentials;
    expect((await send("POST", "/user/token", { email, password }, null)).status).toBe(201);
  });

  it("hides private guides from anonymous readers and from accounts that are no admin", async () => {
    const { sandbox, get, makeGuide } = await startService({ account: { admin: false } });
    const own = await makeGuide();
    const hidden = sandbox.edit.createGuide({ category: "Frames", type: "how-to" });
    expect((await get(`/guides/${own.guideid}`)).status).toBe(200);
    expect(await get(`/guides/${hidden}`)).toMatchObject({ status: 403, body: { message: "Guide is private." } });
    expect((await get(`/guides/${own.guideid}`, null)).status).toBe(403);
    expect((await get("/guides?includePrivate=true")).body).toEqual([]);
    expect((await get("/user/guides")).body).toMatchObject([{ guideid: own.guideid, public: false }]);
  });

  it("lists archived guides but does not open them for the public", async () => {
    const { get, makeGuide } = await startService({ dialect: "dozuki" });
    const { guideid } = await makeGuide({ public: true, flags: ["GUIDE_ARCHIVED"] });
    expect((await get("/guides", null)).body).toMatchObject([{ guideid, isArchived: true }]);
    expect((await get(`/guides/${guideid}`, null)).status).toBe(403);
    expect((await get(`/guides/${guideid}`)).status).toBe(200);
  });

  it("lists at most some 1,200 people of an ifixit site", async () => {
    const { get } = await startService({ dialect: "ifixit" });
    expect((await get("/users?offset=1000")).body).toEqual([]);
    expect((await get("/users?offset=1001")).status).toBe(422);
  });

  it("gives an admin private guides only when asked for them", async () => {
    const { get, makeGuide } = await startService();
    const { guideid } = await makeGuide();
    expect((await get("/guides")).body).toEqual([]);
    expect((await get("/guides?includePrivate=false")).body).toEqual([]);
    expect((await get("/guides?includePrivate=true")).body).toMatchObject([{ guideid }]);
    expect((await get("/guides?includePrivate=true", null)).body).toEqual([]);
  });

  it("keeps moderators' and admins' calls from other accounts", async () => {
    const { send, makeGuide } = await startService({ account: { admin: false } });
    const { guideid } = await makeGuide();
    const tag = await send("PUT", `/guides/${guideid}/tag`, { tag: "oak" });
    expect(tag).toMatchObject({ status: 403, body: { requiredPrivileges: ["Moderator"] } });
    expect((await send("POST", `/guides/${guideid}/en/restore`)).status).toBe(403);
  });

  it("tells a path that does not exist from a method that a path does not have, and bad JSON from bad fields", async () => {
    const { get, send, sandbox } = await startService();
    for (const path of ["/nothing", "/guides/abc", "/wikis/PAGE", "/guides/1/nothing", "/approvals/nothing"]) {
      expect(await get(path)).toMatchObject({ status: 404, body: { message: "Endpoint not found" } });
    }
    const wrong = await send("PUT", "/guides");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST");
    const headers = { authorization: `api ${sandbox.token}` };
    const broken = await fetch(`${sandbox.url}/guides`, { method: "POST", headers, body: "{" });
    expect(broken.status).toBe(400);
    expect((await send("POST", "/guides", [])).status).toBe(422);
  });

  it("indents with pretty and answers XML, also its errors, when asked", async () => {
    const { sandbox, get, makeGuide } = await startService();
    const { guideid } = await makeGuide({ title: "Tongue & groove" });
    const pretty = await fetch(`${sandbox.url}/tags?pretty`);
    expect(await pretty.text()).toBe("[]");
    const xml = await get(`/guides/${guideid}?type=xml`);
    expect(xml.headers.get("content-type")).toContain("application/xml");
    expect(xml.body).toContain(">Tongue &amp;amp; groove</title>");
    expect((await get("/guides/99?type=XML")).body).toContain("<error><message>Guide not found.</message></error>");
    expect((await get(`/guides/${guideid}?type=yaml`)).status).toBe(400);
  });
});
