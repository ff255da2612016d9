import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deadPort } from "../helpers/local-server.js";
import { HOOK, receiver } from "../helpers/receiver.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";
import { withResolvers } from "../helpers/with-resolvers.js";

/** Starts a migration and waits until its first write is under way, which never ends. */
async function startStalled(sites: TwoSites, url: string) {
  const stalled = withResolvers();
  sites.target.faults.decide(({ method }) =>
    method === "POST" ? { kind: "stall", reached: stalled.resolve } : undefined,
  );
  const running = sites.startMigration("--notify", url);
  await Promise.race([stalled.promise, running.ended]);
  return running;
}

describe("--notify", () => {
  it("sends the start and the success of a run, with its facts", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const { code, stderr } = await sites.migrate("--notify", hooks.url);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
    const [start, end] = hooks.bodies();
    const [source, target] = [new URL(sites.source.url).origin, new URL(sites.target.url).origin];
    const same = { command: "migrate", host: hostname(), source, target, run: expect.stringMatching(/^\d{8}T\d{6}-/) };
    expect(start).toMatchObject({ ...same, state: "start", exitCode: null, ended: null, items: {} });
    expect(end).toMatchObject({
      ...{ ...same, run: start?.["run"], state: "success", exitCode: 0, next: null },
      ...{ meaning: expect.stringMatching(/^done/), items: { created: 4 }, seconds: expect.any(Number) },
      report: join(sites.directory, "work/reports", String(start?.["run"]), "report.html"),
    });
    expect(hooks.arrivals.map(({ method, headers }) => [method, headers["content-type"]])).toEqual(
      Array(2).fill(["POST", "application/json"]),
    );
    const { stdout } = await sites.run("status", "work");
    expect(stdout).toContain(String(start?.["run"]));
  });

  it("tells what failed and what to do, without content of items", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    sites.target.faults.inject(
      { kind: "status", status: 403, body: { message: "no" } },
      { method: "POST", path: "/guides" },
    );
    const { code } = await sites.migrate("--notify", hooks.url);
    expect([code, hooks.states()]).toEqual([3, ["start", "incomplete"]]);
    expect(hooks.bodies()[1]).toMatchObject({
      exitCode: 3,
      next: `guideferry retry ${join(sites.directory, "work")}`,
    });
    const sent = hooks.arrivals.map(({ body }) => body).join("\n");
    for (const words of ["Warp the Wren", "Looms", "All of them"]) expect(sent).not.toContain(words);
  });

  it.each([
    ["an unknown option", ["--wrong"], {}, 2],
    ["a wrong value", ["--rate", "never"], {}, 2],
    ["a token that no file holds", [], { GUIDEFERRY_SOURCE_TOKEN: "", GUIDEFERRY_SOURCE_TOKEN_FILE: "/missing" }, 2],
    ["a configuration that is missing", ["--config", "missing.json"], {}, 2],
  ])("tells a failure before the first request: %s", async (_name, words, environment, expected) => {
    const [sites, hooks] = [await twoSites({ environment }), await receiver()];
    const { code } = await sites.migrate("--notify", hooks.url, ...words);
    expect([code, hooks.states()]).toEqual([expected, ["failure"]]);
    expect(hooks.bodies()[0]).toMatchObject({ exitCode: 2, command: "migrate", next: "guideferry migrate --help" });
    expect(sites.source.recorded).toEqual([]);
  });

  it("tells of a workspace that another run uses and of a sign-in that the site refuses, and nothing of a kill", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const running = await startStalled(sites, hooks.url);
    const second = await sites.migrate("--notify", hooks.url);
    expect([second.code, hooks.states()]).toEqual([11, ["start", "start", "failure"]]);
    // It cannot tell that it was killed.
    running.child.kill("SIGKILL");
    await running.ended;
    expect(hooks.arrivals).toHaveLength(3);
    sites.target.faults.clear();
    sites.target.expireTokens();
    const third = await sites.migrate("--notify", hooks.url);
    expect([third.code, hooks.bodies().at(-1)]).toMatchObject([5, { state: "failure", exitCode: 5 }]);
  });

  it("tells that a signal ended the run, with the command that continues it", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const stalled = withResolvers();
    const released = withResolvers();
    sites.target.faults.decide(async ({ method }) => {
      if (method !== "POST") return undefined;
      stalled.resolve();
      await released.promise;
      return undefined;
    });
    const running = sites.startMigration("--notify", hooks.url);
    await Promise.race([stalled.promise, running.ended]);
    running.child.kill("SIGTERM");
    await running.seen(/finishing running work/);
    released.resolve();
    const { code } = await running.ended;
    expect([code, hooks.states()]).toEqual([143, ["start", "stopped"]]);
    const next = `guideferry migrate ${sites.source.url} ${sites.target.url}`;
    expect(hooks.bodies()[1]).toMatchObject({ exitCode: 143, next });
  });

  it("tells that the time was over", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    sites.source.faults.decide(() => ({ kind: "delay", milliseconds: 400 }));
    const { code } = await sites.migrate("--notify", hooks.url, "--max-duration", "1s", "--concurrency", "1");
    expect([code, hooks.states()]).toEqual([4, ["start", "stopped"]]);
  });

  it("sends nothing for the help and the version, and no command that is not long has it", async () => {
    const hooks = await receiver();
    const environment = { GUIDEFERRY_NOTIFY: hooks.url };
    for (const words of [["backup", "--help"], ["--version"], ["status", "missing"], ["backup", "--version"]])
      await runCli(words, { environment, directory: await temporaryFolder() });
    expect(hooks.arrivals).toEqual([]);
  });
});

