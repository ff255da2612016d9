import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LiveView, liveViewOf } from "../helpers/live-view.js";
import { startShown } from "../helpers/shown-here.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** Requests that reached either site. */
function arrived({ source, target }: TwoSites): number {
  return source.recorded.length + target.recorded.length;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}

/** A run that goes on for some seconds, or until it is resumed. */
async function shownRun(...flags: readonly string[]) {
  const sites = await twoSites();
  const cli = sites.startMigration("--ui", ...flags);
  return { sites, cli, view: await liveViewOf(cli) };
}

/** A run in this process, which takes less time. */
async function shownHere(sites?: TwoSites, ...flags: readonly string[]) {
  const own = sites ?? (await twoSites());
  const { source, target, directory, environment: given } = own;
  const environment = { ...given, GUIDEFERRY_WORKSPACE: join(directory, "work") };
  return { sites: own, ...(await startShown(["migrate", source.url, target.url, ...flags], environment)) };
}

/** Pauses once something went out, by default any request, and lets arrive what was under way. */
async function paused(sites: TwoSites, view: LiveView, enough = () => arrived(sites) > 3): Promise<number> {
  await until(enough);
  expect((await view.post("/pause")).status).toBe(204);
  await delay(500);
  return arrived(sites);
}

describe("the live view of a run", () => {
  it("holds the run up, so that no request arrives any more, and lets it go on to its end", async () => {
    const { sites, cli, view } = await shownRun("--rate", "30/s");
    const before = await paused(sites, view);
    await delay(700);
    expect(arrived(sites)).toBe(before);
    expect((await sites.run("status", "work")).stdout).toMatch(/Paused since/);
    expect((await view.ask("/")).text).toContain("Paused: no new requests are sent.");

    expect((await view.post("/resume")).status).toBe(204);
    const { code, stderr } = await cli.ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Paused in the live page[\s\S]*\n\S+ Resumed after/)]);
    expect(arrived(sites)).toBeGreaterThan(before);
    expect(sites.target.recorded.some(({ method, path }) => method === "POST" && path === "/guides")).toBe(true);
    expect((await sites.run("status", "work")).stdout).not.toContain("Paused");
  });

  it("is for whoever has the token and asks from the page itself", async () => {
    const { sites, ended, view } = await shownHere();
    const { origin } = view;
    await view.post("/pause");
    const page = await view.ask("/");
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none';.* script-src 'self';.*frame-ancestors 'none'$/,
      ),
    });
    expect(page.text).not.toContain(view.token);
    for (const path of ["/", "/events", "/nothing"])
      for (const token of ["", "x", `${view.token}x`, view.token.slice(1)])
        expect((await view.ask(path, { token })).status).toBe(403);
    for (const host of ["evil.example", `evil.example:${new URL(origin).port}`, "127.0.0.1.evil.example"])
      expect((await view.ask("/", { headers: { host } })).status).toBe(421);

    const wrong = [{}, { origin: "null" }, { origin: "http://evil.example" }, { origin: "http://127.0.0.1:1" }];
    for (const headers of wrong) expect((await view.ask("/resume", { method: "POST", headers })).status).toBe(403);
    expect((await view.ask("/resume", { method: "POST", headers: { origin }, token: "x" })).status).toBe(403);
    expect((await view.ask("/resume")).status).toBe(404);
    for (const method of ["PUT", "OPTIONS"] as const)
      expect((await view.ask("/resume", { method, headers: { origin } })).status).toBe(405);
    expect((await view.ask("/")).text).toContain("Paused: no new requests are sent.");

    expect((await view.post("/resume")).status).toBe(204);
    const { code, text } = await ended;
    expect(code).toBe(0);
    expect(text.split(view.token)).toHaveLength(2);
    const reports = join(sites.directory, "work", "reports");
    for (const name of readdirSync(reports, { recursive: true, encoding: "utf8" }).filter((each) => /\./.test(each)))
      expect(readFileSync(join(reports, name), "utf8")).not.toContain(view.token);
  });

  it("tells how the run stands and how it ended, and waits for no browser that takes nothing", async () => {
    const sites = await twoSites();
    sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
    const { view, ended } = await shownHere(sites, "--rate", "12/s");
    await lookAway(view);
    const events = await view.listen();
    expect((await ended).code).toBe(3);
    const pages = events.filter(({ event }) => event === "page");
    expect(pages.length).toBeGreaterThan(1);
    const last = pages.at(-1);
    expect(last).toMatchObject({ state: "on", words: "Running." });
    // How many pages a run sends, and what it has done by then, depends on the machine.
    const html = pages.map((page) => page.html).join("\n");
    expect(html).toMatch(/<progress[^>]*aria-label="load"/);
    expect(html).toMatch(/Failures in this run \(1\).*guide\/2/s);
    expect(html).toContain("limit 12 per second");
    expect(html).toMatch(/Losses and notes so far \([1-9].*>dates</s);
    const over = events.at(-1);
    expect(over).toMatchObject({ event: "over", state: "over" });
    const [, report = ""] = /exit code 3: .* HTML report: (.*)$/.exec(over?.words ?? "") ?? [];
    expect(existsSync(report)).toBe(true);
    expect(over?.html).toContain("Items by kind");
  });

  it("ends as ever at a signal while it is paused", async () => {
    const { sites, cli, view } = await shownRun("--rate", "30/s");
    const before = await paused(sites, view, () => sites.writes() > 0);
    cli.child.kill("SIGINT");
    expect((await cli.ended).code).toBe(130);
    // What had begun at the target was brought to its end.
    expect(arrived(sites)).toBeGreaterThan(before);
    expect((await sites.migrate()).code).toBe(0);
  });

  it("counts the time of --max-duration on", async () => {
    const { view, ended } = await shownHere(await twoSites(), "--max-duration", "2s");
    await view.post("/pause");
    expect((await ended).code).toBe(4);
  });

  it("is only a warning where its port is taken", async () => {
    const sites = await twoSites();
    const { port } = new URL(sites.source.url);
    const { code, stderr } = await sites.migrate("--ui", "--port", port);
    expect(code).toBe(0);
    expect(stderr).toMatch(/warning: .* 127.*The run continues without/);
  });
});

/** A browser that listens, and reads nothing of what comes. */
async function lookAway({ origin, token }: LiveView): Promise<void> {
  const { port, host } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET /events?token=${token} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
}
