import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.js";
import { startSandbox } from "../../src/sandbox/index.js";
import { endpointOf } from "../helpers/endpoint-of.js";
import { deadPort, localServer } from "../helpers/local-server.js";
import { type RunHere, runHere } from "../helpers/run-here.js";
import { mostIn } from "../service/helpers/test-queue.js";

const TOKEN = "planted-token-7b3c";
const environment = { GUIDEFERRY_TARGET_TOKEN: TOKEN };

async function site(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ token: TOKEN, ...options });
  onTestFinished(() => sandbox.close());
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "x" });
  for (const [at, title] of ["Oil the Reed", "Warp It"].entries()) {
    sandbox.edit.createGuide({ category: "Looms", type: "how-to", title, public: at === 0 });
  }
  return sandbox;
}

type Line = Readonly<Record<"question" | "state" | "what" | "todo", string>>;

/** Checks with `--json`: the exit code and the lines by question. */
async function check(url: string, words: readonly string[] = [], env: Record<string, string> = environment) {
  const done = await runHere(["check", url, "--json", ...words], { environment: env });
  return { ...done, lines: linesOf(done) };
}

function linesOf({ stdout }: RunHere): Readonly<Record<string, Line>> {
  const objects = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return Object.fromEntries(objects.filter(({ type }) => type === "check").map((line) => [line.question, line]));
}

/** `question: state` of each line that is not as `usual`. */
function others(lines: Readonly<Record<string, Line>>, usual: string): readonly string[] {
  return Object.values(lines)
    .filter(({ state }) => state !== usual)
    .map(({ question, state }) => `${question}: ${state}`);
}

/** The embedded site does not say which languages it has. */
const UNTRIED = "write translations: unknown";
const WRITES = ["write guides", "write steps", "write uploads", "deleted again"];

