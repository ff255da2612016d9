import { join } from "node:path";
import { expect, it } from "vitest";
import { mediaPath, pagePathOf, tagPath } from "../../src/web/reader/page-path.js";
import { HOSTILE_MEDIA, HOSTILE_TITLES, hostileItems } from "../helpers/hostile-items.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";

const [OLD, NEW] = ["20261101T030000Z", "20261108T030000Z"] as const;

async function hostileSite(folder: string): Promise<string> {
  const maker = await makeRepository(join(folder, "hostile"));
  const items = hostileItems();
  await maker.add({ snapshot: OLD, items: items.slice(1), media: HOSTILE_MEDIA.slice() });
  await maker.add({ snapshot: NEW, items, media: HOSTILE_MEDIA.slice() });
  return maker.folder;
}

const [TITLE = ""] = HOSTILE_TITLES;
const PAGES: readonly string[] = [
  "index.html",
  pagePathOf("guide/1"),
  pagePathOf("guide/104"),
  pagePathOf("category/Round"),
  pagePathOf(`category/${TITLE}`),
  pagePathOf("wiki/ITEM/Tricks"),
  pagePathOf(`wiki/INFO/${TITLE}`),
  pagePathOf("wiki/WIKI/Long"),
  ...["tags.html", tagPath(TITLE), "guides.html", "pages.html", "documents.html", "about.html"],
  `changes/${OLD}.html`,
  `changes/${OLD}/${pagePathOf("guide/1")}`,
];

/** Those that show HTML and wiki text of the site, on which a policy has most to forbid. */
const HTML_PAGES = (["guide/1", "guide/104", "category/Round", "wiki/ITEM/Tricks", `wiki/INFO/${TITLE}`] as const).map(
  pagePathOf,
);

/**
 * Puts the pointer on everything, gives the focus to what takes it, clicks what leads nowhere else.
 */
const TOUCH = `
  const names = ["pointerover", "mouseover", "mouseenter", "focus", "animationstart", "toggle", "error", "load"];
  for (const each of document.querySelectorAll("main *")) for (const name of names) each.dispatchEvent(new Event(name));
  for (const each of document.querySelectorAll("main [tabindex], main summary")) each.focus({ preventScroll: true });
  for (const each of document.querySelectorAll("main a[href^='#'], main summary")) each.click();
`;

/**
 * Addresses that do more than lead somewhere, and what none of our pages has, read from the page
 * itself.
 */
const DANGERS = `[
  ...[...document.querySelectorAll("a[href], area[href]")].filter(({ protocol }) => !["http:", "https:", "mailto:", "tel:"].includes(protocol)),
  ...document.querySelectorAll("main :is(script, iframe, object, embed, form, style, base, link, meta, template, portal)"),
  ...[...document.querySelectorAll("main *")].filter((each) => each.getAttributeNames().some((name) => name === "style" || name.startsWith("on"))),
  ...[...document.querySelectorAll("main [src]")].filter(({ src }) => !src.startsWith(location.origin + "/")),
].map((each) => each.outerHTML.slice(0, 200))`;

describeInChromium("a site that was written to do harm", (chromium) => {
  const reader = servedReader(hostileSite);

  it("does nothing, were there no policy", async () => {
    const { page, trouble } = await chromium.open(reader.at(NEW, "index.html"), { policy: false });
    for (const path of PAGES) {
      await page.goto(reader.at(NEW, path));
      await page.evaluate(TOUCH);
      expect(await page.evaluate(DANGERS), path).toEqual([]);
      expect(await tooWide(page), path).toBe(0);
      await screenshot(page, `hostile-${path.replaceAll("/", "-").slice(0, 40)}`, "window");
      expect(trouble, path).toEqual([]);
    }
  });

  it("gives the policy nothing to forbid", async () => {
    const { page, trouble } = await chromium.open(reader.at(NEW, "index.html"));
    for (const path of HTML_PAGES) {
      await page.goto(reader.at(NEW, path));
      await page.evaluate(TOUCH);
      expect(trouble, path).toEqual([]);
    }
  });

  it("is still a page that all can read", async () => {
    for (const path of [pagePathOf("guide/1"), pagePathOf("wiki/ITEM/Tricks")]) {
      const { page } = await chromium.open(reader.at(NEW, path));
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  it.each(HOSTILE_MEDIA.map((bytes) => [sha256Of(bytes)]))(
    "has files that only ever are downloads: %s",
    async (sha256) => {
      for (const extension of ["png", "svg", "html"]) {
        const answer = await fetch(reader.at(NEW, mediaPath(sha256, { extension })));
        expect(answer.headers.get("content-type")).toBe("application/octet-stream");
        expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
      }
    },
  );
});
