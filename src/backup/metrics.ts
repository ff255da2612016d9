import { open, readFile, rename, rm } from "node:fs/promises";
import type { ExitCode } from "../core/errors.js";
import { onDisk } from "../storage/archive/disk-error.js";
import type { BackupSummary } from "./backup.js";

/** The result of a run of `backup`. */
export interface RunFacts {
  readonly folder: string;
  readonly exitCode: ExitCode;
  /** UNIX milliseconds. */
  readonly started: number;
  readonly ended: number;
  /** undefined: no snapshot was written. */
  readonly summary: BackupSummary | undefined;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  /** undefined: keeps the value in the file. */
  readonly value: number | undefined;
}

/**
 * Replaces the metrics file (Prometheus text format) in one step. A value that a failed run doesn't
 * have keeps its last one.
 */
export async function writeMetrics(file: string, run: RunFacts): Promise<void> {
  const before = await readBefore(file);
  const temporary = `${file}.${process.pid}.new`;
  await onDisk(`writing ${file}`, replace(temporary, file, metricsText(run, before)));
}

/** @param before the old text, of which only values of this repository are kept */
export function metricsText(run: RunFacts, before: string): string {
  const label = `{repository="${run.folder.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"}`;
  const kept = new Map(
    before.split("\n").map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
  );
  return metricsOf(run)
    .flatMap(({ name, help, value }) => {
      const text = value === undefined ? kept.get(`${name}${label}`) : String(value);
      return text === undefined ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}${label} ${text}\n`];
    })
    .join("");
}

function metricsOf({ exitCode, started, ended, summary }: RunFacts): readonly Metric[] {
  const counts = summary?.index.counts;
  const metric = (name: string, help: string, value: number | undefined): Metric => ({
    name: `guideferry_backup_${name}`,
    help,
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
