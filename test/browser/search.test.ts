import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { openLibrary } from "../../src/web/reader/open-library.js";
import type { MakeSearchFiles } from "../../src/web/reader/search/search-index.js";
import { searchScript } from "../../src/web/reader/search/search-index.js";
import { makeServedSearch } from "../../src/web/reader/search/served-search.js";
import { startReader } from "../../src/web/reader/server/start-reader.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { exported } from "../web/reader/export/helpers/exported.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { focused, shownText } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";
import { AFTER, weavingSchool } from "./helpers/weaving-school.js";

describeInChromium("search", (chromium) => {
  const reader = servedReader(weavingSchool);

  it("finds while one types, by titles before texts, with the words marked", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, "guide/3.html"));
    await page.keyboard.press("/");
    await page.keyboard.type("warp", { delay: 20 });
    await page.locator("#search-results p", { hasText: /^3 results$/ }).waitFor();
    expect(await shownText(page, ".hit-title")).toBe("How to warp a hand loom");
    expect(await shownText(page, ".hit-where")).toBe("Guide · Hand looms");
    expect(await shownText(page, ".hit-title mark")).toBe("warp");
    await page.locator(".hit-text mark").first().waitFor();
    await page.locator("search [role=status]", { hasText: "3 results" }).waitFor({ state: "attached" });
    await screenshot(page, "search", "window");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toContain("LoomsCategory");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    expect(await page.locator("#search-results").isHidden()).toBe(true);
    await page.keyboard.type("i");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/guide/1.html");
    await page.locator("#search").fill("warp");
    await page.locator("#search-results p", { hasText: /^3 results$/ }).waitFor();
    // The browser kept the rest from the page before.
    expect(await page.evaluate(FETCHED)).toEqual(["index.js"]);
    await page.locator("#search").fill("well ada");
    await page.locator("#search-results p", { hasText: /^1 result$/ }).waitFor();
    await page.locator("#search").fill("parts list");
    await page.locator(".hit-where", { hasText: "File" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/documents.html#document-7");
    expect(await shownText(page, ":target")).toContain("parts list.csv");
    expect(trouble).toEqual([]);
  });

  it("finds in an export that was opened from a disk, which asks nothing of anybody", async () => {
    const folder = await temporaryFolder();
    await exported(await weavingSchool(join(folder, "repo")), join(folder, "site"));
    const { page, trouble } = await chromium.open(pathToFileURL(join(folder, "site/guide/1.html")).href);
    await page.locator("#search").fill("lace worsted");
    await page.locator("#search-results p", { hasText: /^1 result$/ }).waitFor();
    await page.locator(".hit-text mark", { hasText: "Lace" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/wiki/wiki/yarn-weights-*.html");
    await page.locator("#search").fill("wraping");
    await page.locator("#search-results p", { hasText: "with similar words" }).waitFor();
    await screenshot(page, "search-export", "window");
    await page.goto(pathToFileURL(join(folder, "site/guide/1.html")).href);
    expect(
      await page.evaluate("[...document.images].filter((each) => each.complete && each.naturalWidth === 0).length"),
    ).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("says how far the index is, and finds more when more is there", async () => {
    const library = await openLibrary(await weavingSchool(join(await temporaryFolder(), "repo")));
    onTestFinished(() => library.close());
    const index = { isBuilt: false };
    const server = await startReader({ library, makeSearch: lateSearch(index) });
    onTestFinished(() => server.close());
    const { page, trouble } = await chromium.open(`${server.url}at/${AFTER}/guide/3.html`);
    await page.locator("#search").fill("warp");
    await page.locator("#search-results p", { hasText: "Indexed 0 of 900 items so far" }).waitFor();
    index.isBuilt = true;
    await page.locator("#search-results p", { hasText: /^3 results$/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    expect(await page.locator("#search-results").isHidden()).toBe(true);
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    expect(trouble).toEqual([]);
  });

  it("has no field without scripts", async () => {
    const { page } = await chromium.open(reader.at(AFTER, "index.html"), { scripts: false });
    expect(await page.locator("#search").isHidden()).toBe(true);
  });
});

/** The files of the index that the page did not have yet. */
const FETCHED = `performance.getEntriesByType("resource")
  .filter(({ name, transferSize }) => name.includes("/search/") && transferSize > 0)
  .map(({ name }) => name.replace(/.*\\/search\\//, "").replace(/[?].*/, ""))`;

/** An index that is empty when a page asks for the first time. */
const lateSearch =
  (index: { readonly isBuilt: boolean }): MakeSearchFiles =>
  (snapshot) => {
    const search = makeServedSearch(snapshot);
    const early = { state: "building", segments: [], done: 0, total: 900 };
    return {
      add: (entry, item) => search.add(entry, item),
      follow: (catalogue) => search.follow(catalogue),
      file: async (name, version) => {
        if (index.isBuilt) return search.file(name, version);
        return { bytes: gzipSync(searchScript("index", JSON.stringify(early))), isLasting: false };
      },
    };
  };
