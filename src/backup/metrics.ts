import { open, readFile, rename, rm } from "node:fs/promises";
import type { ExitCode } from "../core/errors.js";
import { onDisk } from "../storage/archive/disk-error.js";
import type { BackupSummary } from "./backup.js";

/** How a run of `backup` ended. */
export interface RunFacts {
  /** The repository: the label of every number. */
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
  /** undefined: it stays as the file has it. */
  readonly value: number | undefined;
}

/**
 * Writes the numbers of a run in the text format of Prometheus, whole or not at all. What a failed
 * run can't know keeps its last value.
 */
export async function writeMetrics(file: string, run: RunFacts): Promise<void> {
  const before = await readBefore(file);
  const temporary = `${file}.${process.pid}.new`;
  await onDisk(`writing ${file}`, replace(temporary, file, metricsText(run, before)));
}

/** `before`: what the file had; of it only values of this repository are kept. */
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
    metric("last_run_timestamp_seconds", "When the last run ended.", ended / 1000),
    metric(
      "last_success_timestamp_seconds",
      "When the last run ended that left a complete snapshot before which not too much vanished.",
      summary?.index.complete === true && summary.index.manyDeleted === undefined ? ended / 1000 : undefined,
    ),
    metric(
      "last_snapshot_timestamp_seconds",
      "When the last snapshot was written, also an incomplete one.",
      summary === undefined ? undefined : ended / 1000,
    ),
    metric("exit_code", "The exit code of the last run; 0 is success.", exitCode),
    metric("duration_seconds", "How long the last run took.", (ended - started) / 1000),
    metric("failures", "Items that are not, or not newly, in the last snapshot.", summary?.failures.length),
    metric("items", "Items of the site in the last snapshot.", counts?.present),
    metric("items_new", "Items that the last snapshot had first.", counts?.new),
    metric("items_changed", "Items that changed since the snapshot before.", counts?.changed),
    metric("items_deleted", "Items that were gone since the snapshot before.", counts?.deleted),
    metric("media_files", "Media files in the last snapshot.", counts?.media),
    metric("media_bytes", "Their bytes.", counts?.mediaBytes),
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
    // A collector runs as somebody else: there is nothing in it that the names of the files don't
    // say.
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
