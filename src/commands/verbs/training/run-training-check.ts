import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { openPackage } from "../../../training/package/open-package.js";
import type { CheckedPackage, FoundPackage } from "../../../training/package.js";
import { csvHead, csvLine } from "../../../training/report/csv-lines.js";
import { openPackageReport } from "../../../training/report/open-package-report.js";
import { PackageTally } from "../../../training/report/package-tally.js";
import { checkLine } from "../../../training/report/report-line.js";
import { unreadablePackage } from "../../../training/report/unreadable-package.js";
import { wordsOf } from "../../../training/report/words-of.js";
import { jsonText } from "../../../core/util/json-text.js";
import type { CommandCall } from "../../command.js";
import { writeStream } from "../convert/write-stream.js";
import { eachPackage } from "./each-package.js";
import { findPackages } from "./find-packages.js";
import { packageOptions } from "./package-options.js";
import { whereReport } from "./where-report.js";
import { type PackageFiles, withFetched } from "./with-fetched.js";

/** Looks at packages and tells of each what is wrong with it. */
export async function runTrainingCheck(call: CommandCall): Promise<ExitCode> {
  const { settings, output, stdout } = call;
  if (settings.json && settings.csv)
    throw new UsageError("--json and --csv are two forms of the same lines. Give one of them.");
  const { packages, isPartial } = await findPackages(call, call.arguments);
  const report = settings.reportFolder === null ? undefined : await openPackageReport(settings.reportFolder, "check");
  const tally = report?.tally ?? new PackageTally();
  const kept = async (checked: CheckedPackage): Promise<void> =>
    report === undefined ? tally.add(checked) : report.add(checked);
  try {
    await withFetched(call, (files) => writeStream(stdout, lines(call, checkAll(call, packages, files), kept)));
  } finally {
    await report?.close();
  }
  output.close();
  const { head, rows } = tally.table();
  if (rows.length > 0) output.table(head, rows);
  output.say(`${tally.words()}.`);
  if (report !== undefined) output.note(whereReport(report));
  const exitCode = tally.verdicts.refuse > 0 || isPartial ? EXIT.someFailed : EXIT.ok;
  output.event("summary", { exitCode, packages: packages.length, ...tally.verdicts });
  return exitCode;
}

async function* checkAll(
  call: CommandCall,
  packages: readonly FoundPackage[],
  files: PackageFiles,
): AsyncGenerator<CheckedPackage> {
  const looked = eachPackage(call, packages, (found) => files.use(found, (path) => check(call, found.source, path)));
  for await (const one of looked) yield "result" in one ? one.result : unreadablePackage(one.found.source, one.reason);
}

async function check(call: CommandCall, source: string, path: string): Promise<CheckedPackage> {
  const { checked, close } = await openPackage(path, { ...packageOptions(call), source });
  await close();
  return checked;
}

/** What goes to stdout; words for a person go through the output. */
async function* lines(
  { settings: { json, csv }, output }: CommandCall,
  all: AsyncIterable<CheckedPackage>,
  kept: (checked: CheckedPackage) => Promise<void>,
): AsyncGenerator<string> {
  if (csv) yield csvHead("check");
  for await (const checked of all) {
    await kept(checked);
    const line = checkLine(checked);
    if (json) yield `${jsonText(line)}\n`;
    else if (csv) yield csvLine(line);
    else for (const words of wordsOf(checked)) output.say(words);
  }
}
