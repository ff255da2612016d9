import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backupMetrics, metricsText, writeMetrics } from "../../../src/commands/monitoring/metrics.js";
import type { RunFacts } from "../../../src/commands/monitoring/run-facts.js";
import { looms } from "../../backup/helpers/read-backups.js";
import { parseExposition, sampleValue } from "../../helpers/exposition.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const JOB = { command: "backup", folder: "/backups/site", source: "https://site.example" };

const FAILED: RunFacts = {
  ...{ command: "backup", run: "20261120T220000-a1b2c3", version: "1.0.0", host: "machine", workspace: null },
  ...{ source: "https://site.example", target: null, job: JOB, report: null, next: null },
  ...{ started: 1_000_000, ended: 1_002_500, exitCode: 9, items: {}, results: {} },
  ...{ requests: 16, bytes: 2048, refusals: 2, waited: 3.5 },
};
const SUCCESS: RunFacts = { ...FAILED, exitCode: 0, items: { created: 3, failed: 0 }, results: { losses: 7 } };

const BACKUP = {
  repository: "/backups/site",
  exitCode: 9,
  started: 1_000_000,
  ended: 1_002_500,
  summary: undefined,
} as const;

it("has each number with its help and type, in the text format of Prometheus", () => {
  const text = metricsText(SUCCESS, [], "");
  expect(text.split("\n").slice(0, 3)).toEqual([
    "# HELP guideferry_run_last_run_timestamp_seconds UNIX time at which the last run ended.",
    "# TYPE guideferry_run_last_run_timestamp_seconds gauge",
    'guideferry_run_last_run_timestamp_seconds{command="backup",folder="/backups/site",source="https://site.example"} 1002.5',
  ]);
  const samples = parseExposition(text);
  const of = (name: string, more = {}) => sampleValue(samples, `guideferry_run_${name}`, { ...JOB, ...more });
  expect([of("exit_code"), of("duration_seconds"), of("last_success_timestamp_seconds")]).toEqual([0, 2.5, 1002.5]);
  expect([of("items", { outcome: "created" }), of("items", { outcome: "failed" })]).toEqual([3, 0]);
  expect(of("results", { result: "losses" })).toBe(7);
  expect([of("requests"), of("response_bytes"), of("rate_limit_answers")]).toEqual([16, 2048, 2]);
  expect(of("rate_limit_wait_seconds")).toBe(3.5);
});

it("keeps the last success of its own job through failures, and escapes labels", () => {
  const after = metricsText(FAILED, [], metricsText({ ...SUCCESS, ended: 500_000 }, [], ""));
  const samples = parseExposition(after);
  expect(sampleValue(samples, "guideferry_run_last_success_timestamp_seconds", JOB)).toBe(500);
  expect(sampleValue(samples, "guideferry_run_exit_code", JOB)).toBe(9);
  const other = { ...FAILED, job: { ...JOB, folder: 'a"b\\c\nd' } };
  const [sample] = parseExposition(metricsText(other, [], after)).filter(({ name }) =>
    name.endsWith("success_timestamp_seconds"),
  );
  expect(sample).toBeUndefined();
  expect(sampleValue(parseExposition(metricsText(other, [], "")), "guideferry_run_exit_code", other.job)).toBe(9);
});

it("finds the labels of its job in the file where the command line could not be read", () => {
  const job = { ...JOB, folder: 'a"b\\c\nd' };
  const before = metricsText({ ...SUCCESS, job }, backupMetrics(BACKUP), "");
  const text = metricsText({ ...FAILED, job: null, exitCode: 2 }, [], before);
  const samples = parseExposition(text);
  expect(sampleValue(samples, "guideferry_run_exit_code", job)).toBe(2);
  expect(sampleValue(samples, "guideferry_run_last_success_timestamp_seconds", job)).toBe(1002.5);
  expect(sampleValue(samples, "guideferry_backup_exit_code", { repository: "/backups/site" })).toBe(9);
  const unknown = metricsText({ ...FAILED, job: null, command: "prune" }, [], before);
  expect(sampleValue(parseExposition(unknown), "guideferry_run_exit_code", { command: "prune" })).toBe(9);
});

it("keeps what a failed backup cannot know, of its own repository only", () => {
  const good = backupMetrics(BACKUP).map((metric) => ({ ...metric, value: metric.value ?? 12 }));
  const other = good.map((metric) => ({ ...metric, labels: { repository: "/other" }, value: 99 }));
  const text = metricsText(FAILED, backupMetrics(BACKUP), metricsText(SUCCESS, [...good, ...other], ""));
  expect(sampleValue(parseExposition(text), "guideferry_backup_items", { repository: "/backups/site" })).toBe(12);
  expect(text).not.toContain("99");
});

it("counts a backup as a success by its snapshot: a prune that failed behind it takes nothing back", async () => {
  const summary = await (await looms()).backUp();
  const textOf = (exitCode: 0 | 3 | 6, complete: boolean): string => {
    const own = { ...BACKUP, exitCode, summary: { ...summary, index: { ...summary.index, complete } } };
    return metricsText(FAILED, backupMetrics(own), "");
  };
  const success = 'guideferry_backup_last_success_timestamp_seconds{repository="/backups/site"} 1002.5\n';
  expect(textOf(0, true)).toContain(success);
  expect(textOf(6, true)).toContain(success);
  expect(textOf(3, false)).not.toContain("backup_last_success");
});

it("is written whole, and leaves nothing beside it", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "numbers.prom");
  writeFileSync(file, "old");
  await writeMetrics(file, FAILED, []);
  expect(readFileSync(file, "utf8")).toBe(metricsText(FAILED, [], ""));
  expect(readdirSync(folder)).toEqual(["numbers.prom"]);
  await expect(writeMetrics(join(folder, "missing/x.prom"), FAILED, [])).rejects.toMatchObject({
    name: "ArchiveError",
    exitCode: 10,
  });
});