describe("a receiver", () => {
  it.each([
    ["answers 500", 500, "it answered 500"],
    ["redirects", 302, "it answered 302 (a redirect, which is not followed)"],
    ["does not know the address", 404, "it answered 404"],
  ])("that %s changes no exit code: one warning names its host", async (_name, status, reason) => {
    const [sites, other] = [await twoSites(), await receiver()];
    const hooks = await receiver((response) => void response.writeHead(status, { location: other.url }).end());
    const { code, stderr } = await sites.migrate("--notify", hooks.url);
    expect([code, other.arrivals]).toEqual([0, []]);
    const host = new URL(hooks.url).host;
    expect(stderr.match(/Not delivered.*/g)).toEqual([
      `Not delivered to ${host}: start: ${reason}; success: ${reason}. This changes neither the run nor its exit code.`,
    ]);
    expect(stderr).not.toContain(HOOK);
  });

  it("that is down changes no exit code either, also of a failure", async () => {
    const sites = await twoSites();
    const url = `http://127.0.0.1:${await deadPort()}/${HOOK}`;
    const good = await sites.migrate("--notify", url, "--quiet");
    expect([good.code, good.stderr]).toEqual([
      0,
      expect.stringMatching(/^\S+ warning: Not delivered to \S+: start: nothing listens there; success: nothing/),
    ]);
    const bad = await sites.migrate("--notify", url, "--wrong");
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringMatching(/Not delivered to \S+: failure: nothing listens/),
    ]);
  });

  it("that never answers delays the end by a bounded time, and others are told", async () => {
    const [sites, hanging, hooks] = [await twoSites(), await receiver(() => undefined), await receiver()];
    const { code, stderr } = await sites.migrate("--notify", hanging.url, "--notify", hooks.url);
    expect([code, hooks.states()]).toEqual([0, ["start", "success"]]);
    expect(stderr).toMatch(/start: no answer before the run ended; success: no answer within \d s/);
  });

  it("is asked once more if it failed in a way that may pass", async () => {
    let count = 0;
    const sites = await twoSites();
    const hooks = await receiver((response) => {
      count += 1;
      response.writeHead(count % 2 === 1 ? 503 : 200).end();
    });
    const { code, stderr } = await sites.migrate("--notify", hooks.url);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/Not delivered/)]);
    expect(hooks.states().toSorted()).toEqual(["start", "start", "success", "success"]);
  });

  it("of healthchecks.io gets text: at its address, /start and the exit code", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const url = `healthchecks+${hooks.url}?create=1`;
    expect((await sites.migrate("--notify", url)).code).toBe(0);
    expect((await sites.migrate("--notify", url, "--wrong")).code).toBe(2);
    const path = `/hooks/${HOOK}`;
    expect(hooks.arrivals.map(({ path: at }) => at)).toEqual([
      `${path}/start?create=1`,
      `${path}?create=1`,
      `${path}/2?create=1`,
    ]);
    const [, success, failure] = hooks.arrivals;
    expect(success?.headers["content-type"]).toMatch(/^text\/plain/);
    expect(success?.body).toMatch(/^guideferry migrate http:\S+ to http:\S+ on \S+: success\nExit code 0: done/);
    expect(failure?.body).toContain("\nNext: guideferry migrate --help\n");
  });

  it("of Slack gets a text, and with #failures only what is no success", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const url = `slack+${hooks.url}#failures`;
    expect((await sites.migrate("--notify", url)).code).toBe(0);
    expect(hooks.arrivals).toEqual([]);
    expect((await sites.migrate("--notify", url, "--wrong")).code).toBe(2);
    expect(hooks.bodies()).toEqual([
      { text: expect.stringMatching(/^guideferry migrate on \S+: failure\nExit code 2/) },
    ]);
  });
});

