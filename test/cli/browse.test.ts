import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { guideItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("browse", () => {
  it("prints an address that shows the chosen time, and ends by a signal", async () => {
    const folder = join(await temporaryFolder(), "repository");
    const maker = await makeRepository(folder);
    await maker.add({ snapshot: "20261119T030000Z", items: [guideItem(1, { title: "The old heddle" })] });
    await maker.add({ snapshot: "20261120T030000Z", items: [guideItem(1, { title: "The new heddle" })] });
    const running = startCli(["browse", folder, "--at", "2026-11-19"]);
    const [url = ""] = await running.seen(/http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\//);
    const first = await fetch(url);
    expect(first.url).toBe(`${url}at/20261119T030000Z/index.html`);
    expect(await (await fetch(new URL("guide/1.html", first.url))).text()).toContain("The old heddle");
    expect(await (await fetch(`${url}at/20261120T030000Z/guide/1.html`)).text()).toContain("The new heddle");
    // Another account of the machine knows the port alone.
    for (const path of ["/", "/at/20261119T030000Z/index.html", `/${"x".repeat(24)}/`, "/assets/style.css"]) {
      const refused = await fetch(new URL(path, url));
      expect([path, refused.status, await refused.text()]).toEqual([
        path,
        403,
        expect.stringContaining("complete address"),
      ]);
    }
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  it("shows a workspace, and tells its address as an object", async () => {
    const folder = join(await temporaryFolder(), "work");
    await fillWorkspace(folder, 3);
    const running = startCli(["browse", folder, "--json"]);
    const [line = ""] = await running.seen(/\{"type":"browse".*\}/);
    const told: unknown = JSON.parse(line);
    expect(told).toMatchObject({ kind: "workspace", path: folder, first: "now", times: 1 });
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
  });

  it("ends at once with what no given key opens", async () => {
    const folder = join(await temporaryFolder(), "repository");
    const maker = await makeRepository(folder, { passphrase: "the old words" });
    await maker.add({ snapshot: "20261119T030000Z", items: [guideItem(1)] });
    for (const environment of [{}, { GUIDEFERRY_PASSPHRASE: "other words" }]) {
      const result = await runCli(["browse", folder], { environment });
      expect([result.code, result.stdout]).toEqual([2, ""]);
    }
  });

  it.each([
    ["what is not there", async () => "/tmp/no such place", 10, "/tmp/no such place does not exist"],
    ["a folder of something else", temporaryFolder, 2, "Expected the folder of a repository or of a workspace"],
    ["a site", async () => "https://site.example", 2, "guideferry backup https://site.example --to REPO"],
  ])("ends with a usage error for %s", async (_what, make, code, words) => {
    const result = await runCli(["browse", await make()]);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(words);
  });
});
