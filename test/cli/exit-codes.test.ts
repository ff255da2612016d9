import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deadPort } from "../helpers/local-server.js";
import { twoSites } from "../helpers/two-sites.js";

describe("a run that does not go well", () => {
  it("ends with 3 and the list when an item failed; retry takes up that item and no other", async () => {
    const sites = await twoSites();
    sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
    const first = await sites.migrate();
    expect([first.code, first.stdout]).toEqual([
      3,
      expect.stringMatching(/^FAILED: 1 item\.$[\s\S]*^Next: .*\n {2}guideferry retry /m),
    ]);
    expect(first.stdout).toMatch(/ {2}guide\/2 \(extract\): /);
    const seen = sites.source.recorded.length;
    const retried = await sites.run("retry", "work");
    expect([retried.code, JSON.stringify(sites.target.state().guides)]).toEqual([0, expect.stringContaining("Siskin")]);
    const paths = sites.source.recorded.slice(seen).map(({ path }) => path);
    // Before the lists one guide is read to tell the kind of site by; behind them only the one that
    // failed.
    expect(paths.filter((path) => /^\/guides\/\d+$/.test(path))).toEqual(["/guides/1", "/guides/2"]);
    expect(paths.indexOf("/guides/1")).toBeLessThan(paths.indexOf("/wikis/CATEGORY"));
    expect(retried.stderr).toMatch(/extract: 1 of 1\b/);
    const idle = await sites.run("retry", "work");
    expect([idle.code, idle.stdout]).toEqual([
      0,
      expect.stringMatching(/Nothing failed and nothing was left out last time/),
    ]);
  });

  it("ends with 5 when a site refuses the token, and says which variable holds it", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_TARGET_TOKEN: "not-the-token" } });
    const { code, stderr } = await sites.migrate();
    expect([code, stderr]).toEqual([5, expect.stringMatching(/GUIDEFERRY_TARGET_TOKEN/)]);
    expect(stderr).toMatch(/To continue:\n {2}guideferry migrate http:\/\/127/);
    expect(sites.writes()).toBe(0);
  });

  it("ends with 6 when verify finds what somebody changed, field by field", async () => {
    const sites = await twoSites();
    await sites.migrate();
    sites.target.edit.guide(1, { title: "Somebody else's title" });
    const { code, stdout } = await sites.run("verify", "work", sites.target.url);
    expect(code).toBe(6);
    expect(stdout).toMatch(
      /different: guide\/\d \(on the target: 1\), title\n {2}should be ".*"\n {2}but is {4}"Somebody else's title"/,
    );
    expect(stdout).toMatch(
      /^Next: make the same edits at the source, or revert them on the target; .*:\n {2}guideferry verify /m,
    );
  });

  it("ends with 6 when nothing was loaded yet, since nothing is there", async () => {
    const sites = await twoSites();
    const { code, stdout } = await sites.run("verify", sites.source.url, sites.target.url);
    expect([code, stdout]).toEqual([6, expect.stringMatching(/but is {4}"was never created there"/)]);
  });

  it("ends with 8 when more fails than --max-failures allows", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(({ path }) =>
      /^\/guides\/\d/.test(path) ? { kind: "status", status: 403 } : undefined,
    );
    const { code, stderr } = await sites.migrate("--max-failures", "2");
    expect([code, stderr]).toEqual([8, expect.stringMatching(/Stopped by --max-failures: 2 items in a row failed/)]);
  });

  it("ends with 12 when it is strict and something is lost that the service does not support", async () => {
    const sites = await twoSites();
    const lenient = await sites.migrate();
    expect([lenient.code, lenient.stdout]).toEqual([0, expect.stringMatching(/Values lost: \d+\./)]);
    const strict = await sites.migrate("--strict");
    expect([strict.code, strict.stdout]).toEqual([
      12,
      expect.stringMatching(/^ {2}guide: .*dates[\s\S]*^Next: .*--strict/m),
    ]);
  });

  it("ends with 9 when a site is not there, after a clear number of tries, and says how to go on", async () => {
    const sites = await twoSites();
    const nowhere = `http://127.0.0.1:${await deadPort()}/api/2.0`;
    const { code, stderr } = await sites.run("migrate", sites.source.url, nowhere);
    expect([code, stderr]).toEqual([9, expect.stringMatching(/ECONNREFUSED.* It was tried 6 times\./)]);
    expect(stderr).toMatch(/To continue:\n {2}guideferry migrate /);
  });

  it("ends with 9 when a site only answers that it is broken, not with the code of a run that got to its end", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(() => ({ kind: "status", status: 502 }));
    const { code, stderr } = await sites.migrate();
    expect([code, stderr]).toEqual([
      9,
      expect.stringMatching(/answered 502.* All results so far are kept\. To continue:/),
    ]);
  });

  it("says once that what was done is kept, and shows the trace of --debug below everything else", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_TARGET_TOKEN: "not-the-token" } });
    const { stderr } = await sites.migrate("--debug");
    expect(stderr.match(/so far (?:is|are) kept/g)).toHaveLength(1);
    expect(stderr).toMatch(/To continue:\n {2}guideferry migrate .*\nSignInError: /);
  });

  it("ends with 9 when what answers is no API, whatever it answers: that is no defect of guideferry", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(() => ({ kind: "status", status: 200, body: {} }));
    const { code, stderr } = await sites.migrate();
    expect([code, stderr]).toEqual([9, expect.stringMatching(/did not answer with a list.* To continue:/)]);
  });

  it("ends with 10 when the workspace holds no site yet", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_SOURCE_TOKEN: "not-the-token" } });
    await sites.migrate();
    for (const command of ["load", "plan", "verify"]) {
      const { code, stderr } = await sites.run(command, "work", sites.target.url);
      expect([code, stderr]).toEqual([
        10,
        expect.stringMatching(/contains no extracted site.*guideferry extract SOURCE/),
      ]);
    }
  });

  it("ends with 10 where there is no workspace, and makes none", async () => {
    const sites = await twoSites();
    const { code } = await sites.run("load", "none", sites.target.url);
    expect([code, await readdir(sites.directory)]).toEqual([10, ["home"]]);
  });

  it("ends with 11 while another run holds the workspace, and says who; status looks at it all the same", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(({ path }) => (path === "/guides/3" ? { kind: "stall" } : undefined));
    const running = sites.startMigration();
    await running.seen(/extract: 1 of 4/);
    const second = await sites.migrate();
    expect([second.code, second.stderr]).toEqual([
      11,
      expect.stringMatching(/uses the workspace .*guideferry migrate/),
    ]);
    const status = await sites.run("status", "work");
    expect([status.code, status.stdout]).toEqual([
      0,
      expect.stringMatching(/Running: guideferry migrate, process \d+/),
    ]);
    running.child.kill("SIGKILL");
    await running.ended;
    sites.source.faults.clear();
    expect((await sites.migrate()).code).toBe(0);
  });

  it("warns of another workspace that was loaded into the same site, and loads nothing twice", async () => {
    const sites = await twoSites();
    await sites.migrate();
    const writes = sites.writes();
    const { code, stderr } = await sites.migrate("--workspace", "other");
    expect([code, sites.writes()]).toEqual([2, writes]);
    expect(stderr).toMatch(/3 of the 3 chosen guides.*--match title.*undo.*--allow-duplicates/s);
    expect((await sites.run("plan", "other", sites.target.url)).code).toBe(2);
    expect((await sites.migrate("--workspace", "other", "--match", "title", "--dry-run")).code).toBe(0);
    expect((await sites.migrate("--workspace", "other", "--allow-duplicates")).code).toBe(0);
    expect(sites.target.state().guides).toHaveLength(6);
    expect(stderr).toContain(
      `warning: Another workspace uses the same target: ${join(sites.directory, "work")} was loaded into it`,
    );
  });

  it("is told without a stack trace, unless --debug asks for one", async () => {
    const sites = await twoSites({ environment: { GUIDEFERRY_SOURCE_TOKEN: "not-the-token" } });
    const plain = await sites.migrate();
    const debug = await sites.migrate("--debug");
    expect([plain.code, debug.code]).toEqual([5, 5]);
    expect(plain.stderr).not.toMatch(/\n\s+at /);
    expect(debug.stderr).toMatch(/\n\s+at /);
  });
});
