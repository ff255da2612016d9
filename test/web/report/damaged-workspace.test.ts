import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import type { Issue } from "../../../src/core/model/issue.js";
import { Database } from "../../../src/storage/sqlite.js";
import { layoutOf } from "../../../src/storage/workspace/layout.js";
import type { RunReader } from "../../../src/storage/workspace/run-log.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { writeReport } from "../../../src/web/report/write-report.js";
import { guideItem } from "../../helpers/items.js";
import { siteIdentity } from "../../helpers/site-identity.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** A workspace whose last run lost a value of each guide, and the folder of that run. */
async function filled(how: "ended" | "broke off" = "ended", losses = 2) {
  const directory = await temporaryFolder();
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  await workspace.claim(siteIdentity("old"));
  const [target, from] = [siteIdentity("new"), siteIdentity("old").root];
  const run = workspace.runs.start("migrate", { source: from, target: target.root });
  const ledger = workspace.ledger(target);
  for (let id = 1; id <= losses; id += 1) {
    const { key } = await workspace.items.put(guideItem(id, { introduction: `Words of ${id}.` }));
    const issue: Issue = {
      code: "introduction-too-long",
      level: "loss",
      key,
      path: "introduction",
      message: "It was too long.",
    };
    await ledger.report(key, [issue]);
  }
  const folder = join(directory, "reports", run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "summary.txt"), "Two guides.\n");
  if (how === "ended") workspace.runs.end(run, { exitCode: EXIT.ok, summary: {} });
  await workspace.close();
  return { directory, folder };
}

/** Made anew, as if there had been none. */
async function reportOf(directory: string) {
  for (const run of readdirSync(layoutOf(directory).reports))
    rmSync(join(layoutOf(directory).reports, run, "report.json"), { force: true });
  return keptReportOf(directory);
}

async function keptReportOf(directory: string) {
  const options = { madeBy: "test", meaningOf: () => "", choose: (runs: Pick<RunReader, "last">) => runs.last() };
  const written = await writeReport({ directory, ...options });
  return { page: readFileSync(written?.html ?? "", "utf8"), report: written?.report };
}

/** Writes nonsense over the first page of a table and of its indexes. */
function breakTable(file: string, table: string): void {
  const database = new Database(file, { readOnly: true });
  const sql = "SELECT rootpage FROM sqlite_master WHERE tbl_name = :table";
  const pages = database.all<{ readonly rootpage: number }>(sql, { table });
  const size = database.get<{ readonly page_size: number }>("PRAGMA page_size")?.page_size ?? 0;
  database.close();
  expect([pages.length > 0, size > 0]).toEqual([true, true]);
  const handle = openSync(file, "r+");
  for (const { rootpage } of pages) writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
  closeSync(handle);
}

it("of a run that ended stays as it was, whatever became of the workspace since; one that is no report is made anew", async () => {
  const { directory, folder } = await filled();
  const first = await reportOf(directory);
  breakTable(layoutOf(directory).state, "issue");
  expect((await keptReportOf(directory)).report).toEqual(first.report);
  writeFileSync(join(folder, "report.json"), '{"format":1');
  expect((await keptReportOf(directory)).report?.unread).toHaveLength(1);
});

it("of a run that was killed says so, and when it gave its last sign", async () => {
  const { directory } = await filled("broke off");
  const { report, page } = await reportOf(directory);
  expect(report?.run).toMatchObject({
    ended: null,
    meaning: expect.stringMatching(/^interrupted: .* Last activity: 20.*Z\. Run the same/),
  });
  expect(page).toContain("Last activity");
});

it("has all losses beside it where it names the first of them only", async () => {
  const { directory, folder } = await filled("ended", 12);
  await reportOf(directory);
  expect(readFileSync(join(folder, "losses.ndjson"), "utf8").trimEnd().split("\n")).toHaveLength(12);
});

it("of a damaged item is a report all the same, which says so where its texts would stand", async () => {
  const { directory } = await filled();
  const whole = await reportOf(directory);
  expect(whole.report?.losses[0]?.examples.map(({ atSource }) => atSource)).toEqual(["Words of 1.", "Words of 2."]);
  writeFileSync(layoutOf(directory).item("guide/1"), '{"key":');
  const { page, report } = await reportOf(directory);
  expect(report?.losses[0]).toMatchObject({ code: "introduction-too-long", count: 2 });
  expect(report?.losses[0]?.examples).toMatchObject([
    { atSource: null, unread: expect.stringMatching(/stored item guide\/1 cannot be read.*Run the extract again/) },
    { title: "Guide 2", atSource: "Words of 2.", unread: null },
  ]);
  expect(page).toMatch(/The texts of this item cannot be shown\..*stored item guide\/1/);
  expect(page).not.toContain("Missing from this page");
});

it.each([
  ["issue", { losses: [] }],
  ["failure", { failures: { count: 0 }, losses: [{ count: 2 }] }],
  ["earlier", { kinds: [], losses: [{ count: 2 }] }],
  ["written", { target: { root: siteIdentity("new").root } }],
] as const)("of a ledger whose table %s is damaged tells the rest, and what is missing", async (table, rest) => {
  const { directory } = await filled();
  breakTable(layoutOf(directory).state, table);
  const { page, report } = await reportOf(directory);
  expect(report).toMatchObject({ ...rest, run: { command: "migrate" }, words: ["Two guides."] });
  expect(report?.unread.length).toBeGreaterThan(0);
  for (const words of report?.unread ?? [])
    expect(words).toMatch(/cannot be read: While reading .*state\.sqlite: the file is damaged/);
  expect(page).toContain("Missing from this page");
});

it("of a run whose course and summary are damaged tells the rest, and what is missing", async () => {
  const { directory, folder } = await filled();
  writeFileSync(join(folder, "course.json"), '{"stages":[');
  rmSync(join(folder, "summary.txt"));
  mkdirSync(join(folder, "summary.txt"));
  const { report } = await reportOf(directory);
  expect(report).toMatchObject({ timeline: null, losses: [{ count: 2 }] });
  expect(report?.unread).toEqual([
    expect.stringMatching(/^The data of the request chart and of the stages cannot be read: .*course\.json is damaged/),
    expect.stringMatching(/^The summary of the run cannot be read: EISDIR/),
  ]);
});