describe("the address of a receiver", () => {
  it("comes from the variable, a file, a command or the variable that the configuration names", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const run = (environment: Readonly<Record<string, string>>) =>
      runCli(["extract", sites.source.url], {
        directory: sites.directory,
        environment: { ...sites.environment, ...environment },
      });
    await writeFile(join(sites.directory, "address"), `${hooks.url}\n`);
    await run({ GUIDEFERRY_NOTIFY: `${hooks.url} healthchecks+${hooks.url}` });
    expect(hooks.arrivals).toHaveLength(4);
    await run({ GUIDEFERRY_NOTIFY_FILE: "address" });
    await run({ GUIDEFERRY_NOTIFY_COMMAND: "cat address" });
    // Also where something else is wrong, before the value is needed.
    await run({ GUIDEFERRY_NOTIFY_FILE: "address", GUIDEFERRY_RATE: "never" });
    expect(hooks.arrivals).toHaveLength(9);
    await writeFile(join(sites.directory, "guideferry.config.json"), '{ "notifyVariable": "MY_HOOK" }');
    await run({ MY_HOOK: hooks.url });
    expect(hooks.arrivals).toHaveLength(11);
  });

  it("is printed and stored nowhere, also where it is wrong or in the configuration file", async () => {
    const [sites, hooks] = [await twoSites(), await receiver()];
    const wrong = await sites.migrate("--notify", `ftp://site.example/${HOOK}`, "--debug");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/--notify is \["\[secret\]"\], expected an address/),
    ]);
    const open = await sites.migrate("--notify", `http://site.example/${HOOK}`);
    expect([open.code, open.stderr]).toEqual([
      2,
      expect.stringMatching(/http:\/\/site\.example would send its secret/),
    ]);
    const noted = await sites.migrate("--notify", hooks.url, "--verbose", "--debug", "--max-failures", "1");
    await mkdir(join(sites.directory, "configured"));
    const file = join(sites.directory, "configured/guideferry.config.json");
    await writeFile(file, JSON.stringify({ notify: hooks.url }));
    const configured = await sites.migrate("--config", file);
    expect([configured.code, configured.stderr]).toEqual([2, expect.stringMatching(/"notifyVariable"/)]);
    for (const { stdout, stderr } of [wrong, open, noted, configured]) expect(stdout + stderr).not.toContain(HOOK);
  });

  it("and every other secret is in no message", async () => {
    const token = "planted-source-token-1f9a";
    const sites = await twoSites({ source: { token } });
    const hooks = await receiver();
    // A person writes a token where it does not belong: the site's address and a folder.
    await sites.run("migrate", sites.source.url, sites.target.url, "--notify", hooks.url, "--workspace", token);
    await sites.run(
      "migrate",
      sites.source.url,
      sites.target.url,
      "--notify",
      hooks.url,
      "--workspace",
      token,
      "--wrong",
    );
    expect(hooks.arrivals).toHaveLength(3);
    for (const { body } of hooks.arrivals) {
      expect(body).not.toContain(token);
      expect(body).not.toContain(HOOK);
    }
  });
});
