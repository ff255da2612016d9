import { mkdir } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { EXIT, type ExitCode, UsageError } from "../../core/errors.js";
import { jsonText } from "../../core/util/printable-text.js";
import type { ProbedAnswer } from "../../service/training/probe-training.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { openPackage } from "../../training/package/check-package.js";
import { NormalisedFolder, type NormaliseResult, normalisePackage } from "../../training/package/normalise-package.js";
import type { CheckedPackage, FoundPackage } from "../../training/package.js";
import { plain } from "../../training/plain-text.js";
import { openPackageReport } from "../../training/report/package-report.js";
import { PackageTally, unreadablePackage } from "../../training/report/package-tally.js";
import { checkLine, csvHead, csvLine, wordsOf } from "../../training/report/report-line.js";
import type { CommandCall } from "../command.js";
import { writeStream } from "../input-output.js";
import { isFolder, readSite } from "../location.js";
import { siteOf, talkOf } from "../session/sites.js";
import { eachPackage, findPackages, type PackageFiles, packageOptions, whereReport, withFetched } from "./packages.js";

export async function runTrainingCheck(call: CommandCall): Promise<ExitCode> {
  const { settings, output, stdout } = call;
  if (settings.json && settings.csv)
    throw new UsageError("--json and --csv are two formats of the same output. Use only one of them.");
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

/** The content for stdout; messages go through the output. */
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

export async function runTrainingNormalise(call: CommandCall): Promise<ExitCode> {
  const { settings, output } = call;
  if (settings.normalisedFolder === null)
    throw new UsageError("Name the folder for the normalised packages: --output DIR.");
  const folder = new NormalisedFolder(resolve(settings.normalisedFolder));
  const { packages, isPartial } = await findPackages(call, call.arguments);
  refuseInside(folder.path, call.arguments);
  await makeFolder(folder.path);
  const counts: Record<NormaliseResult["outcome"] | "unreadable", number> = { ...NONE };
  await withFetched(call, async (files) => {
    const options = { ...packageOptions(call), force: settings.force };
    const written = eachPackage(call, packages, (found) =>
      files.use(found, (path) => normalisePackage(path, folder, { ...options, source: found.source })),
    );
    for await (const one of written) {
      if ("reason" in one) {
        counts.unreadable += 1;
        output.warn(plain(one.reason));
      } else {
        counts[one.result.outcome] += 1;
        printResult(one.result, call);
      }
    }
  });
  output.close();
  const missing = counts.refused + counts["in-the-way"] + counts.unreadable;
  output.say(
    `${packages.length} ${packages.length === 1 ? "package" : "packages"}: ${counts.written} written, ${counts.unchanged} unchanged, ${missing} not written. Folder: ${folder.path}.`,
  );
  const exitCode = missing > 0 || isPartial ? EXIT.someFailed : EXIT.ok;
  output.event("summary", { exitCode, packages: packages.length, ...counts });
  return exitCode;
}

const NONE = { written: 0, unchanged: 0, "in-the-way": 0, refused: 0, unreadable: 0 };

/** The next run would find the written packages among the others. */
function refuseInside(folder: string, places: readonly string[]): void {
  for (const place of places.filter(isFolder)) {
    const way = relative(resolve(place), folder);
    if (way.startsWith("..") || isAbsolute(way)) continue;
    throw new UsageError(
      `The output folder ${plain(folder)} is in ${plain(place)}, which contains the packages: the next run would read the output of this one. ` +
        "Name another folder with --output.",
    );
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw diskError(error, `creating the folder ${path}`);
  }
}

function printResult(result: NormaliseResult, { output }: CommandCall): void {
  const { checked, outcome, archive, beside, reason, digest } = result;
  for (const line of wordsOf(checked)) output.say(line);
  if (archive !== null && reason === "") {
    output.say(`  ${outcome === "written" ? "written" : "unchanged"}: ${plain(archive)}`);
    for (const file of beside) output.say(`  next to it: ${plain(file)}`);
    for (const { code, path, what } of checked.repairs)
      output.say(`  repaired (${code}) ${path === "" ? "" : `${plain(path)}: `}${plain(what)}`);
  }
  // A refused package is printed above, with every finding.
  if (reason !== "" && checked.verdict !== "refuse") output.warn(plain(reason));
  output.event("package", { file: checked.file, verdict: checked.verdict, outcome, digest, archive, beside, reason });
}

/** Prints the answers of a site about its training modules as one JSON object without secrets. */
export async function runTrainingProbe(call: CommandCall): Promise<ExitCode> {
  const root = readSite(call.arguments[0] ?? "", call.settings.insecureHttp);
  const { connectModules } = await import("../compose-tools.js");
  const { probe, redact, close } = connectModules(
    siteOf(call, "target", root),
    talkOf({ call, workspace: null, previous: null }, "target"),
  );
  call.hide(redact);
  try {
    const { answers, ...about } = await probe(call.abort);
    await writeStream(call.stdout, oneText(`${redact(JSON.stringify({ ...about, answers }, null, 2))}\n`));
    const [exitCode, words] = outcomeOf(root, answers);
    if (words !== "") call.output.warn(words);
    return exitCode;
  } finally {
    await close();
  }
}

function outcomeOf(root: string, answers: readonly ProbedAnswer[]): readonly [ExitCode, string] {
  const statuses = answers.flatMap(({ status }) => status ?? []);
  if (statuses.some((status) => status < 300)) return [EXIT.ok, ""];
  if (statuses.length === 0)
    return [
      EXIT.unreachable,
      `${root} sent no complete answer. Check the address and the network, and run the same command again.`,
    ];
  if (statuses.includes(401)) {
    return [
      EXIT.signInRefused,
      `${root} needs a sign-in (401), so the record contains nothing else. Set GUIDEFERRY_TARGET_TOKEN to the token of an administrator, and run the same command again.`,
    ];
  }
  return [
    EXIT.someFailed,
    `${root} returned no training modules: it answered ${[...new Set(statuses)].join(", ")}. Sign in as an administrator. Some sites have no such modules.`,
  ];
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
