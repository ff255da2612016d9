import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, UsageError, WorkspaceError } from "../../errors.js";
import type { Report } from "../../model/issue.js";
import { type BundleContent, type BundleParts, bundleContent } from "./bundle-content.js";
import { type BundleLosses, BundleLossReport } from "./bundle-losses.js";
import { exists, refuseBundlePath } from "./own-bundle.js";
import { type PlannedBundle, splitContent } from "./split-content.js";
import { type BundleDifference, type BundleVerification, verifyBundleFile } from "./verify-bundle-file.js";
import { writeBundleFile } from "./write-bundle-file.js";

/** A bundle by its file, or a folder of them, one for each category. */
export type BundleGoal = { readonly bundle: string } | { readonly bundles: string };

/** A bundle that was written, or that said the same already. */
export interface WrittenBundle extends BundleVerification {
  readonly file: string;
  /** false: it had these very bytes. */
  readonly written: boolean;
}

export interface BundleSummary {
  /** Items that went in, media aside. */
  readonly items: number;
  readonly bundles: readonly WrittenBundle[];
  readonly losses: BundleLosses;
}

/** A difference, and the file that has it. */
export interface FoundDifference extends BundleDifference {
  readonly file: string;
}

/**
 * Throws UsageError when the goal can't be written, or is something that guideferry didn't write: asked before a source is read.
 */
export async function refuseGoal(goal: BundleGoal): Promise<void> {
  if ("bundle" in goal) return refuseBundlePath(goal.bundle);
  if ((await exists(goal.bundles)) && !(await stat(goal.bundles)).isDirectory())
    throw new UsageError(`${goal.bundles} is a file, and with --split bundles go into a folder. Name a folder.`);
  return refuseBundlePath(join(goal.bundles, "bundle.omanual"));
}

/**
 * Writes what the workspace holds as bundles, whole each time, and reads each back to compare it. `scratch`: a folder for what is needed
 * during the run; `report`: the file for what oManual can't hold, which `tell` gets too. Throws UsageError when there is nothing to write or the goal
 * is not guideferry's, and what reading the workspace and writing throw.
 */
export async function loadBundles(
  parts: BundleParts,
  goal: BundleGoal,
  files: { readonly scratch: string; readonly report: string; readonly tell: Report },
): Promise<BundleSummary> {
  const { workspace, control } = parts;
  const source = sourceOf(parts);
  const report = new BundleLossReport(files.report, files.tell);
  const bundles: WrittenBundle[] = [];
  let items = 0;
  let losses: BundleLosses | undefined;
  try {
    const planned = await plannedBundles(parts, goal, report);
    items = planned.items;
    // All before the first: a folder that is half replaced helps nobody.
    for (const { file } of planned.all) await refuseBundlePath(file);
    if ("bundles" in goal) await mkdir(goal.bundles, { recursive: true });
    for (const { file, content } of planned.all) {
      const { scratch } = files;
      const { origin } = source;
      const { media: store } = workspace;
      const signal = control.abort;
      const written = await writeBundleFile(file, { content, store, scratch, origin, report: report.written, signal });
      bundles.push({ file, written, ...(await verifyBundleFile(file, content, signal)) });
      control.progress({ stage: "load", done: bundles.length, total: planned.all.length, failed: 0 });
    }
  } finally {
    losses = report.close();
  }
  return { items, bundles, losses };
}

/** Compares bundles with what the workspace would write. Throws UsageError (exit 10) when one is not there. */
export async function verifyBundles(parts: BundleParts, goal: BundleGoal): Promise<readonly WrittenBundle[]> {
  sourceOf(parts);
  const { all } = await plannedBundles(parts, goal, { found: () => undefined });
  const compared: WrittenBundle[] = [];
  for (const { file, content } of all) {
    if (!(await exists(file)))
      throw new UsageError(`There is no bundle ${file} to compare. Write it first: guideferry load WORKSPACE TARGET`, {
        exitCode: EXIT.notFound,
      });
    compared.push({ file, written: false, ...(await verifyBundleFile(file, content, parts.control.abort)) });
  }
  return compared;
}

interface BundleAt {
  readonly file: string;
  readonly content: BundleContent;
}

async function plannedBundles(
  parts: BundleParts,
  goal: BundleGoal,
  { found }: Pick<BundleLossReport, "found">,
): Promise<{ readonly items: number; readonly all: readonly BundleAt[] }> {
  const { items, split } = await splitContent(parts, found);
  if (items === 0)
    throw new UsageError(
      "There is nothing to write: no category, page or guide of the workspace is among what --only, --include, --exclude and --since " +
        "choose together. Globs are keys (guide/12*) or paths of category titles (Looms/**).",
    );
  if ("bundle" in goal) return { items, all: [{ file: goal.bundle, content: bundleContent(parts) }] };
  const at = ({ name, content }: PlannedBundle) => ({ file: join(goal.bundles, `${name}.omanual`), content });
  return { items, all: split.map(at) };
}

function sourceOf({ workspace }: BundleParts) {
  const source = workspace.source();
  if (source !== undefined) return source;
  throw new WorkspaceError(
    `${workspace.directory} holds no site yet, so there is nothing to write. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}
