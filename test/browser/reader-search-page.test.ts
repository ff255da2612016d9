import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { guideItem, step, wikiItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { exported } from "../web/reader/export/helpers/exported.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { focused, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";

const TIME = "20261101T030000Z";
const HOSTILE = '"><img src=x onerror=harm()>';

/** 65 guides, 3 pages and a category about looms, and a few others. */
async function looms(folder: string): Promise<string> {
  const maker = await makeRepository(folder);
  const guides = Array.from({ length: 65 }, (_, at) =>
    guideItem(at + 1, {
      title: `Guide ${at + 1} of the loom`,
      steps: [step(at + 1, ["Oil the shuttle of the loom."])],
    }),
  );
  const pages = ["Loom care", "Café and loom", `Loom ${HOSTILE}`].map((title, at) =>
    wikiItem("WIKI", title, { contents: `Text ${at} about a loom.` }),
  );
  const others = [
    wikiItem("CATEGORY", "Looms", { contents: "All of them." }),
    guideItem(90, { title: "Über die Wärme", category: "Other" }),
    guideItem(91, { title: "軸受の交換", category: "Other", steps: [step(91, ["軸受を外す"])] }),
  ];
  await maker.add({ snapshot: TIME, items: [...guides, ...pages, ...others] });
  return folder;
}

describeInChromium("the page of all results", (chromium) => {
  const reader = servedReader(looms);
  const open = (query: string, options = {}) => chromium.open(reader.at(TIME, `search.html${query}`), options);

  it("has an address, the number of all results, kinds and pages", async () => {
    const { page, trouble } = await open("?q=loom");
    await told(page, "69 results");
    expect(await page.locator("#search").inputValue()).toBe("loom");
    expect(await page.title()).toMatch(/^loom · Search/);
    expect(await page.locator("#search-kinds a").allInnerTexts()).toEqual([
      "All 69",
      "Guides 65",
      "Categories 1",
      "Pages 3",
    ]);
    expect(await hits(page)).toHaveLength(20);
    await page.locator(".hit-text mark", { hasText: "loom" }).first().waitFor();
    await screenshot(page, "search-page");
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole("link", { name: "Guides 65" }).click();
    await told(page, "65 results");
    expect(await axeFindings(page)).toEqual([]);
    const first = await hits(page);
    const pager = page.getByRole("navigation", { name: "Pages of the list" });
    await pager.getByRole("link", { name: "4", exact: true }).click();
    await expect.poll(() => hits(page)).toHaveLength(5);
    expect(new URL(page.url()).search).toBe("?q=loom&kind=guide&page=4");
    for (const title of await hits(page)) expect(first).not.toContain(title);
    await page.goBack();
    await expect.poll(() => hits(page)).toEqual(first);
    expect(trouble).toEqual([]);
  });

  it("follows what one types, and needs no mouse", async () => {
    const { page, trouble } = await open("");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    await page.keyboard.type("uber warme");
    await told(page, "1 result");
    expect(await page.locator(".hit-title mark").allInnerTexts()).toEqual(["Über", "Wärme"]);
    expect(new URL(page.url()).search).toBe("?q=uber+warme");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toContain("Über die Wärme");
    await page.keyboard.press("ArrowUp");
    await page.locator("#search").fill("軸受");
    await expect.poll(() => hits(page)).toEqual(["軸受の交換"]);
    expect(await page.locator(".hit-title mark").allInnerTexts()).toEqual(["軸受"]);
    await page.locator("#search").fill("zzzzz");
    await told(page, "No results");
    await page.locator("#search").fill("");
    await expect.poll(() => page.locator("#all-results").isVisible()).toBe(false);
    expect(new URL(page.url()).search).toBe("");
    expect(trouble).toEqual([]);
  });

  it("is where the list below the field leads", async () => {
    const { page, trouble } = await chromium.open(reader.at(TIME, "guide/1.html"));
    await page.locator("#search").fill("loom");
    await page.getByRole("link", { name: "Show all 69 results" }).click();
    await told(page, "69 results");
    await page.goto(reader.at(TIME, "guide/1.html"));
    await page.locator("#search").fill("wärme");
    await page.keyboard.press("Shift+Enter");
    await told(page, "1 result");
    const kept = await fetch(`${reader.url}search?q=a%20b`, { redirect: "manual" });
    expect(new URL(kept.headers.get("location") ?? "", reader.url).href).toBe(reader.at(TIME, "search.html?q=a%20b"));
    expect(trouble).toEqual([]);
  });

  it("shows hostile words as words, in the address too", async () => {
    const { page, trouble } = await open(`?q=${encodeURIComponent(`loom ${HOSTILE}`)}&kind=<b>&page=-7`);
    await told(page, "No results");
    await page.locator("#search-kinds").getByRole("link", { name: "All 1" }).click();
    await told(page, "1 result");
    expect(await hits(page)).toEqual([`Loom ${HOSTILE}`]);
    expect(await page.locator("main img").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("fits a phone, and says without scripts what leads to everything", async () => {
    const phone = await open("?q=loom&page=2", { width: 390 });
    await told(phone.page, "69 results");
    expect(await tooWide(phone.page)).toBe(0);
    await screenshot(phone.page, "search-page-phone");
    for (const path of ["search.html?q=loom", "index.html"]) {
      const { page } = await chromium.open(reader.at(TIME, path), { scripts: false });
      expect(await page.locator("noscript").innerText()).toContain("The search needs scripts");
      expect(await page.locator("#search").isVisible()).toBe(false);
    }
  });

  it("works in an export from a disk", async () => {
    const folder = await temporaryFolder();
    await exported(await looms(join(folder, "repo")), join(folder, "site"));
    const { page, trouble } = await chromium.open(`${pathToFileURL(join(folder, "site/search.html")).href}?q=loom`);
    await told(page, "69 results");
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/search.html?q=loom&page=2");
    await told(page, "69 results");
    await page.locator("#search").fill("軸受");
    await told(page, "1 result");
    await page.locator(".hit a").first().click();
    await page.waitForURL("**/guide/91.html");
    expect(trouble).toEqual([]);
  });
});

function told(page: Page, words: string): Promise<void> {
  return page.locator("#all-results > p", { hasText: new RegExp(`^${words}$`) }).waitFor();
}

function hits(page: Page): Promise<readonly string[]> {
  return page.locator("#all-results .hit-title").allInnerTexts();
}
