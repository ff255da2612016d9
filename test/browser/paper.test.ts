import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { removeFolder, temporaryFolder } from "../helpers/temporary-folder.js";
import { exportedTimes } from "../web/reader/export/helpers/exported.js";
import { describeInChromium } from "./helpers/chromium.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";
import { staticFiles } from "./helpers/static-files.js";
import { AFTER, weavingSchool } from "./helpers/weaving-school.js";

const GUIDE = pagePathOf("guide/1");

/** A sheet of A4 without its margins, in pixels. */
const SHEET = 688;

function widths(page: Page, selector: string): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(
    `[...document.querySelectorAll("${selector}")].map((each) => Math.round(each.getBoundingClientRect().width))`,
  );
}

describeInChromium("on paper", (chromium) => {
  const reader = servedReader(weavingSchool);

  it("a guide says all that it says on a screen, and where it came from", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE));
    await page.setViewportSize({ width: SHEET, height: 900 });
    await page.emulateMedia({ media: "print" });
    await screenshot(page, "guide-print");
    expect(await page.locator(".printed").innerText()).toBe(
      "How to warp a hand loom · Guide 1 · Example, as of 8 November 2026, 03:00 UTC · https://site.example/Guide/Warp/1",
    );
    // Nothing that a screen would scroll to is cut.
    const cut = `[...document.querySelectorAll(".wide")].filter((each) => getComputedStyle(each).overflowX !== "visible").length`;
    expect(await page.evaluate(cut)).toBe(0);
    const [one = 0, ...others] = await widths(page, "#s11 .pictures img");
    expect(others).toEqual([one, one]);
    expect(one).toBeGreaterThan(SHEET * 0.4);
    const address = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}"), "::after").content`);
    expect(await address("a.embed")).toContain("https://player.example/film/1");
    expect(await address(".prose a.outside")).toContain("https://example.org/oil");
    for (const name of [".search", "button.print", ".top"]) expect(await page.locator(name).isVisible()).toBe(false);
    await page.goto(reader.at(AFTER, "index.html"));
    expect(await page.locator(".search").isVisible()).toBe(false);
    expect(trouble).toEqual([]);
  });

  it("a guide of a web server has its pictures when somebody prints it, and loads no others before", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => removeFolder(folder));
    await exportedTimes(await weavingSchool(join(folder, "repo")), join(folder, "site"));
    const root = await staticFiles(join(folder, "site"));
    const { page, trouble } = await chromium.open(`${root}at/${AFTER}/${GUIDE}`, { width: 390 });
    const left = () => page.locator(".guide img[loading=lazy]").count();
    await page.waitForLoadState("networkidle");
    expect(await left()).toBeGreaterThan(3);
    await page.evaluate(
      "window.print = () => { document.body.dataset.printed = [...document.images].every((each) => each.complete) }",
    );
    await page.getByRole("button", { name: "Print" }).click();
    await page.locator("body[data-printed=true]").waitFor();
    expect(await left()).toBe(0);
    expect(await page.locator(".printed-time").textContent()).toBe(", as of 8 November 2026, 03:00 UTC");
    // On the machine itself all of them are there without a wish.
    const near = await chromium.open(reader.at(AFTER, GUIDE));
    await expect.poll(() => near.page.locator(".guide img[loading=lazy]").count()).toBe(0);
    expect(trouble).toEqual([]);
  });
});
