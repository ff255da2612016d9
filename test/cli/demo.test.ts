import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("guideferry demo", () => {
  it("migrates the sample site whatever is set for other sites, proves it, says where to look, and leaves nothing but the workspace it names", async () => {
    const directory = await temporaryFolder();
    const environment = {
      TMPDIR: directory,
      XDG_STATE_HOME: join(directory, "state"),
      HOME: directory,
      GUIDEFERRY_ONLY: "record",
      GUIDEFERRY_DRY_RUN: "true",
      GUIDEFERRY_SOURCE_TOKEN: "of another site",
      HTTPS_PROXY: "http://127.0.0.1:9",
      HTTP_PROXY: "http://127.0.0.1:9",
    };
    const { code, stdout, stderr } = await startCli(["demo"], { directory, environment }).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/no difference but \d+ that the report names\./)]);
    expect(stderr).toMatch(/^Migrating http.* into http/);
    expect(stdout).toMatch(/What happened:\n {2}1\. [\s\S]*and every item is there\.\n/);
    const [, workspace] = /guideferry status (\S+)/.exec(stdout) ?? [];
    expect((await readdir(directory)).map((name) => join(directory, name))).toEqual([workspace]);
    expect(await readdir(workspace ?? "")).toContain("workspace.json");
    expect((await runCli(["status", workspace ?? ""])).stdout).toMatch(/guide +20 +0 +0 +20\n/);
  });
});
