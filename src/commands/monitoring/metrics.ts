import { open, readFile, rename, rm } from "node:fs/promises";
import type { BackupSummary } from "../../backup/backup.js";
import { EXIT, type ExitCode } from "../../core/errors.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import { isSuccess, type Metric, type RunFacts } from "./run-facts.js";

/**
 * Replaces the metrics file (Prometheus text format) in one step. A value that this run doesn't
 * have keeps its last one. `own`: metrics of the command alone. Throws ArchiveError of the disk.
 */
export async function writeMetrics(file: string, run: RunFacts, own: readonly Metric[]): Promise<void> {
  const before = await readBefore(file);
  const temporary = `${file}.${process.pid}.new`;
  await onDisk(`writing ${file}`, replace(temporary, file, metricsText(run, own, before)));
}

/** @param before the old text of the file */
export function metricsText(run: RunFacts, own: readonly Metric[], before: string): string {
  const lines = before.split("\n");
  const labels = run.job ?? labelsIn(lines, run.command) ?? { command: run.command };
  // A run that failed at once has nothing of its own to say, and takes nothing back.
  const kept = own.length > 0 ? [] : lines.filter((line) => OWN_LINE.test(line));
  return [...families([...runMetrics(run, labels), ...own], lines), ...kept].map((line) => `${line}\n`).join("");
}

/** Lines of metrics that are not of every run. */
const OWN_LINE = /^(?:# (?:HELP|TYPE) )?guideferry_(?!run_)[a-z]/;

/** One group of lines for each name, as the format demands. */
function families(metrics: readonly Metric[], before: readonly string[]): readonly string[] {
  const known = new Map(before.map((line) => [line.slice(0, line.lastIndexOf(" ")), line]));
  return [...new Set(metrics.map(({ name }) => name))].flatMap((name) => {
    const all = metrics.filter((metric) => metric.name === name);
    const samples = all.flatMap(({ labels, value }) => {
      const series = `${name}{${labelText(labels)}}`;
      return value === undefined ? (known.get(series) ?? []) : `${series} ${value}`;
    });
    return samples.length === 0 ? [] : [`# HELP ${name} ${all[0]?.help}`, `# TYPE ${name} gauge`, ...samples];
  });
}

function labelText(labels: Metric["labels"]): string {
  const escaped = (value: string): string => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

/** The labels of the job in its file, for a run whose command line could not be read. */
function labelsIn(lines: readonly string[], command: string): Metric["labels"] | undefined {
  const [, text] =
    lines.map((line) => /^guideferry_run_exit_code\{(.*)\} \d+$/.exec(line)).find((match) => match !== null) ?? [];
  const pairs = [...(text ?? "").matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [
    name,
    value.replace(/\\(.)/g, (_all, sign: string) => (sign === "n" ? "\n" : sign)),
  ]);
  const labels: Record<string, string> = Object.fromEntries(pairs);
  return labels["command"] === command ? labels : undefined;
}

function runMetrics(run: RunFacts, labels: Metric["labels"]): readonly Metric[] {
  const { started, exitCode, items, results, requests, bytes, refusals, waited } = run;
  const ended = run.ended ?? started;
  const metric = (name: string, help: string, value: number | undefined, more: Metric["labels"] = {}): Metric => ({
    name: `guideferry_run_${name}`,
    help,
    labels: { ...labels, ...more },
    value,
  });
  const success = isSuccess(exitCode) ? ended / 1000 : undefined;
  return [
    metric("last_run_timestamp_seconds", "UNIX time at which the last run ended.", ended / 1000),
    metric("last_success_timestamp_seconds", "UNIX time at which the last run ended that succeeded.", success),
    metric("exit_code", "The exit code of the last run; 0 is success.", exitCode ?? EXIT.unexpected),
    metric("duration_seconds", "Duration of the last run in seconds.", (ended - started) / 1000),
    ...Object.entries(items).map(([outcome, count]) =>
      metric("items", "Items of the last run by outcome, as in its report.", count, { outcome }),
    ),
    ...Object.entries(results).map(([result, number]) =>
      metric("results", "Other numbers of the last run, as in its summary with --json.", number, { result }),
    ),
    metric("requests", "HTTP requests of the last run, repetitions too.", requests),
    metric("response_bytes", "Bytes of the answers to these requests.", bytes),
    metric("rate_limit_answers", "Answers of the last run that asked it to wait (429, or 503 with a time).", refusals),
    metric("rate_limit_wait_seconds", "Seconds that the last run waited because of these answers.", waited),
  ];
}

/** The result of a run of `backup`. */
interface BackupRun {
  /** Its address. */
  readonly repository: string;
  readonly exitCode: ExitCode;
  /** UNIX milliseconds. */
  readonly started: number;
  readonly ended: number;
  /** undefined: no snapshot was written. */
  readonly summary: BackupSummary | undefined;
}

/** The metrics of a repository of backups, under names that alert rules know. */
export function backupMetrics({ repository, exitCode, started, ended, summary }: BackupRun): readonly Metric[] {
  const counts = summary?.index.counts;
  const labels = { repository };
  const metric = (name: string, help: string, value: number | undefined): Metric => ({
    name: `guideferry_backup_${name}`,
    help,
    labels,
    value,
  });
  return [
    metric("last_run_timestamp_seconds", "UNIX time at which the last run ended.", ended / 1000),
    metric(
      "last_success_timestamp_seconds",
      "UNIX time at which the last run ended with a complete snapshot and no more deletions than allowed.",
      summary?.index.complete === true && summary.index.manyDeleted === undefined ? ended / 1000 : undefined,
    ),
    metric(
      "last_snapshot_timestamp_seconds",
      "UNIX time of the last snapshot, complete or not.",
      summary === undefined ? undefined : ended / 1000,
    ),
    metric("exit_code", "The exit code of the last run; 0 is success.", exitCode),
    metric("duration_seconds", "Duration of the last run in seconds.", (ended - started) / 1000),
    metric(
      "failures",
      "Items that the last run could not read: the last snapshot lacks them, or has an earlier version.",
      summary?.failures.length,
    ),
    metric("items", "Items of the site in the last snapshot.", counts?.present),
    metric("items_new", "Items that are new in the last snapshot.", counts?.new),
    metric("items_changed", "Items that changed since the previous snapshot.", counts?.changed),
    metric("items_deleted", "Items that were deleted since the previous snapshot.", counts?.deleted),
    metric("media_files", "Media files in the last snapshot.", counts?.media),
    metric("media_bytes", "Size of these media files in bytes.", counts?.mediaBytes),
    metric("written_bytes", "Bytes of the archives that the last snapshot added.", summary?.bytes),
  ];
}

async function readBefore(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    return onDisk(`reading ${file}`, Promise.reject(error));
  }
}

async function replace(temporary: string, file: string, text: string): Promise<void> {
  try {
    // Readable by all, since the collector runs as another user; the file has nothing secret.
    const handle = await open(temporary, "w", 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
