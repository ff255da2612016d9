import { expect, it } from "vitest";
import { pagePathOf, tagPath } from "../../src/web/reader/page-path.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { coloursOf, reachingOut, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";
import { AFTER, BEFORE, weavingSchool } from "./helpers/weaving-school.js";

const GUIDE = pagePathOf("guide/1");

/** A page of each kind. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ["home", "index.html"],
  ["category", pagePathOf("category/Looms")],
  ["category-with-guides", pagePathOf("category/Hand looms")],
  ["guide", GUIDE],
  ["guide-in-german", pagePathOf("guide/1@de")],
  ["wiki", pagePathOf("wiki/WIKI/Care of looms")],
  ["wiki-of-html", pagePathOf("wiki/WIKI/Yarn weights")],
  ["item-page", pagePathOf("wiki/ITEM/Shuttle")],
  ["tags", "tags.html"],
  ["tag", tagPath("beginners")],
  ["guides-without-category", "guides.html"],
  ["pages", "pages.html"],
  ["documents", "documents.html"],
  ["about", "about.html"],
  ["changes", `changes/${BEFORE}.html`],
  ["changes-of-a-guide", `changes/${BEFORE}/${GUIDE}`],
  ["changes-of-a-page", `changes/${BEFORE}/${pagePathOf("wiki/WIKI/Care of looms")}`],
  ["history", `history/${GUIDE}`],
];

describeInChromium("every kind of page of the reader", (chromium) => {
  const reader = servedReader(weavingSchool);

  it.each(PAGES)("can be read by all, on any screen: %s", async (name, path) => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, path));
    await screenshot(page, `${name}-light`);
    expect(await axeFindings(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    const light = await coloursOf(page);

    await page.emulateMedia({ colorScheme: "dark" });
    expect(await coloursOf(page)).not.toBe(light);
    await screenshot(page, `${name}-dark`);
    expect(await axeFindings(page, "colours")).toEqual([]);

    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `${width} px: ${await reachingOut(page)}`).toBe(0);
      if (width === 390) await screenshot(page, `${name}-phone`);
    }
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ colorScheme: "light", media: "print" });
    expect(await tooWide(page)).toBe(0);
    await screenshot(page, `${name}-print`);
    expect(trouble).toEqual([]);
  });

  it("says that a page is not there", async () => {
    const { page } = await chromium.open(reader.at(AFTER, "guide/404.html"));
    expect(await page.title()).toMatch(/not/i);
    expect(await axeFindings(page)).toEqual([]);
    await screenshot(page, "missing-light");
  });
});
