import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { ArchiveError, EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import type { Key } from "../../../core/model/key.js";
import { checkReport } from "../../../sync/verify/report/check-report.js";
import type { CommandCall } from "../../command.js";
import { printReportCheck } from "../../output/print-report-check.js";

/** The report that `verify` was given; undefined: it is something else. Throws UsageError for one with a target, and where an item is named and no report. */
export async function readOptionalReport({
  arguments: [text = "", target],
  settings,
}: CommandCall): Promise<string | undefined> {
  const file = resolve(text);
  if (await isReport(file)) {
    if (target === undefined) return file;
    throw new UsageError(`${text} is a report of a comparison, which is checked by itself: leave out ${target}.`);
  }
  if (settings.reportItem === null) return undefined;
  throw new UsageError(
    `--item looks at a report alone, and ${text} is none: guideferry verify report.jsonl --item ${settings.reportItem}`,
  );
}

/** Checks a report, tells what is wrong with it, and ends with 6 when anything is. */
export async function runCheckReport(call: CommandCall, file: string): Promise<ExitCode> {
  const { output, settings } = call;
  // The option's schema took it for a key.
  const wanted = settings.reportItem === null ? undefined : (settings.reportItem as Key);
  const check = await checkReport(file, wanted);
  if (wanted !== undefined && check.item === undefined && check.damage.length === 0) {
    throw new ArchiveError(`The report ${file} says nothing of ${wanted}.`, { exitCode: EXIT.notFound });
  }
  const exitCode = check.damage.length === 0 ? EXIT.ok : EXIT.differences;
  output.close();
  printReportCheck(file, check, exitCode, output);
  return exitCode;
}

/** What every report begins with, whatever became of the rest. */
const BEGINNINGS: readonly RegExp[] = [/^\uFEFF?\{"digest":"/, /^\uFEFF?\{"root":"/];

async function isReport(file: string): Promise<boolean> {
  const beginning = await firstBytes(file);
  if (beginning === undefined) return false;
  return /\.(?:jsonl|ndjson)$/i.test(file) || BEGINNINGS.some((pattern) => pattern.test(beginning));
}

/** undefined for what is no file that can be read: whoever reads it next says why. */
async function firstBytes(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
