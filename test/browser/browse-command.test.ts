import { join } from "node:path";
import { expect, it } from "vitest";
import { startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { describeInChromium } from "./helpers/chromium.js";
import { shownText } from "./helpers/looks.js";
import { weavingSchool } from "./helpers/weaving-school.js";

describeInChromium("guideferry browse", (chromium) => {
  it("shows the last time of a repository, and ends at a signal", async () => {
    const repository = await weavingSchool(join(await temporaryFolder(), "repo"));
    const cli = startCli(["browse", repository]);
    const [, url = ""] = await cli.seen(/(http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/)/);
    const { page, trouble } = await chromium.open(url);
    expect(await shownText(page)).toContain("Looms");
    expect(trouble).toEqual([]);
    cli.child.kill("SIGINT");
    expect((await cli.ended).signal).toBe(null);
  });
});
