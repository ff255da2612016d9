import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { runHere } from "../helpers/run-here.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { crawl } from "./helpers/crawl.js";
import { tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";

const REAL = join(import.meta.dirname, "../../../shared/data/ose");

async function backedUp(folder: string): Promise<string> {
  const sandbox = await startSandbox({ site: REAL });
  try {
    const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: join(folder, "..", "state") };
    const { code, stderr } = await runHere(["backup", sandbox.url, "--to", folder], { environment });
    if (code !== 0) throw new Error(`the backup ended with ${code}: ${stderr}`);
  } finally {
    await sandbox.close();
  }
  return folder;
}

describe("the real guides", { tags: ["shared"] }, () => {
  const reader = servedReader(backedUp);

  it("have pages whose links all lead somewhere", async () => {
    const { broken, pages } = await crawl(reader.url);
    expect(broken).toEqual([]);
    expect(pages.filter((page) => page.includes("/guide/")).length).toBe(64);
  });

  describeInChromium("in a browser", (chromium) => {
    it.each(["index.html", "guide/84.html"])("can be read by all: %s", async (path) => {
      const { page, trouble } = await chromium.open(new URL(path, (await fetch(reader.url)).url).href);
      await screenshot(page, `real-${path.replace("/", "-")}`, "window");
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await tooWide(page)).toBe(0);
      expect(trouble).toEqual([]);
    });
  });
});
