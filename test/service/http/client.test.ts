import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConnectionError, FerryError, StatusError } from "../../../src/core/errors.js";
import { createClient, segment } from "../../../src/service/http/client.js";
import { Secret } from "../../../src/service/http/secret.js";
import { json, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

describe("a call", () => {
  it("goes to its path below the root, with its query", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, [1]));
    const { client } = testStack(origin);
    expect(client.root).toBe(`${origin}/api/2.0`);
    const query = {
      limit: 200,
      order: "DESC",
      filter: "a b&c",
      excludePrerequisiteSteps: true,
      offset: undefined,
    } as const;
    expect(await client.get("guides", { query }, forever)).toEqual({
      attempts: 1,
      status: 200,
      json: [1],
      text: "[1]",
      type: "application/json",
    });
    await client.get(`/wikis/CATEGORY/${segment("Bread & Butter/50%")}`, {}, forever);
    expect(arrivals.map(({ path }) => path)).toEqual([
      "/api/2.0/guides?limit=200&order=DESC&filter=a%20b%26c&excludePrerequisiteSteps=true",
      "/api/2.0/wikis/CATEGORY/Bread%20%26%20Butter%2F50%25",
    ]);
  });

  it("carries JSON", async () => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const call = { method: "PATCH", path: "guides/5", query: { revisionid: 7 }, json: { title: "Ü" } } as const;
    await testStack(origin).client.send(call, forever);
    expect(arrivals[0]).toMatchObject({
      method: "PATCH",
      path: "/api/2.0/guides/5?revisionid=7",
      body: '{"title":"Ü"}',
    });
    expect(arrivals[0]?.headers["content-type"]).toBe("application/json");
  });

  it("carries a file, opened anew for every try", async () => {
    const { origin, arrivals } = await localServer((_, response, count) =>
      count === 1 ? json(response, {}, 503) : json(response, { id: 9 }),
    );
    let opened = 0;
    const file = {
      open: () => {
        opened += 1;
        return Readable.from([Buffer.from("picture")]);
      },
      size: 7,
      type: "image/png",
    };
    const call = { method: "POST", path: "user/media/images", query: { file: "a.png" }, file } as const;
    expect((await testStack(origin).client.send(call, forever)).json).toEqual({ id: 9 });
    expect(opened).toBe(2);
    expect(arrivals.map(({ body }) => body)).toEqual(["picture", "picture"]);
    expect(arrivals[1]?.headers).toMatchObject({ "content-type": "image/png", "content-length": "7" });
  });

  it("gives an empty answer as one without JSON", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(204).end());
    const answer = await testStack(origin).client.send({ method: "DELETE", path: "guides/5" }, forever);
    expect(answer).toEqual({ status: 204, json: undefined, text: "", attempts: 1 });
  });

  it("says what the site said, also where errors are XML", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(404, { "content-type": "text/xml" }).end("<error><message>No such guide</message></error>");
    });
    const call = testStack(origin).client.get("guides/5", { query: { type: "XML" } }, forever);
    expect((await failureOf(call)).message).toContain("was answered 404 Not Found: No such guide.");
  });

  it("gives a status that is expected as an answer", async () => {
    const { origin } = await localServer((_, response) => json(response, { revisionid: 8 }, 409));
    const call = { method: "PATCH", path: "guides/5", json: {}, expect: [409] } as const;
    expect(await testStack(origin).client.send(call, forever)).toMatchObject({ status: 409, json: { revisionid: 8 } });
  });
});

describe("segment", () => {
  it("makes one part of a path of any title", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (title) => {
        fc.pre(title !== "." && title !== "..");
        const { pathname } = new URL(`https://site.example/api/2.0/wikis/WIKI/${segment(title)}/tags`);
        const part = pathname.split("/")[5] ?? "";
        expect(pathname.split("/")).toHaveLength(7);
        expect(decodeURIComponent(part)).toBe(title);
      }),
    );
  });

  it.each(["", ".", "..", "\ud800"])("refuses %j, which no address can name", (title) => {
    expect(() => segment(title)).toThrow(FerryError);
  });
});

