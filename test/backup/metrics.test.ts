import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { metricsText, type RunFacts, writeMetrics } from "../../src/backup/metrics.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { looms } from "./helpers/read-backups.js";

const FAILED: RunFacts = {
  folder: "/backups/site",
  exitCode: 9,
  started: 1_000_000,
  ended: 1_002_500,
  summary: undefined,
};

it("has each number with its help and type, in the text format of Prometheus", () => {
  const text = metricsText(FAILED, "");
  expect(text.split("\n").slice(0, 3)).toEqual([
    "# HELP guideferry_backup_last_run_timestamp_seconds UNIX time at which the last run ended.",
    "# TYPE guideferry_backup_last_run_timestamp_seconds gauge",
    'guideferry_backup_last_run_timestamp_seconds{repository="/backups/site"} 1002.5',
  ]);
  expect(text).toContain('guideferry_backup_exit_code{repository="/backups/site"} 9\n');
  expect(text).toContain('guideferry_backup_duration_seconds{repository="/backups/site"} 2.5\n');
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) [a-z_]+ \S.*|[a-z_]+\{repository="[^"]*"\} \d+(?:\.\d+)?)$/);
});

it("keeps what a failed run can't know, of its own repository only, and escapes the label", () => {
  const before =
    'guideferry_backup_items{repository="/backups/site"} 12\nguideferry_backup_items{repository="/other"} 99\n' +
    'guideferry_backup_last_success_timestamp_seconds{repository="/backups/site"} 500\n';
  const text = metricsText(FAILED, before);
  expect(text).toContain('guideferry_backup_items{repository="/backups/site"} 12\n');
  expect(text).toContain('last_success_timestamp_seconds{repository="/backups/site"} 500\n');
  expect(text).not.toContain("99");
  expect(metricsText({ ...FAILED, folder: 'a"b\\c\nd' }, "")).toContain('{repository="a\\"b\\\\c\\nd"} 9\n');
});

it("counts a night as a success by its snapshot: a prune that failed behind it takes nothing back", async () => {
  const summary = await (await looms()).backUp();
  const textOf = (exitCode: 0 | 3 | 6, complete: boolean): string =>
    metricsText({ ...FAILED, exitCode, summary: { ...summary, index: { ...summary.index, complete } } }, "");
  const success = 'last_success_timestamp_seconds{repository="/backups/site"} 1002.5\n';
  expect(textOf(0, true)).toContain(success);
  expect(textOf(6, true)).toContain(success);
  expect(textOf(3, false)).not.toContain("last_success");
});

it("is written whole, and leaves nothing beside it", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "numbers.prom");
  writeFileSync(file, "old");
  await writeMetrics(file, FAILED);
  expect(readFileSync(file, "utf8")).toBe(metricsText(FAILED, ""));
  expect(readdirSync(folder)).toEqual(["numbers.prom"]);
  await expect(writeMetrics(join(folder, "missing/x.prom"), FAILED)).rejects.toMatchObject({
    name: "ArchiveError",
    exitCode: 10,
  });
});
