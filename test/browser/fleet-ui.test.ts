import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { findTask } from "../../src/fleet/tasks.js";
import { Secret } from "../../src/service/http/secret.js";
import { type ShownFleet, shownFleet } from "../helpers/fleet-ui.js";
import { startPostgres } from "../helpers/postgres-server.js";
import { axeFindings } from "./helpers/axe-findings.js";
import { describeInChromium } from "./helpers/chromium.js";
import { focused, reachingOut, shownText, tooWide } from "./helpers/looks.js";
import { screenshot } from "./helpers/screenshot.js";

const SOON = { timeout: 120_000 };
const NIGHTLY = { cron: "30 2 * * *", timeZone: "UTC" } as const;

describe("the operators' pages", { tags: ["postgres"] }, () => {
  describeInChromium("in a browser", (chromium) => {
    it("show what needs attention first, on wide and narrow screens, in both colour schemes", async () => {
      const { fleet, running } = await busyFleet();
      const { page, trouble } = await chromium.open(fleet.addresses.at(-1) ?? "", { width: 1200 });
      // The token has left the address.
      expect(page.url()).toBe(`${fleet.origin}/`);
      const titles = await page.locator("h2").allInnerTexts();
      expect(titles).toEqual(["Failures by cause", "Running (2)", "Sites", "Trial restores", "Workers (1)"]);
      // Before or after the hour of the schedule.
      expect(await page.locator("#sites tbody tr").first().innerText()).toMatch(
        /late\.example[\s\S]*overdue by [23] days/,
      );
      await looksWell(page, "fleet");
      await page.getByRole("link", { name: "old.example → new.example" }).click();
      await page.getByText("load: 412 of 1,300").waitFor();
      expect(page.url()).toBe(`${fleet.origin}/tasks/${running}`);
      expect(await shownText(page, "#log")).toContain("Reads https://old.example");
      await looksWell(page, "fleet-task");
      await page.getByRole("link", { name: "Tasks" }).first().click();
      await page.getByRole("heading", { name: "Tasks" }).waitFor();
      await looksWell(page, "fleet-tasks");
      expect(trouble).toEqual([]);
    });

    it("filter sites while somebody types, and keep what was typed in the address", async () => {
      const { fleet } = await busyFleet();
      const { page, trouble } = await chromium.open(fleet.addresses.at(-1) ?? "", { width: 1200 });
      await page.getByLabel("Filter sites").focus();
      await page.keyboard.type("site-1 orchard");
      await expect.poll(() => page.locator("#sites tbody tr").count(), SOON).toBe(1);
      expect(new URL(page.url()).search).toBe("?find=site-1+orchard");
      expect(await page.getByLabel("Filter sites").inputValue()).toBe("site-1 orchard");
      expect(await page.evaluate("document.activeElement.id")).toBe("sites-find");
      await page.reload();
      expect(await page.locator("#sites tbody tr").count()).toBe(1);
      await page.getByRole("link", { name: "all 15" }).waitFor();
      expect(trouble).toEqual([]);
    });

    it("pause a task by keyboard, and show live progress, both without another load of the page", async () => {
      const { fleet, running } = await busyFleet();
      const { page, trouble } = await chromium.open(fleet.addresses.at(-1) ?? "", { width: 1200 });
      await page.evaluate("window.kept = true");
      await page.evaluate("document.querySelector('#sites').kept = true");
      await fleet.database.query("UPDATE guideferry.run SET progress = progress || '{\"done\": 900}' WHERE task = $1", [
        running,
      ]);
      await page.getByText("load: 900 of 1,300").waitFor(SOON);
      expect(await page.locator(`#running-${running} progress`).getAttribute("value")).toBe("900");
      await page.locator(`#running-${running} button`).focus();
      expect(await focused(page)).toMatch(/^Pause migrate old\.example/);
      await page.keyboard.press("Enter");
      await page.getByText("Paused. A running command finishes its item").waitFor();
      await page.locator(`#running-${running}`).getByText("Pausing…").waitFor();
      expect((await findTask(fleet.database, running)).state).toBe("running");
      // A run that ends goes, and the others stay the same elements.
      const other = await page.locator(".fleet-runs li").last().elementHandle();
      await end(fleet, running);
      await expect.poll(() => page.locator(`#running-${running}`).count(), SOON).toBe(0);
      expect(await other?.evaluate((element) => element.isConnected)).toBe(true);
      expect((await findTask(fleet.database, running)).state).toBe("paused");
      expect(await page.evaluate("window.kept && document.querySelector('#sites').kept")).toBe(true);
      expect(trouble).toEqual([]);
    });

    it("work without scripts: a form pauses a task, and cancelling asks first", async () => {
      const { fleet, running } = await busyFleet();
      const { page, trouble } = await chromium.open(fleet.addresses.at(-1) ?? "", { scripts: false, width: 390 });
      await page.locator(`#running-${running} button`).click();
      await page.getByText("Paused. A running command finishes its item").waitFor();
      await page.getByLabel("Filter sites").fill("late");
      await page.getByRole("button", { name: "Search" }).click();
      expect(await page.locator("#sites tbody tr").count()).toBe(1);
      await page.locator("#sites tbody a").click();
      expect(await page.getByRole("button", { name: "Cancel this task" }).isVisible()).toBe(false);
      await page.getByText("Cancel…").click();
      await page.getByRole("button", { name: "Cancel this task" }).click();
      await page.getByText("Cancelled. A running command finishes").waitFor();
      expect((await findTask(fleet.database, "late")).state).toBe("cancelled");
      await page.getByRole("button", { name: "Run again" }).click();
      await page.getByText("Queued. It starts").waitFor();
      expect(trouble).toEqual([]);
    });

    it("sign in with a permanent token by the form, and out again", async () => {
      const fleet = await shownFleet({ token: new Secret("a-token-of-sixteen-or-more") });
      const { page, trouble } = await chromium.open(`${fleet.origin}/tasks`, { width: 390 });
      expect(await axeFindings(page)).toEqual([]);
      await screenshot(page, "fleet-sign-in");
      await page.getByLabel("Token").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("This token is not right").waitFor(SOON);
      await page.getByLabel("Token").fill("a-token-of-sixteen-or-more");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Tasks" }).waitFor();
      expect(page.url()).toBe(`${fleet.origin}/tasks`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Token").waitFor();
      // The form is the answer to a request without a session, which browsers print as an error.
      expect(trouble.filter((each) => !/\b403\b/.test(each))).toEqual([]);
    });

    it("say so while the database is away, and go on when it is back", async () => {
      const server = await startPostgres();
      onTestFinished(() => server.remove());
      const fleet = await shownFleet({}, server.address);
      await fleet.add("a", NIGHTLY);
      const { page } = await chromium.open(fleet.addresses.at(-1) ?? "", { width: 1200 });
      await page.getByRole("link", { name: "a.example" }).waitFor(SOON);
      await server.stop("immediate");
      await page.getByText("The database does not answer.").waitFor(SOON);
      expect(await page.getByRole("link", { name: "a.example" }).isVisible()).toBe(true);
      expect(await axeFindings(page, "colours")).toEqual([]);
      await screenshot(page, "fleet-away");
      await server.start();
      await page.getByText(": connected.").waitFor(SOON);
    });
  });
});

/** A fleet with something of everything. */
async function busyFleet(): Promise<{ readonly fleet: ShownFleet; readonly running: string }> {
  const fleet = await shownFleet();
  const { add, ended, database, jobs } = fleet;
  for (let at = 0; at < 12; at += 1) {
    const id = await add(`site-${at}`, { ...NIGHTLY, tenant: at % 2 === 0 ? "Orchard Medical" : "" });
    await ended(id, { ago: 2 });
    if (at === 11) await ended(id, { exit: 9, words: "site-11.example does not answer." });
  }
  await ended(await add("late", NIGHTLY), { ago: 99 });
  await ended(await add("refused", NIGHTLY), { exit: 5, words: "https://refused.example refused the sign-in." });
  const drill = await add("drill", { verb: "drill", source: "s3://archive/site-1" });
  await ended(drill, { ago: 30 });
  await database.query("UPDATE guideferry.run SET summary = $2 WHERE task = $1", [
    drill,
    { restorable: true, items: 74 },
  ]);
  await database.query("INSERT INTO guideferry.worker (name, version, slots) VALUES ('worker-1', '1.0.0', 4)");
  // A worker keeps touching its row; here nobody does.
  await database.query("UPDATE guideferry.worker SET seen = now() + interval '1 hour'");
  const running = await add("move", { verb: "migrate", source: "https://old.example", target: "https://new.example" });
  await add("first", {});
  for (const progress of [{ stage: "load", done: 412, total: 1300, failed: 2, runSecondsLeft: 1520 }, null]) {
    const claimed = await jobs.claim("worker-1");
    if (claimed === null) throw new Error("no run may start");
    await database.query("UPDATE guideferry.run SET progress = $2 WHERE id = $1", [claimed.run, progress]);
    await database.query("INSERT INTO guideferry.run_log VALUES ($1, 0, 'Reads https://old.example, signed in.')", [
      claimed.run,
    ]);
  }
  return { fleet, running };
}

/** Ends a run as its worker does after a wish of an operator. */
async function end({ database, jobs }: ShownFleet, task: string): Promise<void> {
  const [run] = await database.query<{ readonly run: string; readonly job: string }>(
    "SELECT id AS run, job FROM guideferry.run WHERE task = $1 AND ended IS NULL",
    [task],
  );
  if (run === undefined) throw new Error("the task does not run");
  const claimed = { ...run, task, attempt: 1, verb: "migrate", words: [], credentials: {} };
  expect(await jobs.finish(claimed, { exitCode: 130, words: "Stopped.", progress: null, summary: null })).toBe(
    "stopped",
  );
}

async function looksWell(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  await screenshot(page, name);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeFindings(page, "colours")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await tooWide(page), String(await reachingOut(page))).toBe(0);
  await screenshot(page, `${name}-dark-phone`);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1200, height: 900 });
}
