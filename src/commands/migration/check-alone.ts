import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { ArchiveError, EXIT, UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import { isBucketAddress } from "../../storage/repository/files/open-storage.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import type { ReportedField, ReportedItem } from "../../sync/verify/report/report-format.js";
import type { ReportCheck, ReportDamage } from "../../sync/verify/report/write-report.js";
import { type CommandCall, tellEnd } from "../command.js";
import { absolute, isAddress, readRepository } from "../location.js";
import type { Output } from "../output/output.js";
import { count, quoted } from "../output/words.js";

/**
 * Checks a report, or a repository or archive of backups. undefined: the argument is none of them.
 * Throws UsageError.
 */
export async function checkAlone(call: CommandCall) {
  const report = await readOptionalReport(call);
  if (report !== undefined) {
    refuseWorkspaceOptions(call, "a report");
    return runCheckReport(call, report);
  }
  const { readOptionalArchive, runVerify, runVerifyArchive } = await import("../backup/check-repository.js");
  const archive = readOptionalArchive(call.arguments);
  if (archive !== undefined) {
    refuseWorkspaceOptions(call, "an archive of a backup");
    return runVerifyArchive(call, archive);
  }
  const repository = await readOptionalRepository(call.arguments);
  if (repository === undefined) return undefined;
  refuseWorkspaceOptions(call, "a repository of backups");
  return runVerify(call, await readRepository(repository, call));
}

/** `--report` and `--ui` need a workspace. */
function refuseWorkspaceOptions(call: CommandCall, what: string): void {
  refuseReport(call, what);
  const { settings, output } = call;
  if (settings.ui) output.warn(`--ui has no effect here, because ${what} is checked without a workspace.`);
}

/** Throws UsageError rather than end without the report that was asked for. */
export function refuseReport({ settings }: Pick<CommandCall, "settings">, what: string): void {
  if (settings.verifyReport === null) return;
  throw new UsageError(
    `--report saves how a site compares with a workspace, but this command checks ${what}. Leave --report out.`,
  );
}

/**
 * The report to check; undefined: the argument is not a report. Throws UsageError for a report with
 * a target, and for `--item` without a report.
 */
async function readOptionalReport({
  arguments: [text = "", target],
  settings,
}: CommandCall): Promise<string | undefined> {
  const file = resolve(text);
  if (await isReport(file)) {
    if (target === undefined) return file;
    throw new UsageError(`${text} is a verify report, which is checked on its own. Leave out ${target}.`);
  }
  if (settings.reportItem === null) return undefined;
  throw new UsageError(
    `--item needs a report, and ${text} is not a report. Example: guideferry verify report.jsonl --item ${settings.reportItem}`,
  );
}

async function runCheckReport(call: CommandCall, file: string) {
  const { output, settings } = call;
  // The option's schema accepts only keys.
  const wanted = settings.reportItem === null ? undefined : (settings.reportItem as Key);
  const { checkReport } = await import("../../sync/verify/report/write-report.js");
  const check = await checkReport(file, wanted);
  if (wanted !== undefined && check.item === undefined && check.damage.length === 0) {
    throw new ArchiveError(`The report ${file} does not contain ${wanted}.`, { exitCode: EXIT.notFound });
  }
  const exitCode = check.damage.length === 0 ? EXIT.ok : EXIT.differences;
  output.close();
  printReportCheck(file, check, output);
  return tellEnd(output, { file, ...check }, exitCode);
}

/** The beginning of every report, also of a damaged one. */
const BEGINNINGS: readonly RegExp[] = [/^\uFEFF?\{"digest":"/, /^\uFEFF?\{"root":"/];

async function isReport(file: string): Promise<boolean> {
  const beginning = await firstBytes(file);
  if (beginning === undefined) return false;
  return /\.(?:jsonl|ndjson)$/i.test(file) || BEGINNINGS.some((pattern) => pattern.test(beginning));
}

/** undefined: not a readable file; the next reader reports why. */
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

function printReportCheck(file: string, check: ReportCheck, output: Output): void {
  const { damage, item, items, fields, root } = check;
  for (const one of damage) {
    output.event("damage", one);
    output.say(describeDamage(one));
  }
  if (item !== undefined) for (const line of describeItem(item)) output.say(line);
  output.say(
    damage.length > 0
      ? `DAMAGED: ${file} changed after it was written. Get the original file again, or run the comparison again.`
      : `Undamaged: ${item === undefined ? count(items, "item") : item.key} in ${file}; ${describeFields(fields)}.`,
  );
  if (root !== null) output.say(`Root: ${root}`);
}

function describeDamage({ line, key, what }: ReportDamage): string {
  if (line === null) return `damaged: ${what}`;
  return `damaged: line ${line}${key === null ? "" : ` (${key})`}: ${what}`;
}

function describeFields({ equal = 0, named = 0, noted = 0, different = 0 }: ReportCheck["fields"]): string {
  const notes = noted === 0 ? "" : `, ${noted} rendered differently (notes)`;
  return `${count(equal, "field")} equal, ${named} in the loss ledger${notes}, ${different} different`;
}

function describeItem({ key, state, at, title, fields, codes }: ReportedItem): readonly string[] {
  const there = at === null ? "" : `, on the target: ${at.id}${at.url === null ? "" : ` (${at.url})`}`;
  const why = codes === undefined ? "" : `, because of ${codes.join(", ")}`;
  return [
    `${key}${title === null ? "" : ` ${quoted(title)}`}: ${state}${why}${there}`,
    ...fields.flatMap(describeField),
  ];
}

function describeField(field: ReportedField): readonly string[] {
  if (field.verdict === "equal") return [];
  const codes = field.codes === undefined ? "" : ` (${field.codes.join(", ")})`;
  return [
    `  ${field.verdict}: ${field.path}${codes}`,
    `    should be ${JSON.stringify(field.expected)}`,
    `    but is    ${JSON.stringify(field.actual)}`,
  ];
}

/**
 * The repository to check; undefined: the argument is something else, with a target. Throws
 * UsageError for a repository with a target and for anything else without one; code 10 if the
 * path does not exist.
 */
async function readOptionalRepository([text = "", target]: readonly string[]): Promise<string | undefined> {
  if (isBucketAddress(text) || (!isAddress(text) && (await isRepository(absolute(text))))) {
    if (target === undefined) return absolute(text);
    throw new UsageError(`${text} is a repository of backups, which is checked on its own. Leave out ${target}.`);
  }
  if (target !== undefined) return undefined;
  if (!isAddress(text) && !existsSync(text))
    throw new UsageError(`${text} does not exist. Check the path.`, { exitCode: EXIT.notFound });
  throw new UsageError(
    `Missing required argument 'TARGET': ${text} is compared with a target. Only a repository of backups and a verify report are checked on their own, and ${text} is neither. Name the target: guideferry verify ${text} TARGET`,
  );
}
