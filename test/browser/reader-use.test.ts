import { expect, it } from "vitest";
import { pagePathOf } from "../../src/web/reader/page-path.js";
import { describeInChromium } from "./helpers/chromium.js";
import { focused, shownText, tabTo, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { servedReader } from "./helpers/served-reader.js";
import { AFTER, BEFORE, weavingSchool } from "./helpers/weaving-school.js";

const GUIDE = pagePathOf("guide/1");
const LINES = ["Measure three metres", "Thread 8 goes through", "Watch how it is beamed", "Tie on in pairs", "maker's"];

describeInChromium("whoever reads", (chromium) => {
  const reader = servedReader(weavingSchool);

  it("comes from home to a guide and its step by clicks", async () => {
    const { page, trouble } = await chromium.open(reader.url);
    expect(page.url()).toBe(reader.at(AFTER, "index.html"));
    await page.getByRole("main").getByRole("link", { name: "Looms" }).first().click();
    await page.getByRole("main").getByRole("link", { name: "Hand looms" }).first().click();
    await page.getByRole("main").getByRole("link", { name: "How to warp a hand loom" }).first().click();
    expect(page.url()).toBe(reader.at(AFTER, GUIDE));
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("How to warp a hand loom");
    const text = await shownText(page);
    for (const words of LINES) expect(text).toContain(words);

    await page.getByRole("link", { name: "how to warp" }).click();
    expect(new URL(page.url()).hash).toBe("#s12");
    // Nothing that stays on the screen covers the place that a link leads to.
    const heading = await page.locator("#s12 h3").boundingBox();
    const at = `document.elementFromPoint(${(heading?.x ?? 0) + 10}, ${(heading?.y ?? 0) + 5})`;
    expect(await page.evaluate(`${at}?.closest("#s12")?.id`)).toBe("s12");
    await page.getByRole("link", { name: "weave plain cloth" }).click();
    expect(page.url()).toBe(reader.at(AFTER, pagePathOf("guide/2")));
    await page.locator("nav.crumbs").getByRole("link", { name: "Looms", exact: true }).click();
    expect(page.url()).toBe(reader.at(AFTER, pagePathOf("category/Looms")));
    expect(trouble).toEqual([]);
  });

  it("needs no mouse", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, "index.html"));
    await page.keyboard.press("Tab");
    expect(await focused(page)).toMatch(/^Skip/);
    await page.keyboard.press("Enter");
    await tabTo(page, "Looms");
    await page.keyboard.press("Enter");
    await page.waitForURL(reader.at(AFTER, pagePathOf("category/Looms")));
    await tabTo(page, "Hand looms");
    await page.keyboard.press("Enter");
    await page.waitForURL(reader.at(AFTER, pagePathOf("category/Hand looms")));
    await tabTo(page, "How to warp");
    await page.keyboard.press("Enter");
    await page.waitForURL(reader.at(AFTER, GUIDE));
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    expect(trouble).toEqual([]);
  });

  it("sees pictures large, and is back where it was", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE));
    const picture = page.locator("#s11 a.zoom").first();
    await picture.focus();
    await page.keyboard.press("Enter");
    const viewer = page.getByRole("dialog");
    await viewer.waitFor();
    const source = (): Promise<string | null> => viewer.locator("img").getAttribute("src");
    const first = await source();
    expect(first).toContain("/media/");
    await screenshot(page, "zoom", "window");
    await page.keyboard.press("ArrowRight");
    const second = await source();
    expect(second).not.toBe(first);
    await page.keyboard.press("ArrowLeft");
    expect(await source()).toBe(first);

    await page.setViewportSize({ width: 500, height: 400 });
    const picture800 = viewer.locator("img");
    const width = async (): Promise<number> => Math.round((await picture800.boundingBox())?.width ?? 0);
    expect(await width()).toBeLessThan(500);
    await page.keyboard.press("+");
    expect(await width()).toBe(800);
    expect(await viewer.getByRole("button", { name: "Full size" }).getAttribute("aria-pressed")).toBe("true");
    const left = async (): Promise<number> => (await picture800.boundingBox())?.x ?? 0;
    const before = await left();
    await page.keyboard.press("ArrowRight");
    expect(await left()).toBeLessThan(before);
    expect(await source()).toBe(first);
    await page.keyboard.press("-");
    expect(await width()).toBeLessThan(500);
    // What is clicked stays under the pointer.
    await page.setViewportSize({ width: 700, height: 400 });
    const box = await picture800.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) * 0.6, (box?.y ?? 0) + (box?.height ?? 0) * 0.5];
    await page.mouse.click(x, y);
    expect(await width()).toBe(800);
    const large = await picture800.boundingBox();
    expect(Math.abs((large?.x ?? 0) + 480 - x)).toBeLessThan(3);
    await page.keyboard.press("-");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement === document.querySelector('#s11 a.zoom')")).toBe(true);
    expect(page.url()).toBe(reader.at(AFTER, GUIDE));
    expect(trouble).toEqual([]);
  });

  it("has a phone, whose width the page takes, and a finger", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE), { width: 390 });
    expect(await page.evaluate("document.documentElement.clientWidth")).toBe(390);
    expect(await tooWide(page)).toBe(0);
    await page.locator("#s11 a.zoom").first().tap();
    await page.getByRole("dialog").waitFor();
    await screenshot(page, "zoom-phone", "window");
    expect((await page.getByRole("dialog").locator("img").boundingBox())?.width).toBe(390);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(trouble).toEqual([]);
  });

  it("compares two times, old beside new", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE));
    await page.getByText("Compare with another snapshot").click();
    await page.locator("details.compare").getByRole("link", { name: "1 November 2026" }).click();
    expect(page.url()).toBe(reader.at(AFTER, `changes/${BEFORE}/${GUIDE}`));
    expect(await shownText(page, "main")).toMatch(
      /Measure\s+\[removed:\s*two metres\s*\][\s\S]*Measure\s+\[added:\s*three metres/,
    );

    await page.goto(reader.at(AFTER, `changes/${BEFORE}.html`));
    const text = await shownText(page, "main");
    for (const title of ["How to warp a hand loom", "Care of looms", "Mend a heddle", "Finish the edges"])
      expect(text).toContain(title);
    expect(text).not.toContain("Wind a ball");

    await page.goto(reader.at(AFTER, GUIDE));
    await page.locator("details.times summary").click();
    await page
      .getByRole("navigation", { name: "Other snapshots" })
      .getByRole("link", { name: "1 November" })
      .first()
      .click();
    expect(page.url()).toBe(reader.at(BEFORE, GUIDE));
    expect(await shownText(page)).toContain("Measure two metres");
    expect(trouble).toEqual([]);
  });

  it("prints a manual", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE));
    const counts = async () => {
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      const count = (pattern: RegExp): number => pdf.match(pattern)?.length ?? 0;
      return { pages: count(/\/Type\s*\/Page\b(?!s)/g), pictures: count(/\/Subtype\s*\/Image\b/g) };
    };
    expect((await counts()).pages).toBeGreaterThanOrEqual(2);
    // Also the pictures that nobody scrolled to, each once: printing asks for them, and a busy
    // machine brings them later.
    await expect.poll(async () => (await counts()).pictures, { timeout: 300_000 }).toBeGreaterThanOrEqual(4);

    await page.emulateMedia({ media: "print" });
    const text = await shownText(page);
    for (const words of ["How to warp a hand loom", "Cotton yarn", "Warping peg", "Well done", ...LINES])
      expect(text).toContain(words);
    for (const part of ["header.top", ".skip", "details.times", "details.compare", "search"])
      for (const each of await page.locator(part).all()) expect(await each.isVisible(), part).toBe(false);
    await screenshot(page, "print");
    expect(trouble).toEqual([]);
  });

  it("reads without scripts", async () => {
    const { page, trouble } = await chromium.open(reader.at(AFTER, GUIDE), { scripts: false });
    const text = await page.locator("main").innerText();
    for (const words of LINES) expect(text).toContain(words);
    expect(await page.locator("#search").count()).toBeGreaterThan(0);
    expect(await page.locator("#search").first().isVisible()).toBe(false);
    expect(trouble).toEqual([]);
    await page.locator("#s11 a.zoom").first().click();
    expect(page.url()).toMatch(/\/media\/[0-9a-f]{64}\.png$/);
  });
});
