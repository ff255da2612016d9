import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("guideferry demo", () => {
  it("migrates the sample site, proves it, says where to look, and leaves nothing but the workspace it names", async () => {
    const directory = await temporaryFolder();
    vi.stubEnv("TMPDIR", directory);
    onTestFinished(() => void vi.unstubAllEnvs());
    const environment = { XDG_STATE_HOME: join(directory, "state"), HOME: directory };
    const { code, stdout, stderr } = await runCli(["demo"], { directory, environment });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/no differences, apart from \d+ in the loss ledger\./)]);
    expect(stderr).toMatch(/^Migrating http.* into http/);
    expect(stdout).toMatch(/What happened:\n {2}1\. [\s\S]*Every item is there\.\n/);
    const [, workspace] = /guideferry status (\S+)/.exec(stdout) ?? [];
    expect((await readdir(directory)).map((name) => join(directory, name))).toEqual([workspace]);
    expect(await readdir(workspace ?? "")).toContain("workspace.json");
    expect((await runCli(["status", workspace ?? ""])).stdout).toMatch(/guide +20 +0 +0 +20\n/);
  });

  it("needs and heeds nothing of what is set for other sites", async () => {
    const directory = await temporaryFolder();
    const environment = {
      TMPDIR: directory,
      GUIDEFERRY_ONLY: "record",
      GUIDEFERRY_DRY_RUN: "true",
      GUIDEFERRY_SOURCE_TOKEN: "of another site",
      HTTPS_PROXY: "http://127.0.0.1:9",
      HTTP_PROXY: "http://127.0.0.1:9",
    };
    const { code, stdout } = await runCli(["demo", "--json"], { directory, environment });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect([code, last]).toEqual([0, expect.objectContaining({ type: "summary", exitCode: 0 })]);
  });
});
