import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Issue } from "../../src/core/model/issue.js";
import type { MovedThing } from "../../src/sync/map/moved-things.js";
import { entriesOf } from "../../src/web/report/entries.js";
import { reportHtml } from "../../src/web/report/report-page.js";
import { REPORT_FORMAT, type RunReport, runReportSchema } from "../../src/web/report/run-report.js";
import { HOSTILE_TITLES } from "../helpers/hostile-items.js";
import { removeFolder } from "../helpers/temporary-folder.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { focused, reachingOut, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";
import { staticFiles } from "./helpers/static-files.js";

const GUIDES = 20_000;
const COMMAND = "guideferry retry ./work --fit split";
const REASON = "The line has 354 characters, and the limit is 350.";

/** Three losses of each guide; a text that tries to end its element is in each. */
function* issues(): Generator<Issue> {
  for (let id = 1; id <= GUIDES; id += 1) {
    const issue = { level: "loss", key: `guide/${id}` } as const;
    yield { ...issue, code: "dates", path: "dates", message: "The dates are not kept." };
    yield {
      ...issue,
      code: "author",
      path: "author",
      message: `Its author ${id % 97} is unknown.`,
      remedy: "Name the user.",
    };
    yield {
      ...issue,
      code: "comments",
      path: `steps[${id % 9}].comments`,
      message: "1 comment </script><script>harm()</script>",
    };
  }
}

function* moved(): Generator<MovedThing> {
  for (let id = 1; id <= GUIDES; id += 1) {
    const [oldAddress, newAddress] = [`https://old.example/Guide/-/${id}`, `https://new.example/Guide/-/${id + 7}`];
    yield {
      kind: "guide",
      key: `guide/${id}`,
      title: titleOf(id),
      oldId: `${id}`,
      oldAddress,
      newId: `${id + 7}`,
      newAddress,
      adopted: false,
    };
  }
}

function titleOf(id: number): string {
  return HOSTILE_TITLES[id - 1] ?? `How to warp loom ${id}`;
}

function reportOf(): RunReport {
  const leftOut = {
    count: 1,
    causes: [{ reason: REASON, remedy: "Divide it.", stages: ["check"], count: 1, keys: ["guide/20001"] }],
  };
  const row = { kind: "guide", created: GUIDES, leftOut: 1, losses: 3 * GUIDES };
  const all = issues();
  const first = [0, 1, 2].map(() => all.next().value);
  const groups = (["dates", "author", "comments"] as const).map((code, at) => {
    const issue = first[at];
    return {
      kind: "guide",
      code,
      level: "loss",
      count: GUIDES,
      examples: [{ issue, title: "", atSource: null, atTarget: null, unread: null }],
    };
  });
  const time = "2026-11-20T03:00:00.000Z";
  return runReportSchema.parse({
    ...{ format: REPORT_FORMAT, madeBy: "guideferry test", madeAt: time, words: [], stages: [], timeline: null },
    run: {
      id: "r1",
      command: "migrate",
      started: time,
      active: time,
      ended: time,
      exitCode: 3,
      meaning: "finished",
      stopped: null,
    },
    source: { name: HOSTILE_TITLES[0], root: "https://old.example/api/2.0" },
    target: { name: "New", root: "https://new.example/api/2.0", reached: true },
    kinds: [row],
    leftOut: { count: 1, ways: [{ takenInBy: "--fit split", command: COMMAND, ...leftOut }] },
    ...{ notSent: { count: 0, causes: [] }, failures: { count: 0, causes: [] }, losses: groups },
    ...{ dangling: { count: 0, first: [] }, moved: GUIDES },
  });
}

function writePage(file: string): void {
  const report = reportOf();
  const itemOf = (key: string) => ({
    title: titleOf(Number(key.slice(6))),
    address: `https://old.example/Guide/-/${key.slice(6)}`,
  });
  const out = { key: "guide/20001", stage: "check", reason: REASON, remedy: "Divide it.", takenInBy: "--fit split" };
  const entries = entriesOf({
    report,
    outcomes: [{ result: "left-out", ...out }],
    issues: issues(),
    moved: moved(),
    itemOf,
  });
  writeFileSync(file, [...reportHtml(report, entries)].join(""));
}

const status = (page: Page) => page.locator("#entries [role=status]").innerText();
const rows = (page: Page) => page.locator("#entries tbody tr");
const filterWith = (page: Page, words: string) => page.getByRole("searchbox", { name: "Filter" }).fill(words);

