import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Item } from "../../src/core/model/item.js";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { guideItem, mediaItem, step, wikiItem } from "../helpers/items.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { exported } from "../web/reader/export/helpers/exported.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { tooWide } from "./helpers/looks.js";
import { paintedPng } from "./helpers/painted-png.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";

const TIME = "20261101T030000Z";
const GUIDES = 1000;
const PICTURE = paintedPng(80, 60, [
  [196, 148, 96],
  [120, 72, 40],
]);
const PARTS = ["bolts", "pumps", "Öl", "軸受", "frames"] as const;
const HOSTILE = "\u202E<img src=x onerror=harm()>";

/** A category of 1,000 guides, with 70 categories beside them. */
function items(guides: number): readonly Item[] {
  const content = { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" };
  return [
    mediaItem("image", 1, { content, fileName: "loom.png", width: 80, height: 60 }),
    wikiItem("CATEGORY", "Machines", { contents: "All machines." }),
    ...Array.from({ length: 70 }, (_, at) =>
      wikiItem("CATEGORY", `Machine ${at + 1}`, { parent: "Machines", position: at, image: "image/1" }),
    ),
    ...Array.from({ length: guides }, (_, at) =>
      guideItem(at + 1, {
        title: at === 9 ? HOSTILE : `Guide ${at + 1} about ${PARTS[at % PARTS.length]}`,
        category: "Machines",
        summary: `Summary ${at + 1}`,
        image: at % 2 === 0 ? "image/1" : null,
        public: at % 3 !== 0,
        modifiedDate: 1_700_000_000 + ((at * 37) % guides) * 100,
        steps: [step(at + 1)],
      }),
    ),
  ];
}

async function machines(folder: string, guides = GUIDES): Promise<string> {
  const maker = await makeRepository(folder);
  await maker.add({ snapshot: TIME, items: items(guides), media: [PICTURE] });
  return folder;
}

const CATEGORY = pagePathOf("category/Machines");

describeInChromium("a category of 1,000 guides", (chromium) => {
  const reader = servedReader(machines);
  const open = (query = "", options = {}) => chromium.open(reader.at(TIME, CATEGORY) + query, options);

  it("shows cards with pictures, a page at a time", async () => {
    const { page, trouble } = await open();
    expect(await page.locator("#guides").innerText()).toBe("1,000 guides");
    for (const id of ["guides", "categories"]) {
      expect(await titles(page, id)).toHaveLength(60);
      expect(await page.locator(`#${id}-list .cards img.card-picture`).count()).toBeGreaterThan(0);
    }
    expect((await (await fetch(page.url())).text()).length).toBeLessThan(150_000);
    await screenshot(page, "category-large");
    expect(await axeFindings(page)).toEqual([]);
    const first = await titles(page);
    await pager(page).getByRole("link", { name: "17", exact: true }).click();
    expect(await titles(page)).toHaveLength(40);
    expect(await page.locator("h2#guides").innerText()).toBe("1,000 guides, page 17 of 17");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Previous" }).click();
    expect(await titles(page)).toHaveLength(60);
    await pager(page).getByRole("link", { name: "1", exact: true }).click();
    await page.waitForURL(`${reader.at(TIME, CATEGORY)}#guides`);
    expect(await titles(page)).toEqual(first);
    expect(trouble).toEqual([]);
  });

  it("is filtered and ordered as a whole, with an address", async () => {
    const { page, trouble } = await open();
    const before = await titles(page);
    const categories = await titles(page, "categories");
    await page.locator("#guides-filter").fill("ol 49");
    await told(page, "2 of 1,000");
    expect((await titles(page))[0]).toBe("Guide 493 about Öl");
    await page.locator("#guides-filter").fill("軸受");
    await told(page, "200 of 1,000");
    expect(await titles(page)).toHaveLength(60);
    await screenshot(page, "category-filtered", "window");
    expect(await axeFindings(page)).toEqual([]);
    await pager(page).getByRole("link", { name: "4", exact: true }).click();
    await told(page, "200 of 1,000");
    await expect.poll(() => titles(page)).toHaveLength(20);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      "guides-filter": "軸受",
      "guides-page": "4",
    });
    await page.locator("#guides-filter").fill("nothing has this");
    await told(page, "0 of 1,000");
    await page.locator("#guides-filter").fill("");
    await page.locator("#guides-order").selectOption("updated");
    await expect.poll(async () => (await titles(page))[0]).not.toBe(before[0]);
    const latest = items(GUIDES).flatMap((item) => (item.kind === "guide" ? [item.body] : []));
    latest.sort((one, other) => (other.modifiedDate ?? 0) - (one.modifiedDate ?? 0));
    expect(await titles(page)).toEqual(latest.slice(0, 60).map(({ title }) => title));
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(latest.slice(0, 60).map(({ title }) => title));
    await page.locator("#guides-order").selectOption("");
    await expect.poll(() => titles(page)).toEqual(before);
    expect(new URL(page.url()).search).toBe("");
    expect(await titles(page, "categories")).toEqual(categories);
    expect(trouble).toEqual([]);
  });

  it("shows found cards as the page shows its own", async () => {
    const { page } = await open();
    const shape = (): Promise<readonly string[]> =>
      page
        .locator("#guides-list .cards > li")
        .evaluateAll((all) => all.map((each) => each.outerHTML.replace(/(media\/[0-9a-f]{64})\.png/, "$1")));
    const first = await shape();
    await page.locator("#guides-order").selectOption("updated");
    await expect.poll(shape).not.toEqual(first);
    const ordered = await shape();
    const known = new Map(first.map((each) => [/href="[^"]*"/.exec(each)?.[0], normal(each)]));
    const both = ordered.filter((each) => known.has(/href="[^"]*"/.exec(each)?.[0]));
    for (const each of both) expect(normal(each)).toBe(known.get(/href="[^"]*"/.exec(each)?.[0]));
    await page.locator("#guides-filter").fill("onerror");
    await expect.poll(() => titles(page)).toEqual(["<img src=x onerror=harm()>"]);
  });

  it("fits a phone, and has all its pages without scripts", async () => {
    const phone = await open("?guides-filter=pumps", { width: 390 });
    await told(phone.page, "200 of 1,000");
    expect(await tooWide(phone.page)).toBe(0);
    const { page } = await open("", { scripts: false });
    expect(await page.locator(".listing-tools").first().isVisible()).toBe(false);
    await pager(page).getByRole("link", { name: "Next" }).click();
    expect(await titles(page)).toHaveLength(60);
  });
});

describeInChromium("a large category in an export", (chromium) => {
  it("has pages, order and filter from a disk", async () => {
    const folder = await temporaryFolder();
    await exported(await machines(join(folder, "repo"), 130), join(folder, "site"));
    const { page, trouble } = await chromium.open(pathToFileURL(join(folder, "site", CATEGORY)).href);
    await pager(page).getByRole("link", { name: "3", exact: true }).click();
    expect(await titles(page)).toHaveLength(10);
    await page.locator("#guides-filter").fill("öl");
    await told(page, "26 of 130");
    expect(await titles(page)).toHaveLength(26);
    await expect
      .poll(() =>
        page.evaluate(
          "[...document.querySelectorAll('#guides-list img')].filter((each) => each.complete && each.naturalWidth > 0).length",
        ),
      )
      .toBeGreaterThan(0);
    await page.locator("#guides-list .card-title").first().click();
    expect(page.url()).toContain("/guide/");
    expect(trouble).toEqual([]);
  });
});

/** Without what says the same in another way. */
function normal(html: string): string {
  return html
    .replace(/ dir=""/g, "")
    .replace(/<span class="mark">U\+202E<\/span>/, "")
    .replace(/ (?:alt|src|loading|decoding|class)="[^"]*"/g, "");
}

function titles(page: Page, id = "guides"): Promise<readonly string[]> {
  return page.locator(`#${id}-list .card-title`).allInnerTexts();
}

function told(page: Page, words: string): Promise<void> {
  return page.locator("#guides-list [role=status]", { hasText: new RegExp(`^${words}$`) }).waitFor();
}

function pager(page: Page) {
  return page.locator("#guides-list .pager");
}
