import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SAMPLE_SITE = new URL("../../samples/site", import.meta.url).pathname;

test("an extract of all records says what the site does not have, and leaves people out without --personal-data", async () => {
  const sandbox = await startSandbox({ site: SAMPLE_SITE, disabled: ["approvals"] });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  const run = (...more: string[]) =>
    runCli(["extract", sandbox.url, "--workspace", join(folder, "copy"), "--records", "all", ...more], {
      environment: { GUIDEFERRY_SOURCE_TOKEN: sandbox.token },
    });
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/not available on this site, or not for this account: .*approvals\/processes \(404\)/);
  expect(sandbox.recorded.filter(({ path }) => path === "/work_log")).toEqual([]);
  const again = await run("--personal-data", "--refresh", "1/7", "--json");
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('"personalData":["completions",');
  expect(sandbox.recorded.filter(({ path }) => path === "/work_log").length).toBeGreaterThan(0);
});

test("an invalid share is a wrong call", async () => {
  const { code, stderr } = await runCli(["extract", "https://site.example", "--refresh", "2/14"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`--refresh is "2/14", expected a share such as 1/14, or all`);
});
