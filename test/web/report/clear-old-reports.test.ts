import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clearOldReports } from "../../../src/web/report/write-report.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

it("keeps the reports of the last runs, and whatever people work with of all", async () => {
  const folder = await temporaryFolder();
  const elsewhere = await temporaryFolder();
  writeFileSync(join(elsewhere, "report.html"), "somebody's");
  const runs = Array.from({ length: 8 }, (_, at) => `2026110${at + 1}T030000-0000aa`);
  for (const run of runs) {
    mkdirSync(join(folder, run));
    for (const name of ["report.html", "report.json", "course.json.new", "summary.txt", "losses.ndjson"])
      writeFileSync(join(folder, run, name), "x");
  }
  writeFileSync(join(folder, runs[1] ?? "", "user-map.csv"), "1,2");
  mkdirSync(join(folder, "no-run"));
  writeFileSync(join(folder, "no-run", "report.html"), "x");
  symlinkSync(elsewhere, join(folder, "20200101T000000-0000aa"));
  expect(clearOldReports(folder, 5)).toBe(3);
  const [first, , third, ...last] = runs;
  for (const run of [first, third]) expect(existsSync(join(folder, run ?? ""))).toBe(false);
  expect(readdirSync(join(folder, runs[1] ?? ""))).toEqual(["user-map.csv"]);
  for (const run of last) expect(readdirSync(join(folder, run))).toHaveLength(5);
  expect(existsSync(join(folder, "no-run", "report.html"))).toBe(true);
  expect(existsSync(join(elsewhere, "report.html"))).toBe(true);
  expect(clearOldReports(folder, 5)).toBe(0);
});