describe("a refusal", () => {
  async function refusal(status: number, body: unknown, headers: Record<string, string> = {}) {
    const { origin } = await localServer((_, response) => json(response, body, status, headers));
    const failure = await failureOf(testStack(origin).client.get("guides/5", {}, forever));
    expect(failure).toBeInstanceOf(StatusError);
    return { failure, message: failure.message.replaceAll(origin, "https://site.example") };
  }

  it("of a signed-in account says what to do about its rights", async () => {
    const { origin } = await localServer((_, response) => json(response, {}, 403));
    const credentials = { kind: "token", token: new Secret("sesame-77"), scheme: "api" } as const;
    const failure = await failureOf(testStack(origin, { credentials }).client.get("guides/5", {}, forever));
    expect(failure.message).toContain(
      "The account of GUIDEFERRY_SOURCE_TOKEN is not allowed to do this: give it the right",
    );
  });

  it("says what was asked, what the site said, and what to do", async () => {
    const { failure, message } = await refusal(403, { message: "Guide is private." });
    expect(message).toBe(
      "GET https://site.example/api/2.0/guides/5 was answered 403 Forbidden: Guide is private. This request needs a sign-in: set GUIDEFERRY_SOURCE_TOKEN to the token of an account that is allowed to do this.",
    );
    expect(failure).toMatchObject({
      status: 403,
      body: { message: "Guide is private." },
      exitCode: 3,
      retriable: false,
    });
  });

  it.each([
    [{ message: "Endpoint not found" }, /404 Not Found: Endpoint not found\. /],
    [{ error: true, msg: "Old shape" }, /: Old shape\./],
    [
      { message: "Bad", errors: [{ field: "title", message: "is missing" }, { code: "too_long" }] },
      /: Bad; title: is missing; too_long\./,
    ],
    [{ errors: [{ field: "lines", index: 2, message: "no text" }] }, /: lines 3: no text\./],
    [{ message: "No", requiredPrivileges: ["Admin", "Moderator"] }, /: No; needs Admin or Moderator\./],
    [{ message: "Two\nlines \u001b[31mred" }, /: Two lines \[31mred\./],
    [{}, /404 Not Found\. It does not exist/],
    [[], /404 Not Found\. /],
    ["text", /404 Not Found\. /],
    [null, /404 Not Found\. /],
  ])("reads the error body %j", async (body, expected) => {
    expect((await refusal(404, body)).message).toMatch(expected);
  });

  it("shortens a long complaint", async () => {
    expect((await refusal(422, { message: "x".repeat(5000) })).message.length).toBeLessThan(500);
  });

  it("carries the current resource of a 409 untouched", async () => {
    const current = { guideid: 5, guide_revisionid: 12, title: "Theirs" };
    expect((await refusal(409, current)).failure).toMatchObject({ status: 409, body: current });
  });

  it("keeps a body that is not JSON as text", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>");
    });
    const failure = await failureOf(testStack(origin).client.get("guides/5", {}, forever));
    expect(failure).toMatchObject({ status: 404, body: "<h1>Not here</h1>" });
  });

  it.each([
    ["https://site.example/Login?url=x", 5, /requires a sign-in: set GUIDEFERRY_SOURCE_TOKEN/],
    ["https://www.site.example/api/2.0/guides/5", 2, /redirect to https:\/\/www\.site\.example.*is the API root right/],
  ])("may be a redirect to %s, which is not followed", async (location, exitCode, reason) => {
    const { failure, message } = await refusal(302, {}, { location });
    expect(failure).toMatchObject({ status: 302, exitCode });
    expect(message).toMatch(reason);
  });
});

describe("a web page in place of the API", () => {
  it("is an error, whatever its status says", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>Welcome</html>");
    });
    const failure = await failureOf(testStack(origin).client.get("site", {}, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ exitCode: 9 });
    expect(failure.message).toMatch(/web page.*Is the API root right/);
    expect(arrivals).toHaveLength(1);
  });
});

describe("an answer", () => {
  const url = new URL("https://site.example/api/2.0/guides");
  const answer = { status: 200, headers: {}, url, bytes: 2, text: "{}", json: {} };
  const clientOf = (transport: () => Promise<typeof answer>) => createClient({ root: url.origin, transport });

  it("is worked on after the next request on its connection was sent", async () => {
    const order: string[] = [];
    const client = clientOf(async () => {
      // Undici sends it in an immediate that it sets before it hands over the answer.
      setImmediate(() => order.push("sent"));
      return answer;
    });
    await client.get("guides", {}, forever).then(() => order.push("worked on"));
    expect(order).toEqual(["sent", "worked on"]);
  });

  it("is worked on in a turn of the event loop in which no other one is", async () => {
    let turn = 0;
    const count = (): void => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    onTestFinished(() => clearImmediate(ticking));
    const client = clientOf(async () => answer);
    const turns = Array.from({ length: 5 }, () => client.get("guides", {}, forever).then(() => turn));
    expect(new Set(await Promise.all(turns)).size).toBe(5);
  });
});
