import { describe, expect, it } from "vitest";
import { withResolvers } from "../helpers/with-resolvers.js";
import { type Service, startService } from "./service.js";

const WIKI = { namespace: "WIKI", title: "Glue", contents: "" };

const titles = (service: Service) => service.sandbox.state().wikis.map((wiki) => wiki["title"]);

describe("faults", () => {
  it("answer a status instead of doing the work, with Retry-After in seconds or as a date", async () => {
    const service = await startService();
    const date = "Fri, 20 Nov 2026 12:00:00 GMT";
    service.sandbox.faults.inject({ kind: "status", status: 429, retryAfter: 2 });
    service.sandbox.faults.inject({ kind: "status", status: 503, retryAfter: date, body: { message: "later" } });
    service.sandbox.faults.inject({ kind: "status", status: 401, body: { message: "Invalid login" } });
    const answers = [];
    for (let time = 0; time < 4; time += 1) answers.push(await service.send("POST", "/wikis", WIKI));
    expect(answers.map((answer) => [answer.status, answer.headers.get("retry-after")])).toEqual([
      [429, "2"],
      [503, date],
      [401, null],
      [201, null],
    ]);
    expect(titles(service)).toEqual(["Glue"]);
  });

  it("answer a status after the work was done", async () => {
    const service = await startService();
    service.sandbox.faults.inject({ kind: "status", status: 502, applied: true });
    expect((await service.send("POST", "/wikis", WIKI)).status).toBe(502);
    expect(titles(service)).toEqual(["Glue"]);
  });

  it.each([
    [false, []],
    [true, ["Glue"]],
  ])("reset the connection, the write applied: %s", async (applied, left) => {
    const service = await startService();
    service.sandbox.faults.inject({ kind: "reset", applied }, { writes: true });
    expect((await service.get("/wikis/WIKI")).status).toBe(200);
    await expect(service.send("POST", "/wikis", WIKI)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(titles(service)).toEqual(left);
    expect(service.sandbox.recorded.at(-1)).toMatchObject({ method: "POST", status: undefined, fault: "reset" });
  });

  it("cut the body short of its length", async () => {
    const service = await startService();
    service.sandbox.faults.inject({ kind: "truncate" });
    await expect(service.get("/sites/info")).rejects.toThrow();
    expect((await service.get("/sites/info")).status).toBe(200);
  });

  it("send JSON that stops in the middle, with status 200", async () => {
    const { sandbox } = await startService();
    sandbox.faults.inject({ kind: "garbage" });
    const response = await fetch(`${sandbox.url}/sites/info`);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  it("answer late", async () => {
    const { sandbox, get } = await startService();
    sandbox.faults.inject({ kind: "delay", milliseconds: 30 });
    expect((await get("/sites/info")).body.name).toBe("sandbox");
    expect(sandbox.recorded).toMatchObject([{ status: 200, fault: "delay" }]);
  });

  it("never answer, until the sandbox closes", async () => {
    const { sandbox, get } = await startService();
    const hanging = withResolvers();
    sandbox.faults.inject({ kind: "stall", reached: hanging.resolve });
    const stalled = get("/sites/info").then(
      () => "answered",
      () => "cut off",
    );
    await hanging.promise;
    await get("/sites/info");
    await sandbox.close();
    expect(await stalled).toBe("cut off");
  });

  it("never answer, and say when the work is done that nobody hears of", async () => {
    const service = await startService();
    const hanging = withResolvers();
    service.sandbox.faults.inject({ kind: "stall", applied: true, reached: hanging.resolve });
    const sent = expect(service.send("POST", "/wikis", WIKI)).rejects.toThrow();
    await hanging.promise;
    expect(titles(service)).toEqual(["Glue"]);
    await service.sandbox.close();
    await sent;
  });

  it("meet the requests that fit and are gone after their times", async () => {
    const { sandbox, get, send } = await startService();
    sandbox.faults.inject({ kind: "status", status: 500 }, { path: /^\/wikis\//g, times: 2 });
    sandbox.faults.inject({ kind: "status", status: 501 }, { path: "/guides", method: "POST" });
    sandbox.faults.inject({ kind: "status", status: 502 }, { number: 5 });
    const statuses = [
      (await get("/wikis/WIKI")).status,
      (await get("/guides")).status,
      (await get("/wikis/ITEM")).status,
      (await send("POST", "/guides", {})).status,
      (await get("/guides")).status,
      (await get("/wikis/ITEM")).status,
    ];
    expect(statuses).toEqual([500, 200, 500, 501, 502, 200]);
    sandbox.faults.inject({ kind: "status", status: 500 });
    sandbox.faults.clear();
    expect((await get("/guides")).status).toBe(200);
  });

  it("are decided by a callback that sees every request with its number", async () => {
    const { sandbox, get } = await startService();
    const seen: string[] = [];
    sandbox.faults.decide(({ number, method, path, query, isApi }) => {
      seen.push(`${number} ${method} ${path} ${query} ${isApi}`);
      return number === 2 ? { kind: "status", status: 500 } : undefined;
    });
    expect((await get("/guides?limit=1")).status).toBe(200);
    expect((await get("/guides")).status).toBe(500);
    expect((await fetch(`${sandbox.origin}/media/none.full`)).status).toBe(404);
    expect(seen).toEqual(["1 GET /guides limit=1 true", "2 GET /guides  true", "3 GET /media/none.full  false"]);
  });

  it("meet media too", async () => {
    const { sandbox } = await startService();
    sandbox.faults.inject({ kind: "reset", applied: false }, { path: /^\/media\// });
    await expect(fetch(`${sandbox.origin}/media/none.full`)).rejects.toThrow();
  });
});

describe("the record of requests", () => {
  it("holds order, time, status, sizes and the kind of login, and never a token", async () => {
    const { sandbox, send, get } = await startService();
    await send("POST", "/wikis", WIKI);
    await get("/guides?order=UP", null);
    expect(sandbox.recorded).toMatchObject([
      {
        number: 1,
        method: "POST",
        path: "/wikis",
        status: 201,
        authorization: "api",
        received: JSON.stringify(WIKI).length,
      },
      { number: 2, method: "GET", path: "/guides", query: "order=UP", status: 422, authorization: "none", isApi: true },
    ]);
    const [first, second] = sandbox.recorded;
    expect(second?.at).toBeGreaterThanOrEqual(first?.at ?? Number.POSITIVE_INFINITY);
    expect(JSON.stringify(sandbox.recorded)).not.toContain(sandbox.token);
  });
});

describe("the rate limit", () => {
  it("answers 429 to what is too much for its window, with Retry-After, and nothing of it is done", async () => {
    const service = await startService({ rateLimit: { requests: 2, perMs: 60_000 } });
    await service.get("/guides");
    await service.send("POST", "/wikis", WIKI);
    const refused = await service.send("POST", "/wikis", { ...WIKI, title: "Wood" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(titles(service)).toEqual(["Glue"]);
  });

  it("takes requests again when the window has moved on", async () => {
    let now = 0;
    const rateLimit = { requests: 1, perMs: 1000, retryAfter: false };
    const { get } = await startService({ rateLimit, now: () => now });
    const first = await get("/guides");
    now = 999;
    const second = await get("/guides");
    now = 1000;
    const third = await get("/guides");
    expect([first, second, third].map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(second.headers.get("retry-after")).toBe(null);
  });
});