describe("guideferry check", () => {
  it("answers every question of a good site, writes what the table of endpoints says, and leaves nothing", async () => {
    const sandbox = await site();
    const before = JSON.stringify(sandbox.state().guides);
    const done = await check(sandbox.url, ["--probe-write"]);
    expect([done.code, others(done.lines, "ok"), Object.keys(done.lines).length]).toEqual([0, [UNTRIED], 20]);
    expect(done.lines["content"]?.what).toMatch(/^2 guides, 1 categories, /);
    expect(done.lines["private guides"]?.what).toContain("1 of 2");
    expect(done.lines["account"]?.what).toMatch(/Moderator, Admin; an admin$/);
    expect(done.lines["uploads allowed"]?.what).toMatch(/jpg.*maxBytes 83886080/);
    const written = sandbox.recorded.filter(({ method }) => method !== "GET");
    const creates = written.filter(({ method }) => method !== "PATCH");
    // A guide, its step and a picture; three more pictures for the least size.
    expect(creates.map(({ method }) => method).join(" ")).toBe(
      [...Array.from({ length: 6 }, () => "POST"), ...Array.from({ length: 5 }, () => "DELETE")].join(" "),
    );
    expect(done.lines["step limits"]?.what).toBe(
      "the site takes at most 350 characters in a line, at most 8 lines in a step, images of 800 x 600 pixels or more",
    );
    const uses = written.map(({ method, path }) => endpointOf(`${method} ${path}`)?.use);
    expect(uses.filter((use) => use?.by !== "write" || !use.verbs.includes("check"))).toEqual([]);
    expect(JSON.stringify(sandbox.state().guides)).toBe(before);
    const summary = JSON.parse(done.stdout.trim().split("\n").at(-1) ?? "");
    expect(summary).toMatchObject({ type: "summary", exitCode: 0, ok: 19, failed: 0, site: sandbox.url });
    expect(done.stdout + done.stderr).not.toContain(TOKEN);
  });

  it("only reads unless it is told otherwise, and says what an anonymous reader does not see", async () => {
    const sandbox = await site();
    const done = await runHere(["check", sandbox.url]);
    expect([done.code, sandbox.recorded.filter(({ method }) => method !== "GET")]).toEqual([0, []]);
    expect(done.stdout).toMatch(/^STATE +CHECK +RESULT\nok +reachable /);
    expect(done.stdout).toMatch(/^warning +account +no account is signed in.*\n {10,}Set GUIDEFERRY_SOURCE_TOKEN/m);
    expect(done.stdout).toMatch(/^unknown +write guides +not tried\n {10,}Run the check with --probe-write/m);
    expect(done.stdout).toMatch(/^20 checks: /m);
    const probed = await check(sandbox.url, ["--probe-write"], {});
    expect([probed.code, probed.lines["account"]?.state]).toEqual([5, "failed"]);
    expect(sandbox.recorded.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("warns whoever is no admin, and names what is refused", async () => {
    const sandbox = await site({ account: { admin: false } });
    const done = await check(sandbox.url, ["--probe-write"]);
    expect([done.code, others(done.lines, "ok")]).toEqual([
      0,
      ["account: warning", "private guides: unknown", UNTRIED],
    ]);
    expect(done.lines["account"]?.what).toContain("privileges User; not an admin");
    sandbox.faults.inject({ kind: "status", status: 403 }, { path: "/users" });
    const writes = sandbox.recorded.filter(({ method }) => method !== "GET").length;
    const refused = await check(sandbox.url);
    expect(sandbox.recorded.filter(({ method }) => method !== "GET").length).toBe(writes);
    expect(refused.lines["may read"]).toMatchObject({ state: "warning", what: expect.stringContaining("users 403") });
  });

  it("ends with 5 where a sign-in is wanted or refused, and asks no more", async () => {
    const sandbox = await site({ private: true });
    const stranger = await check(sandbox.url, [], {});
    expect([stranger.code, stranger.lines["account"]?.what]).toEqual([5, expect.stringContaining("private")]);
    const expired = await check(sandbox.url, ["--probe-write"], { GUIDEFERRY_TARGET_TOKEN: "expired-token" });
    expect([expired.code, expired.lines["account"]?.todo]).toEqual([
      5,
      expect.stringContaining("GUIDEFERRY_TARGET_TOKEN"),
    ]);
    expect(sandbox.recorded.length).toBe(6);
    const password = { GUIDEFERRY_TARGET_EMAIL: "a@site.example", GUIDEFERRY_TARGET_PASSWORD: "wrong-password" };
    expect((await check(sandbox.url, [], password)).code).toBe(5);
  });

  it("names families that are switched off, whatever they answer", async () => {
    for (const disabledStatus of [404, 405, 501] as const) {
      const sandbox = await site({ disabled: ["quizzes", "work_log", "user_flags"], disabledStatus });
      const { code, lines } = await check(sandbox.url);
      expect([code, lines["families"]]).toMatchObject([0, { state: "warning" }]);
      expect(lines["families"]?.what).toMatch(/missing: .*(?=.*quizzes)(?=.*work log)/);
      expect(lines["settable flags"]?.state).toBe("unknown");
    }
  });

  it("ends the rate probe at the first 429, tells its Retry-After, and stays below --rate", async () => {
    const sandbox = await site();
    const slow = await check(sandbox.url, ["--rate", "20"]);
    expect(slow.lines["rate"]?.what).toMatch(/^30 of 30 reads at 20 requests a second: median \d+ ms, .*no 429$/);
    const times = sandbox.recorded.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(50);
    // As the site counts them: a twentieth more in a second, since no two arrivals take equally
    // long.
    expect(mostIn(times, 1000)).toBeLessThanOrEqual(21);
    const seen = sandbox.recorded.length;
    sandbox.faults.decide(({ number, path }) =>
      number > seen + 40 && path === "/guides" ? { kind: "status", status: 429, retryAfter: 1 } : undefined,
    );
    const { code, lines } = await check(sandbox.url);
    expect([code, lines["rate"]]).toMatchObject([
      0,
      { state: "warning", what: expect.stringMatching(/429 after \d+ of 30.*Retry-After: 1 s/) },
    ]);
    // Those that were under way together with the first one.
    expect(sandbox.recorded.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(8);
  });

  it("goes away when a site asks to be left alone for long", async () => {
    const sandbox = await site({ rateLimit: { requests: 12, perMs: 600_000 } });
    const { code, lines } = await check(sandbox.url, ["--probe-write"]);
    expect(code).toBe(3);
    expect(sandbox.recorded.length).toBe(13);
    expect(JSON.stringify(lines["families"])).toMatch(/to send nothing until|429/);
    expect(sandbox.recorded.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("warns of a clock that is wrong, at the site or here", async () => {
    const sandbox = await site();
    for (const [ahead, text] of [
      [90, "ahead of"],
      [-90, "behind"],
    ] as const) {
      const shifted = await localServer(({ path }, response) => {
        void fetch(new URL(path, sandbox.url), { headers: { authorization: `api ${TOKEN}` } }).then(async (answer) => {
          response.setHeader("date", new Date(Date.now() + ahead * 1000).toUTCString());
          response.setHeader("content-type", "application/json");
          response.writeHead(answer.status).end(await answer.text());
        });
      });
      const { lines } = await check(shifted.origin);
      expect(lines["clock"]).toMatchObject({ state: "warning", what: expect.stringMatching(`${text} this machine's`) });
    }
  });

  it("ends with 9 where nobody answers, and with 3 where no API is", async () => {
    const dead = await check(`http://127.0.0.1:${await deadPort()}`, ["--probe-write"]);
    expect([dead.code, dead.lines["reachable"]]).toMatchObject([
      9,
      { state: "failed", what: expect.stringContaining("refused") },
    ]);
    expect(others(dead.lines, "unknown").filter((one) => !/reachable|account/.test(one))).toEqual([]);
    const answers: readonly (readonly [number, string, string, string])[] = [
      [200, "text/html", "<h1>Welcome</h1>", "version"],
      [404, "application/json", "{}", "version"],
      [403, "application/json", "{}", "may read"],
      [500, "application/json", "{}", "reachable"],
      [302, "text/html", "", "reachable"],
    ];
    for (const [status, type, body, question] of answers) {
      const server = await localServer((_arrival, response) => {
        response.writeHead(status, { "content-type": type, location: "https://other.example/" }).end(body);
      });
      const odd = await check(server.origin);
      expect([odd.code, odd.lines[question]?.state]).toEqual([3, "failed"]);
    }
  });

  it("tries nothing with guides where there is no category", async () => {
    const sandbox = await startSandbox({ token: TOKEN });
    onTestFinished(() => sandbox.close());
    const { code, lines } = await check(sandbox.url, ["--probe-write"]);
    expect([code, WRITES.map((one) => lines[one]?.state)]).toEqual([0, ["warning", "unknown", "ok", "ok"]]);
  });
});
