import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { shownPlan } from "../helpers/plan-files.js";
import { stepBody, twoGuides } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { reachingOut, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";

/** A sheet of A4 without its margins, in pixels. */
const SHEET = 688;

async function planPage(): Promise<string> {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { introduction: "Use it by hand. It hangs.", summary: "New." });
  await pair.run();
  pair.source.edit.guide(1, { introduction: "Use it by hand. It will hang." });
  pair.source.edit.addStep(2, stepBody(2, `${"Wind the warp again. ".repeat(16)}[guide|999|so]`));
  const { html } = await shownPlan(pair, { fit: "refuse" });
  const file = join(await temporaryFolder(), "plan.html");
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Left edges of the elements, in pixels. */
function leftOf(page: Page, selector: string): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(
    `[...document.querySelectorAll("${selector}")].map((each) => Math.round(each.getBoundingClientRect().left))`,
  );
}

describeInChromium("the page of a plan", (chromium) => {
  it("can be read by all, on a phone and in the dark, and compares in two columns", async () => {
    const { page, trouble } = await chromium.open(await planPage());
    expect(await axeFindings(page)).toEqual([]);
    await screenshot(page, "plan-light");
    const [old = 0, now = 0] = await leftOf(page, ".planned .side");
    expect(now).toBeGreaterThan(old + 400);
    const colours = await page.evaluate(
      "[...document.querySelectorAll('.planned .went, .planned .came')].map((each) => getComputedStyle(each).color)",
    );
    expect(colours).toEqual(["rgb(163, 36, 43)", "rgb(28, 107, 53)"]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFindings(page, "colours")).toEqual([]);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `${width} px: ${await reachingOut(page)}`).toBe(0);
      if (width === 390) await screenshot(page, "plan-phone");
    }
    expect(trouble).toEqual([]);
  });

  it("is printed with both columns, all that is folded, and lines to sign on one sheet", async () => {
    const { page, trouble } = await chromium.open(await planPage());
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })");
    await page.setViewportSize({ width: SHEET, height: 900 });
    await page.emulateMedia({ media: "print" });
    await screenshot(page, "plan-print");
    const [old = 0, now = 0] = await leftOf(page, ".planned .side");
    expect(now).toBeGreaterThan(old + SHEET / 3);
    expect(await page.getByText("[added: will hang]").isVisible()).toBe(true);
    expect(await page.getByRole("navigation").isVisible()).toBe(false);
    const lines = page.locator(".signature dd");
    const sizes = await lines.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    expect(sizes).toHaveLength(3);
    for (const { width, height } of sizes) expect([width > 100, height > 30]).toEqual([true, true]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('#approval')).breakInside")).toBe("avoid");
    expect(trouble).toEqual([]);
  });
});
