import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RESULTS } from "../../src/web/report/entries.js";
import { lastReport } from "../helpers/last-report.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Something of everything: linked, left out, failed, made; and pages that nobody needs. */
async function mixed(): Promise<TwoSites> {
  const sites = await twoSites();
  const { source, target } = sites;
  for (const title of ["Looms", "Mills", "Wheels"]) {
    if (title !== "Looms") source.edit.createWiki({ namespace: "CATEGORY", title, contents: "Ours." });
    target.edit.createWiki({ namespace: "CATEGORY", title, contents: "Theirs." });
  }
  for (const title of ["Shuttle", "Reed"]) source.edit.createWiki({ namespace: "WIKI", title, contents: "A page." });
  target.edit.createWiki({ namespace: "WIKI", title: "Reed", contents: "Theirs." });
  const text = `See [guide|1|the first]. ${"Turn the beam once more. ".repeat(20)}`.slice(0, 348);
  source.edit.addStep(2, { orderby: 2, title: "Long", lines: [{ text, bullet: "black", level: 0 }] });
  target.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/guides", times: 1 });
  return sites;
}

/** The rows of a table of words under a head that begins so. */
function printedTable(text: string, first: string): Counts {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => line.startsWith(`${first} `));
  const head = (lines[at] ?? "").trim().split(/ {2,}/).slice(1);
  const end = lines.indexOf("", at);
  const rows = lines.slice(at + 1, end < 0 ? undefined : end).filter((line) => /^\w+ +\d/.test(line));
  return Object.fromEntries(rows.map((line) => [line.split(" ")[0], cells(head, line.trim().split(/ +/).slice(1))]));
}

/** The same of a page's table of what went where. */
function shownTable(html: string): Counts {
  const [table = ""] = /<table[^>]*>(?:(?!<\/table>)[\s\S])*<th[^>]*>Kind<[\s\S]*?<\/table>/.exec(html) ?? [];
  const [head = [], ...rows] = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "")),
  );
  const names = head.slice(1).map((name) => name.toLowerCase());
  return Object.fromEntries(rows.map(([kind = "", ...row]) => [kind, cells(names, row)]));
}

