import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { removeFolder } from "../helpers/temporary-folder.js";
import { brokenLinks } from "../web/reader/export/helpers/broken-links.js";
import { exportedTimes } from "../web/reader/export/helpers/exported.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { screenshot } from "./helpers/screenshot.js";
import { staticFiles } from "./helpers/static-files.js";
import { AFTER, BEFORE, weavingSchool } from "./helpers/weaving-school.js";

const GUIDE = pagePathOf("guide/1");

describeInChromium("an export of several times", (chromium) => {
  let folder = "";
  let site = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guideferry-test-"));
    site = join(folder, "site");
    await exportedTimes(await weavingSchool(join(folder, "repo")), site);
  });
  afterAll(() => removeFolder(folder));

  it.each(["a disk", "a web server"])("changes the time, compares and comes back, from %s", async (from) => {
    if (from === "a disk") expect(await brokenLinks(site)).toEqual([]);
    const root = from === "a disk" ? `${pathToFileURL(site).href}/` : await staticFiles(site);
    const at = (time: string, path: string): string => `${root}at/${time}/${path}`;
    const { page, trouble } = await chromium.open(`${root}index.html`);
    await page.waitForURL(at(AFTER, "index.html"));
    await page.goto(at(AFTER, GUIDE));
    const times = page.locator("details.times");
    await times.locator("summary", { hasText: "8 November 2026" }).click();
    expect(await times.locator("[aria-current=page]").innerText()).toContain("8 November 2026");
    expect(await times.locator("li").count()).toBe(2);
    await screenshot(page, `export-times-${from === "a disk" ? "disk" : "served"}`, "window");
    await times.getByRole("link", { name: "1 November 2026, 03:00 UTC", exact: true }).click();
    await page.waitForURL(at(BEFORE, GUIDE));
    await times.locator("summary", { hasText: "1 November 2026" }).click();
    await times.getByRole("link", { name: /^compare/ }).click();
    await page.waitForURL(at(AFTER, `changes/${BEFORE}.html`));
    await page.getByRole("main").getByRole("link", { name: "How to warp" }).click();
    await page.waitForURL(at(AFTER, `changes/${BEFORE}/${GUIDE}`));
    await page.locator(".heads").getByRole("link", { name: "8 November 2026" }).click();
    await page.waitForURL(at(AFTER, GUIDE));
    const compare = page.locator("details.compare");
    await compare.locator("summary").click();
    await compare.getByRole("link", { name: "8 November 2026, 03:00 UTC: changed" }).click();
    await page.waitForURL(at(AFTER, `changes/${BEFORE}/${GUIDE}`));
    await page.locator("details.times summary").click();
    await page.getByRole("link", { name: "All snapshots (2)" }).click();
    await page.waitForURL(`${root}times.html`);
    expect(trouble).toEqual([]);
    await screenshot(page, "export-all-times", "page");
    if (from !== "a disk") expect(await axeFindings(page, "all")).toEqual([]);
  });

  it("leads to all times without scripts, and to the first page of a time that has not the page", async () => {
    const root = `${pathToFileURL(site).href}/`;
    const { page: other } = await chromium.open(`${root}at/${AFTER}/guide/7.html`);
    await other.locator("details.times summary", { hasText: "8 November 2026" }).click();
    await other.getByRole("link", { name: "1 November 2026, 03:00 UTC", exact: true }).click();
    await other.waitForURL(`${root}at/${BEFORE}/index.html`);
    const { page } = await chromium.open(`${root}at/${AFTER}/${GUIDE}`, { scripts: false });
    await page.locator("details.times summary").click();
    await page.getByRole("link", { name: "All snapshots" }).click();
    await page.waitForURL(`${root}times.html`);
  });
});
