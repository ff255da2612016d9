import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { wikiItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";

const TIME = "20261101T030000Z";
const WORDS = "Words that fill the line and the next one too. ".repeat(30);
const contents = Array.from({ length: 40 }, (_, at) => `== Part ${at + 1} ==\n\n${WORDS}`).join("\n\n");
const MANUAL = wikiItem("WIKI", "Manual", { contents });

async function manual(folder: string): Promise<string> {
  const maker = await makeRepository(folder);
  await maker.add({ snapshot: TIME, items: [MANUAL] });
  return folder;
}

describeInChromium("the contents of a long page", (chromium) => {
  const reader = servedReader(manual);
  const address = (hash = ""): string => reader.at(TIME, pagePathOf(MANUAL.key)) + hash;

  it("stay at the right of the text, and mark the section that is being read", async () => {
    const { page, trouble } = await chromium.open(address(), { width: 1440 });
    const [nav, text] = [page.locator("nav.contents"), page.locator(".page-body")];
    const [list, body] = [await nav.boundingBox(), await text.boundingBox()];
    expect(list?.x ?? 0).toBeGreaterThan((body?.x ?? 0) + (body?.width ?? 0));
    expect(await marked(page)).toEqual([]);
    for (const title of ["Part 2", "Part 30", "Part 7"]) {
      await nav.getByRole("link", { name: title, exact: true }).click();
      await expect.poll(() => marked(page)).toEqual([title]);
      // The heading is not covered, and neither list nor mark left the window.
      expect((await page.getByRole("heading", { name: title, exact: true }).boundingBox())?.y).toBeGreaterThan(60);
      expect(await isInWindow(page, "nav.contents")).toBe(true);
      expect(await isInWindow(page, "nav.contents [aria-current]")).toBe(true);
    }
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await expect.poll(() => marked(page)).toEqual(["Part 40"]);
    expect(await isInWindow(page, "nav.contents [aria-current]")).toBe(true);
    await screenshot(page, "contents", "window");
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("are folded above the text on a phone", async () => {
    const { page, trouble } = await chromium.open(address(), { width: 390 });
    const [nav, text] = [page.locator("nav.contents"), page.locator(".page-body")];
    const list = await nav.boundingBox();
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual((await text.boundingBox())?.y ?? 0);
    expect(await nav.getByRole("link", { name: "Part 3", exact: true }).isVisible()).toBe(false);
    await nav.locator("summary").tap();
    await nav.getByRole("link", { name: "Part 3", exact: true }).tap();
    expect(new URL(page.url()).hash).toBe("#Section_Part_3");
    expect(await isInWindow(page, "#Section_Part_3")).toBe(true);
    expect(await tooWide(page)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("mark the section of the address, and need no script to be read", async () => {
    const { page } = await chromium.open(address("#Section_Part_40"), { width: 1440 });
    await expect.poll(() => marked(page)).toEqual(["Part 40"]);
    const without = await chromium.open(address(), { width: 1440, scripts: false });
    expect(await without.page.getByRole("link", { name: "Part 9", exact: true }).isVisible()).toBe(true);
  });
});

function marked(page: Page): Promise<readonly string[]> {
  return page.locator("nav.contents [aria-current]").allInnerTexts();
}

function isInWindow(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
    document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
}