/** The entries of a page's list, by result. */
function entriesIn(html: string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const [, json = ""] of html.matchAll(/class="entries-data">(.*?)<\/script>/gs)) {
    const { rows }: { readonly rows: readonly (readonly number[])[] } = JSON.parse(json);
    for (const [result = -1] of rows) {
      const [name = ""] = RESULTS[result] ?? [];
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Object.fromEntries(counts);
}

/** The number of a tile of a page, by its words. */
function tileOf(html: string, name: string): number {
  const [, value = ""] = new RegExp(`<strong>([\\d,]+)</strong> ${name}<`).exec(html) ?? [];
  return Number(value.replaceAll(",", ""));
}

function cells(head: readonly string[], row: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(head.map((name, at) => [name, Number(row[at]?.replaceAll(",", ""))]));
}

/**
 * As rows of JSON name them, by the words of the columns; a column that is 0 everywhere is not
 * shown.
 */
const COLUMNS = {
  read: "read",
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  linked: "linked",
  left: "left",
  leftOut: "left out",
  notSent: "not sent",
  failed: "failed",
  losses: "values lost",
} as const;

function jsonTable(kinds: readonly Readonly<Record<string, unknown>>[], shown: Counts): Counts {
  const columns = new Set(Object.values(shown).flatMap((row) => Object.keys(row)));
  const named = Object.entries(COLUMNS).filter(([, name]) => columns.has(name));
  return Object.fromEntries(
    kinds.map((row) => [String(row["kind"]), Object.fromEntries(named.map(([of, name]) => [name, Number(row[of])]))]),
  );
}

function summaryIn(stdout: string) {
  const objects = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return objects.find(({ type }) => type === "summary");
}

test("the terminal, the page, the JSON and status have one count of everything", async () => {
  const sites = await mixed();
  const { code, stdout } = await sites.migrate("--assume-limits");
  expect(code).toBe(3);
  const { all, ...printed } = printedTable(stdout, "kind");
  expect(printed).toMatchObject({
    category: { linked: 3, failed: 0 },
    wiki: { created: 1, linked: 1 },
    guide: { created: 1, "left out": 1, failed: 1 },
  });
  expect(all).toMatchObject({ linked: 4, "left out": 1, failed: 1 });
  expect(stdout).toMatch(/^LEFT OUT: 1 chosen item /m);
  expect(stdout).toMatch(/^FAILED: 1 item\./m);

  const { folder, report } = lastReport(join(sites.directory, "work"));
  const page = readFileSync(join(folder, "report.html"), "utf8");
  expect(shownTable(page)).toEqual(printed);
  expect(jsonTable(report.kinds, printed)).toEqual(printed);
  expect([report.linked.count, report.leftOut.count, report.failures.count]).toEqual([4, 1, 1]);

  const status = await sites.run("status", "work");
  expect(printedTable(status.stdout, "in migrate")).toEqual({ ...printed, all });
  const facts = JSON.parse((await sites.run("status", "work", "--json")).stdout);
  expect(jsonTable(facts.lastRun.counts.kinds, printed)).toEqual(printed);
  const sums = (of: string): number => Object.values(printed).reduce((sum, row) => sum + (row[of] ?? 0), 0);
  expect([facts.targets[0].issues.loss, sums("values lost")]).toEqual([
    report.losses.reduce((sum, { level, count }) => sum + (level === "loss" ? count : 0), 0),
    facts.targets[0].issues.loss,
  ]);
  // The list of the page has one entry for each item and value that is counted anywhere.
  const entries = entriesIn(page);
  expect(entries).toMatchObject({ failed: 1, "left-out": 1, linked: 4 });
  expect(entries["not-sent"] ?? 0).toBe(sums("not sent"));
  expect((entries["to-do"] ?? 0) + (entries["lost"] ?? 0)).toBe(sums("values lost"));
  expect([tileOf(page, "Failed"), tileOf(page, "Left out"), tileOf(page, "Linked")]).toEqual([1, 1, 4]);
  expect([tileOf(page, "Values lost"), entries["moved"]]).toEqual([sums("values lost"), report.moved]);
  expect([facts.lastRun.counts.leftOut.count, facts.lastRun.counts.linked.count]).toEqual([1, 4]);
  const total = Object.values(entries).reduce((sum, count) => sum + count, 0);
  expect(page).toContain(`All entries (${total.toLocaleString("en-US")})`);
  expect(stdout).toContain(`Values lost: ${facts.targets[0].issues.loss}.`);
  expect(status.stdout).toContain(`Values lost: ${facts.targets[0].issues.loss}.`);
});

test("a run with --json counts as one without it does, in each of its parts", async () => {
  const sites = await mixed();
  const { stdout } = await sites.migrate("--assume-limits", "--json");
  const { kinds, leftOut, linked, loaded, verified, failures } = summaryIn(stdout);
  const { report } = lastReport(join(sites.directory, "work"));
  expect(kinds).toEqual(report.kinds);
  expect([linked.count, loaded.adopted, verified.adopted]).toEqual([4, 4, 4]);
  expect([leftOut.count, loaded.refused, failures, loaded.failed]).toEqual([1, 1, 1, 1]);
});

test("after a plan, or a migration that was only rehearsed, status says planned", async () => {
  const sites = await twoSites();
  for (const words of [["plan"], ["migrate", "--dry-run"]]) {
    const [command = "", ...flags] = words;
    expect((await sites.run(command, sites.source.url, sites.target.url, ...flags)).code).toBe(0);
    const { stdout } = await sites.run("status", "work");
    expect(stdout).toMatch(/ with exit code 0: planned: nothing was written to the target$/m);
    expect(stdout).toMatch(/^Planned, not carried out: 4 to create$/m);
    expect(stdout).toMatch(/^Nothing was written to it yet\.$/m);
    expect(stdout).not.toMatch(/done: every item|no losses|0 losses/);
    const facts = JSON.parse((await sites.run("status", "work", "--json")).stdout);
    expect(facts.lastRun).toMatchObject({
      counts: null,
      planned: { create: 4 },
      meaning: expect.stringMatching(/^planned/),
    });
  }
});
