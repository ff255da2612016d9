import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT, UsageError, WorkspaceError } from "../core/errors.js";
import type { Report } from "../core/model/issue.js";
import type { SiteIdentity } from "../core/model/site.js";
import { type BundleContent, type BundleParts, bundleContent } from "./bundle-content.js";
import { type BundleLosses, BundleLossReport } from "./bundle-losses.js";
import { exists, refuseBundlePath } from "./own-bundle.js";
import { type PlannedBundle, splitContent } from "./split-content.js";
import { staleBundles } from "./stale-bundles.js";
import {
  type BundleDifference,
  type BundleVerification,
  missingBundle,
  verifyBundleFile,
} from "./verify-bundle-file.js";
import { type WrittenFile, writeBundleFile } from "./write-bundle-file.js";

/** A bundle by its file, or a folder of them, one for each category. */
export type BundleGoal = { readonly bundle: string } | { readonly bundles: string };

/** A bundle that was written, or that said the same already. */
export interface WrittenBundle extends WrittenFile {
  readonly file: string;
  /** Why nothing of it could be compared; null: it is a sound archive. */
  readonly damage: string | null;
}

export interface BundleSummary extends ComparedBundles {
  /** Items that went in, media aside. */
  readonly items: number;
  readonly losses: BundleLosses;
}

export interface ComparedBundles {
  readonly bundles: readonly WrittenBundle[];
  /** Bundles of guideferry in the same folder that are none of these. */
  readonly stale: readonly string[];
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
      bundles.push({ file, damage: null, ...written });
      control.progress({ stage: "load", done: bundles.length, total: planned.all.length, failed: 0 });
    }
  } finally {
    losses = report.close();
  }
  return { items, bundles, losses, stale: await staleAt(goal, bundles) };
}

/**
 * Compares bundles with what the workspace would write; of one that is missing in its folder, every item is. Throws UsageError (exit 10)
 * when there is none at all.
 */
export async function verifyBundles(parts: BundleParts, goal: BundleGoal): Promise<ComparedBundles> {
  sourceOf(parts);
  const { all } = await plannedBundles(parts, goal, { found: () => undefined });
  const bundles: WrittenBundle[] = [];
  const there = new Set<string>();
  for (const { file } of all) if (await exists(file)) there.add(file);
  if (there.size === 0)
    throw new UsageError(
      `There is no bundle ${all[0]?.file ?? ""} to compare. Write it first: guideferry load WORKSPACE TARGET`,
      { exitCode: EXIT.notFound },
    );
  for (const { file, content } of all) {
    const compared = there.has(file)
      ? await compareBundle(file, content, parts.control.abort)
      : { damage: null, ...(await missingBundle(content)) };
    bundles.push({ file, written: false, ...compared });
  }
  return { bundles, stale: await staleAt(goal, bundles) };
}

/** A bundle that the guard refuses is a finding of the comparison, not its end. */
export async function compareBundle(
  file: string,
  content: BundleContent,
  signal: AbortSignal,
): Promise<BundleVerification & Pick<WrittenBundle, "damage">> {
  try {
    return { damage: null, ...(await verifyBundleFile(file, content, signal)) };
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.findings.length === 0) throw error;
    return { damage: error.message, items: (await missingBundle(content)).items, differences: [] };
  }
}

async function staleAt(goal: BundleGoal, bundles: readonly WrittenBundle[]): Promise<readonly string[]> {
  if ("bundle" in goal) return [];
  return staleBundles(
    goal.bundles,
    bundles.map(({ file }) => file),
  );
}

/** One bundle by its file, and what belongs in. */
export interface BundleAt {
  readonly file: string;
  readonly content: BundleContent;
}

/** What is to be written, once everything went through the transforms. Throws UsageError when that is nothing. */
export async function plannedBundles(
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

/** Who the content comes from. Throws WorkspaceError where there is none yet. */
export function sourceOf({ workspace }: BundleParts): SiteIdentity {
  const source = workspace.source();
  if (source !== undefined) return source;
  throw new WorkspaceError(
    `${workspace.directory} holds no site yet, so there is nothing to write. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}
