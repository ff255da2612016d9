import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { liveViewOf } from "../helpers/live-view.js";
import { twoSites } from "../helpers/two-sites.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { coloursOf, focused, reachingOut, shownText, tabTo, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";

const SOON = { timeout: 300_000 };

describeInChromium("the live view of a run", (chromium) => {
  it("pauses and resumes the run by keyboard, and stays readable after the end, as does the report", async () => {
    const sites = await twoSites();
    sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
    sites.target.faults.inject({ kind: "status", status: 429, retryAfter: 1 }, { method: "POST", times: 1 });
    const cli = sites.startMigration("--ui", "--rate", "15/s");
    const view = await liveViewOf(cli);
    // A browser may take longer to open than this run takes to end.
    await expect.poll(() => sites.source.recorded.some(({ path }) => path === "/guides/2"), SOON).toBe(true);
    await view.post("/pause");
    const { page, trouble } = await chromium.open(view.url);
    const state = page.getByRole("status");
    await page.getByText("Failures in this run (1)").waitFor();
    expect(await state.innerText()).toContain("Paused: no new requests are sent.");
    await tabTo(page, "Resume");
    await page.keyboard.press("Enter");
    await page.getByText("Running.").waitFor();
    expect(await focused(page)).toBe("Pause");
    await page.keyboard.press("Enter");
    await page.getByText("Paused: no new requests are sent.").waitFor();
    expect(await focused(page)).toBe("Resume");
    await page.getByText("Show items", { exact: true }).click();
    await page.evaluate("document.querySelector('#failures summary').kept = true");
    await page.evaluate("scrollTo(0, 120)");
    // The shown time continues, so this is a newer page.
    const before = await shownText(page, "dl");
    await expect.poll(() => shownText(page, "dl"), SOON).not.toBe(before);
    expect(await page.evaluate("document.querySelector('#failures summary').kept")).toBe(true);
    expect(await page.getByText("guide/2", { exact: true }).isVisible()).toBe(true);
    expect(await page.evaluate("scrollY")).toBe(120);
    await page.evaluate("scrollTo(0, 0)");
    expect(await axeFindings(page)).toEqual([]);
    await screenshot(page, "live-light");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFindings(page, "colours")).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await tooWide(page), String(await reachingOut(page))).toBe(0);
    await screenshot(page, "live-dark-phone");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.getByRole("button", { name: "Resume" }).focus();
    await page.keyboard.press("Enter");
    expect((await cli.ended).code).toBe(3);
    await page.getByText("The run has ended with exit code 3").waitFor();
    expect(await focused(page)).toBe(await state.innerText());
    expect(await shownText(page, "main")).toContain("Items by kind");
    expect(await axeFindings(page)).toEqual([]);
    await screenshot(page, "live-over");
    expect(trouble).toEqual([]);
    const [, report = ""] = /HTML report: (.*)$/.exec(await state.innerText()) ?? [];
    await looksWell(report);
  });

  async function looksWell(report: string): Promise<void> {
    const { page, trouble } = await chromium.open(pathToFileURL(report).href);
    // Pauses by a person and by the site are distinguished, for eyes and ears.
    expect(await shownText(page, "#requests")).toMatch(/paused manually for .*Paused manually in the live view/s);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    expect(await axeFindings(page)).toEqual([]);
    await screenshot(page, "report-light");
    const light = await coloursOf(page);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await coloursOf(page)).not.toBe(light);
    expect(await axeFindings(page, "colours")).toEqual([]);
    await screenshot(page, "report-dark");
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `${width} px: ${await reachingOut(page)}`).toBe(0);
      if (width === 390) await screenshot(page, "report-phone");
    }
    expect(trouble).toEqual([]);
  }
});
