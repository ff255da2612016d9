import type { BundleParts } from "./bundle-content.js";
import { type BundleLosses, BundleLossReport } from "./bundle-losses.js";
import { type BundleAt, type BundleGoal, compareBundle, plannedBundles, sourceOf } from "./load-bundles.js";
import { exists } from "./own-bundle.js";
import { staleBundles } from "./stale-bundles.js";
import { type BundleDifference, missingBundle } from "./verify-bundle-file.js";
import { bundleFiles } from "./write-bundle-file.js";

/** What a load would do with one bundle. */
export interface PlannedFile {
  readonly file: string;
  /** `leave`: it says all of this already, and nothing else. */
  readonly action: "create" | "change" | "leave";
  /** What it would hold: items, media too, and files, some of them media. */
  readonly items: number;
  readonly files: number;
  readonly mediaFiles: number;
  /** Why the one that is there could not be compared; null: it could, or there is none. */
  readonly damage: string | null;
  /** Of the bundle that is there, against what it would be. */
  readonly differences: readonly BundleDifference[];
}

export interface BundlePlan {
  readonly bundles: readonly PlannedFile[];
  readonly stale: readonly string[];
  readonly losses: BundleLosses;
}

/**
 * Says what `loadBundles` would write, without a byte of it: the documents are made and thrown away, and a bundle that is there is read
 * and compared. `report`: the file for what oManual can't hold. Throws what `loadBundles` throws before it writes.
 */
export async function planBundles(parts: BundleParts, goal: BundleGoal, report: string): Promise<BundlePlan> {
  const { origin } = sourceOf(parts);
  const losses = new BundleLossReport(report, () => undefined);
  const bundles: PlannedFile[] = [];
  let told: BundleLosses | undefined;
  try {
    const { all } = await plannedBundles(parts, goal, losses);
    for (const [index, each] of all.entries()) {
      bundles.push(await plannedFile(each, parts, { origin, report: losses.written }));
      parts.control.progress({ stage: "check", done: index + 1, total: all.length, failed: 0 });
    }
  } finally {
    told = losses.close();
  }
  const files = bundles.map(({ file }) => file);
  return { bundles, stale: "bundles" in goal ? await staleBundles(goal.bundles, files) : [], losses: told };
}

async function plannedFile(
  { file, content }: BundleAt,
  { control }: BundleParts,
  writing: { readonly origin: string; readonly report: BundleLossReport["written"] },
): Promise<PlannedFile> {
  let files = 0;
  let mediaFiles = 0;
  for await (const { content: written } of bundleFiles(file, { content, ...writing })) {
    control.abort.throwIfAborted();
    files += 1;
    if (typeof written !== "string") mediaFiles += 1;
  }
  const isThere = await exists(file);
  const counted = { file, files, mediaFiles };
  if (!isThere)
    return { ...counted, action: "create", items: (await missingBundle(content)).items, damage: null, differences: [] };
  const compared = await compareBundle(file, content, control.abort);
  const isSame = compared.damage === null && compared.differences.length === 0;
  return { ...counted, action: isSame ? "leave" : "change", ...compared };
}
