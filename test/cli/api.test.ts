import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { type Answering, localServer } from "../helpers/local-server.js";
import { runCli } from "../helpers/run-cli.js";
import { type RunHere, runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const TOKEN = "planted-token-5d1e";
const environment = { GUIDEFERRY_SOURCE_TOKEN: TOKEN };

async function site() {
  const sandbox = await startSandbox({ token: TOKEN });
  onTestFinished(() => sandbox.close());
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "x" });
  sandbox.edit.createGuide({ category: "Hand Looms", type: "how-to", title: "Oil the Reed", introduction: "" });
  return sandbox;
}

/** A site that answers everything in one way. */
async function odd(answer: Answering) {
  const server = await localServer(answer);
  const call = (...words: readonly string[]): Promise<RunHere> =>
    runHere(["api", server.origin, ...words], { environment });
  return { server, call };
}

describe("guideferry api", () => {
  it("prints the body as it came on stdout, and status and headers on stderr", async () => {
    const { url } = await site();
    const got = await runCli(["api", url, "get", "/wikis/CATEGORY/Hand Looms?x=1"], { environment });
    expect([got.code, JSON.parse(got.stdout)]).toEqual([0, expect.objectContaining({ title: "Hand Looms" })]);
    const direct = await fetch(`${url}/wikis/CATEGORY/Hand%20Looms?x=1`, {
      headers: { authorization: `api ${TOKEN}` },
    });
    expect(got.stdout).toBe(await direct.text());
    expect(got.stderr).toMatch(
      /^GET \S+\/wikis\/CATEGORY\/Hand%20Looms\?x=1\nHTTP 200 OK\ncontent-type: application\/json/,
    );
    const pretty = await runHere(["api", url, "GET", "guides/1", "--pretty"], { environment });
    expect([pretty.code, pretty.stdout]).toEqual([
      0,
      expect.stringMatching(/^\{\n {2}"guideid": 1,\n|\n {2}"guideid": 1,\n/),
    ]);
  });

  it("writes only with --write, once, and takes the body from the line, a file or stdin", async () => {
    const sandbox = await site();
    const write = ["api", sandbox.url, "PUT", "guides/1/tag", "--data"];
    const refused = await runHere([...write, '{"tag":"a"}'], { environment });
    expect([refused.code, refused.stderr, sandbox.recorded.length]).toEqual([2, expect.stringContaining("--write"), 0]);
    const file = join(await temporaryFolder(), "tag.json");
    await writeFile(file, '{"tag":"b"}');
    const codes = [
      await runHere([...write, '{"tag":"a"}', "--write"], { environment }),
      await runHere([...write, `@${file}`, "--write"], { environment }),
      await runHere([...write, "-", "--write"], { environment, input: '{"tag":"c"}' }),
    ].map(({ code }) => code);
    expect(codes).toEqual([0, 0, 0]);
    const tags = await runHere(["api", sandbox.url, "GET", "guides/1/tags"], { environment });
    expect(["a", "b", "c"].filter((tag) => !tags.stdout.includes(`"${tag}"`))).toEqual([]);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    [
      "a body that is not JSON",
      ["POST", "guides", "--write", "--data", "{hunter2}"],
      2,
      /The text of --data is not JSON/,
    ],
    [
      "a file that does not exist",
      ["POST", "guides", "--write", "--data", "@/no/such/file"],
      10,
      /no\/such\/file: it does not exist/,
    ],
    ["a GET with a body", ["GET", "guides", "--data", "{}"], 2, /GET has no body/],
    ["another method", ["TRACE", "guides"], 2, /"TRACE" is not a method/],
    [
      "another host",
      ["GET", "https://evil.example/guides"],
      2,
      /is a complete address, and this command only calls addresses below/,
    ],
    ["a path that goes up", ["GET", "guides/%2e%2e/%2e%2e/admin"], 2, /has a part that leads to another folder/],
  ])("refuses %s and sends nothing", async (_what, words, code, message) => {
    const { server, call } = await odd((_arrival, response) => response.end("{}"));
    const refused = await call(...words);
    expect([refused.code, refused.stdout, server.arrivals.length]).toEqual([code, "", 0]);
    expect(refused.stderr).toMatch(message);
    expect(refused.stderr).not.toContain("hunter2");
  });

  it("refuses a body that is not UTF-8, which the site would get with other characters", async () => {
    const { server, call } = await odd((_arrival, response) => response.end("{}"));
    const file = join(await temporaryFolder(), "guide.json");
    await writeFile(file, Buffer.from('{"title": "Webstühle"}', "latin1"));
    const refused = await call("POST", "guides", "--write", "--data", `@${file}`);
    expect([refused.code, server.arrivals.length]).toEqual([2, 0]);
    expect(refused.stderr).toContain(`${file} is not UTF-8: byte 16 (counted from 0) is 0xFC`);
  });

  it("ends with 3 for other answers, 5 for 401, and 9 where nobody answers; each is asked once", async () => {
    const { url } = await site();
    const absent = await runHere(["api", url, "GET", "guides/99"], { environment });
    expect([absent.code, absent.stderr]).toEqual([3, expect.stringContaining("HTTP 404 Not Found")]);
    expect(absent.stdout).toContain('"message"');
    const expired = await runHere(["api", url, "GET", "user"], {
      environment: { GUIDEFERRY_SOURCE_TOKEN: "expired-token" },
    });
    expect([expired.code, expired.stderr]).toEqual([5, expect.stringContaining("HTTP 401 Unauthorized")]);
    expect(expired.stdout).toContain('"message"');
    const stranger = await runHere(["api", url, "GET", "user"]);
    expect([stranger.code, stranger.stderr]).toEqual([
      5,
      expect.stringContaining("refused the sign-in. Set GUIDEFERRY_SOURCE_TOKEN."),
    ]);
    const { server, call } = await odd((_arrival, response) => response.writeHead(503).end('{"message":"busy"}'));
    for (const words of [
      ["GET", "guides"],
      ["POST", "guides", "--write", "--data", "{}"],
    ]) {
      expect(await call(...words)).toMatchObject({ code: 3, stdout: '{"message":"busy"}' });
    }
    expect(server.arrivals.map(({ method }) => method)).toEqual(["GET", "POST"]);
    const dead = await runHere(["api", "http://127.0.0.1:9", "GET", "guides"], { environment });
    expect([dead.code, dead.stdout]).toEqual([9, ""]);
  });

  it("shows no token: not the one it sends, not one that it is given, in no form and on no stream", async () => {
    const { call, server } = await odd(({ headers }, response) => {
      response.setHeader("set-cookie", "session=planted-cookie");
      response.setHeader("link", `<https://x.example/?t=${TOKEN}>`);
      response.setHeader("content-type", "application/json");
      const echo = Buffer.from(TOKEN).toString("base64");
      response.end(JSON.stringify({ said: headers.authorization, echo, authToken: "planted-new-token" }));
    });
    const got = [
      await call("GET", `guides?token=${TOKEN}`, "--verbose", "--debug"),
      await call("GET", "guides", "--json", "--pretty"),
    ];
    expect(server.arrivals[0]?.headers.authorization).toBe(`api ${TOKEN}`);
    const all = got.map(({ stdout, stderr }) => stdout + stderr).join("");
    expect(all).not.toMatch(/planted-(?:token|cookie|new)/);
    expect(all).not.toContain(Buffer.from(TOKEN).toString("base64").replace(/=+$/, "").slice(0, -2));
    expect(JSON.parse(got[0]?.stdout ?? "")).toEqual({
      said: "api [secret]",
      echo: expect.stringContaining("[secret]"),
      authToken: "[secret]",
    });
    expect(JSON.parse(got[1]?.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      type: "summary",
      status: 200,
      exitCode: 0,
    });
  });

  it("sends no sign-in to a site that it may not be of: with two of them one must be named", async () => {
    const { server } = await odd((_arrival, response) => response.end("{}"));
    const both = { ...environment, GUIDEFERRY_TARGET_TOKEN: "planted-other" };
    const words = ["api", server.origin, "GET", "guides"];
    const asked = await runHere(words, { environment: both });
    expect([asked.code, asked.stderr, server.arrivals.length]).toEqual([2, expect.stringContaining("--as source"), 0]);
    expect((await runHere([...words, "--as", "target"], { environment: both })).code).toBe(0);
    expect((await runHere(words, { environment: { GUIDEFERRY_TARGET_TOKEN: "planted-other" } })).code).toBe(0);
    expect(server.arrivals.map(({ headers }) => headers.authorization)).toEqual([
      "api planted-other",
      "api planted-other",
    ]);
  });

  it("shows damaged JSON and web pages as they are, and no pictures", async () => {
    const bodies: readonly (readonly [string, string, number])[] = [
      ["application/json", '{"half":', 0],
      ["text/html", "<h1>Sign in</h1>", 0],
      ["application/json", "", 0],
      ["image/png", "\u0089PNG\0\0", 3],
    ];
    const { call } = await odd((_arrival, response, at) => {
      const [type = "", body = ""] = bodies[at - 1] ?? [];
      response.setHeader("content-type", type);
      response.end(Buffer.from(body, "latin1"));
    });
    for (const [, body, code] of bodies)
      expect(await call("GET", "guides")).toMatchObject({ code, stdout: code === 0 ? body : "" });
  });
});
