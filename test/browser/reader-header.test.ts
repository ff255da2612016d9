import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";
import { AFTER, BEFORE, weavingSchool } from "./helpers/weaving-school.js";

const GUIDE = pagePathOf("guide/1");

/** Pixels between the highest and the lowest middle of what the header shows. */
const UNEVENNESS = `(() => {
  const shown = [...document.querySelectorAll("header.top > *, header.top input")].filter((each) => each.checkVisibility());
  const middles = shown.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
  return shown.length < 3 ? Infinity : Math.max(...middles) - Math.min(...middles);
})()`;

/** How pictures fill their places. */
const FITS = `[...document.querySelectorAll("main :is(.card-picture:not(.empty), .hero-picture img, .gallery img)")]
  .map((each) => getComputedStyle(each).objectFit)`;

describeInChromium("the header", (chromium) => {
  const reader = servedReader(weavingSchool);

  it.each([
    ["phones", [390, 320]],
    ["desks", [820, 1024, 1440]],
  ] as const)("is one row on %s, also without scripts: %j px", async (_, widths) => {
    for (const scripts of [true, false]) {
      const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE), { width: widths[0], scripts });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        // Playwright evaluates also where a page may run nothing.
        expect([width, await page.evaluate<number>(UNEVENNESS)]).toEqual([width, expect.closeTo(0, 0)]);
        expect((await page.locator("header.top").boundingBox())?.height).toBeLessThan(70);
        expect(await tooWide(page)).toBe(0);
      }
      expect(trouble).toEqual([]);
    }
  });

  it("has a button for the search on a phone, which opens a field over the row", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE), { width: 390 });
    const [button, field] = [page.getByRole("button", { name: "Search field" }), page.locator("#search")];
    expect(await field.isVisible()).toBe(false);
    await button.tap();
    expect(await isFocused(page)).toBe(true);
    await page.keyboard.type("warp");
    await page.locator(".hit").first().waitFor();
    await screenshot(page, "search-phone", "window");
    expect(await tooWide(page)).toBe(0);
    expect(await page.evaluate<number>(UNEVENNESS)).toBeLessThan(2);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect([await page.locator(".hit").count(), await field.isVisible()]).toEqual([0, true]);
    await page.keyboard.press("Escape");
    expect(await field.isVisible()).toBe(false);
    expect(await button.evaluate((each) => each.matches(":focus"))).toBe(true);
    await page.keyboard.press("/");
    expect(await isFocused(page)).toBe(true);
    await page.locator("h1").tap();
    expect(await field.isVisible()).toBe(false);
    expect(trouble).toEqual([]);
  });

  it("has a menu on a phone that needs no script", async () => {
    for (const scripts of [true, false]) {
      const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE), { width: 390, scripts });
      const tags = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tags" });
      expect(await tags.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).tap();
      await tags.waitFor();
      if (scripts) {
        await screenshot(page, "menu-phone", "window");
        expect(await axeFindings(page)).toEqual([]);
      }
      await tags.tap();
      await page.waitForURL(reader.at(AFTER, "tags.html"));
      expect(trouble).toEqual([]);
    }
  });

  it("leads to another snapshot on a phone", async () => {
    const { page } = await chromium.open(reader.at(AFTER, GUIDE), { width: 390 });
    await page.locator("details.times summary").tap();
    const links = page.getByRole("navigation", { name: "Other snapshots" });
    await links.getByRole("link", { name: "1 November 2026" }).first().tap();
    await page.waitForURL(reader.at(BEFORE, GUIDE));
  });

  it("leaves pictures whole, since captions are at their edges", async () => {
    for (const path of ["index.html", "category/", GUIDE, "documents.html"]) {
      const address = path === "category/" ? pagePathOf("category/Looms") : path;
      const { page } = await chromium.open(reader.at(AFTER, address));
      const fits = await page.evaluate<readonly string[]>(FITS);
      expect(fits.length, path).toBeGreaterThan(0);
      expect(new Set(fits), path).toEqual(new Set(["contain"]));
    }
  });
});

function isFocused(page: Page): Promise<boolean> {
  return page.locator("#search").evaluate((each) => each.matches(":focus"));
}