describeInChromium("the report of 20,000 guides with 60,000 losses", (chromium) => {
  const folder = mkdtempSync(join(tmpdir(), "guideferry-test-"));
  const file = join(folder, "report.html");
  const url = pathToFileURL(file).href;
  beforeAll(() => writePage(file));
  afterAll(() => removeFolder(folder));

  it("opens, shows all entries a window at a time, and finds them by words, prefixes and chips", async ({
    annotate,
  }) => {
    const { page, trouble } = await chromium.open(url);
    expect(await status(page)).toBe("1 to 50 of 80,001 entries.");
    const painted = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
    await annotate(`${statSync(file).size} bytes; the first paint after ${String(painted)} ms`);
    await screenshot(page, "report-large", "window");
    await page.getByRole("button", { name: "Next 50" }).click();
    expect(await status(page)).toBe("51 to 100 of 80,001 entries.");
    const found = [
      ["loom 19999", "1 to 5 of 5 entries, 80,001 in total."],
      ["code:author key:guide/19", "1 to 50 of 1,111 entries, 80,001 in total."],
      ["loom -result:lost -result:to-do -result:moved", "1 to 1 of 1 entry, 80,001 in total."],
      ["result:left-out result:moved", "1 to 50 of 20,001 entries, 80,001 in total."],
      ["kind:wiki", "No entry matches, 80,001 in total."],
    ];
    for (const [words = "", expected] of found) {
      await filterWith(page, words);
      expect(await status(page), words).toBe(expected);
    }
    await filterWith(page, 'field:"step 3" loom');
    expect(await rows(page).first().innerText()).toMatch(/Step 3, comments: 1 comment <\/script>/);
    await filterWith(page, "");
    await page.getByRole("button", { name: "Left out 1", exact: true }).click();
    expect(await rows(page).count()).toBe(1);
    expect(page.url()).toMatch(/#find=result%3Aleft-out$/);
    expect(await rows(page).innerText()).toContain(`To include it: ${COMMAND}`);
    await page.locator("#losses summary").first().click();
    await page.getByRole("link", { name: "Show 20,000 in the list" }).first().click();
    // A change of the address arrives later than the click.
    await page.getByText("1 to 50 of 20,000 entries, 80,001 in total.").waitFor();
    expect(trouble).toEqual([]);
  });

  it("has an address for each entry and each filter, and links an entry to both sites", async () => {
    const { page, trouble } = await chromium.open(url);
    await filterWith(page, "key:guide/12345 code:author");
    const link = page.getByRole("link", { name: "Link to this entry" });
    const address = await link.evaluate((element) => (element as unknown as { href: string }).href);
    await page.goto("about:blank");
    await page.goto(address);
    const wanted = page.locator("tr.wanted");
    expect(await wanted.innerText()).toContain("How to warp loom 12345");
    const links = await wanted.locator("th a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(links).toEqual(["https://old.example/Guide/-/12345", "https://new.example/Guide/-/12352"]);
    expect(await focused(page)).toContain("Link to this entry: How to warp loom 12345");
    expect(trouble).toEqual([]);
  });

  it("is used by keyboard, and copies a command", async () => {
    const { page, trouble } = await chromium.open(url);
    await page.keyboard.press("/");
    await page.keyboard.type("code:dates");
    expect(await status(page)).toBe("1 to 50 of 20,000 entries, 80,001 in total.");
    await page.keyboard.press("Escape");
    expect(await status(page)).toBe("1 to 50 of 80,001 entries.");
    await page.keyboard.press("Tab");
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    expect(await focused(page)).toBe(
      await rows(page).first().getByRole("link", { name: "Link to" }).getAttribute("aria-label"),
    );
    await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    await page.locator("#left-out").getByRole("button", { name: "Copy" }).click();
    await page.locator("#left-out").getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("window.copied")).toBe(COMMAND);
    expect(trouble).toEqual([]);
  });

  it("can be read by all, on a phone, in the dark and on paper", async () => {
    const { page, trouble } = await chromium.open(url);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await axeFindings(page, "colours")).toEqual([]);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `${width} px: ${await reachingOut(page)}`).toBe(0);
      if (width === 390) await screenshot(page, "report-large-phone");
    }
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    expect(trouble).toEqual([]);
  });

  it("shows the first entries without scripts, and says where all of them are", async () => {
    const { page, trouble } = await chromium.open(url, { scripts: false });
    expect(await rows(page).count()).toBe(50);
    expect(await page.locator("#entries").innerText()).toMatch(
      /The first 50 of 80,001\. .*losses\.ndjson.*guideferry map/s,
    );
    expect(await page.getByText("Show 20,000 in the list").first().isVisible()).toBe(false);
    expect(trouble).toEqual([]);
  });

  it("does nothing that a title or a message asks for, were there no policy", async () => {
    const { page, trouble } = await chromium.open(`${await staticFiles(folder)}report.html`, { policy: false });
    await filterWith(page, "-loom");
    const dangers = `[...document.querySelectorAll("main :is(img, iframe, object, svg script, script:not([type='application/json']))"),
      ...[...document.querySelectorAll("a[href]")].filter(({ protocol }) => !["http:", "https:", "file:"].includes(protocol))]
      .map((each) => each.outerHTML.slice(0, 200))`;
    expect(await page.evaluate(dangers)).toEqual([]);
    expect(trouble).toEqual([]);
  });
});
