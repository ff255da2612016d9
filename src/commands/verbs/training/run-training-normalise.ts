import { mkdir } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { diskError } from "../../../storage/archive/disk-error.js";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { type NormaliseResult, normalisePackage } from "../../../training/package/normalise-package.js";
import { NormalisedFolder } from "../../../training/package/normalised-folder.js";
import { plain } from "../../../training/report/plain.js";
import { wordsOf } from "../../../training/report/words-of.js";
import type { CommandCall } from "../../command.js";
import { isFolder } from "../../location.js";
import { eachPackage } from "./each-package.js";
import { findPackages } from "./find-packages.js";
import { packageOptions } from "./package-options.js";
import { withFetched } from "./with-fetched.js";

/** Writes the normalised form of each package into a folder. */
export async function runTrainingNormalise(call: CommandCall): Promise<ExitCode> {
  const { settings, output } = call;
  if (settings.normalisedFolder === null) throw new UsageError("Say where the normalised packages go: --output DIR.");
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
        tell(one.result, call);
      }
    }
  });
  output.close();
  const missing = counts.refused + counts["in-the-way"] + counts.unreadable;
  output.say(
    `${packages.length} ${packages.length === 1 ? "package" : "packages"}: ${counts.written} written, ${counts.unchanged} there already, ${missing} not written. They are in ${folder.path}.`,
  );
  const exitCode = missing > 0 || isPartial ? EXIT.someFailed : EXIT.ok;
  output.event("summary", { exitCode, packages: packages.length, ...counts });
  return exitCode;
}

const NONE = { written: 0, unchanged: 0, "in-the-way": 0, refused: 0, unreadable: 0 };

/** What is written among the packages would be found there as packages by the next run. */
function refuseInside(folder: string, places: readonly string[]): void {
  for (const place of places.filter(isFolder)) {
    const way = relative(resolve(place), folder);
    if (way.startsWith("..") || isAbsolute(way)) continue;
    throw new UsageError(
      `The output folder ${plain(folder)} lies in ${plain(place)}, where packages are looked for: the next run would find what this one writes. ` +
        "Name a folder elsewhere with --output.",
    );
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw diskError(error, `making the folder ${path}`);
  }
}

function tell(result: NormaliseResult, { output }: CommandCall): void {
  const { checked, outcome, archive, beside, reason, digest } = result;
  for (const line of wordsOf(checked)) output.say(line);
  if (archive !== null && reason === "") {
    output.say(`  ${outcome === "written" ? "written" : "is there already"}: ${plain(archive)}`);
    for (const file of beside) output.say(`  beside it: ${plain(file)}`);
    for (const { code, path, what } of checked.repairs)
      output.say(`  repaired (${code}) ${path === "" ? "" : `${plain(path)}: `}${plain(what)}`);
  }
  // What is refused has said so above, with every finding.
  if (reason !== "" && checked.verdict !== "refuse") output.warn(plain(reason));
  output.event("package", { file: checked.file, verdict: checked.verdict, outcome, digest, archive, beside, reason });
}
