import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError, EXIT, UsageError, WorkspaceError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import type { Issue, Report } from "../core/model/issue.js";
import { kindOf } from "../core/model/key.js";
import { diskError, onDisk } from "../storage/archive/disk-error.js";
import {
  type BundleContent,
  type BundleParts,
  bundleContent,
  type PlannedBundle,
  splitContent,
} from "./bundle-content.js";
import {
  type BundleDifference,
  type BundleVerification,
  bundleFiles,
  exists,
  isOwnBundle,
  missingBundle,
  refuseBundlePath,
  verifyBundleFile,
  type WrittenFile,
  writeBundleFile,
} from "./bundle-file.js";
import { type BundlePlace, namesPackage } from "./package-name.js";

/** A bundle that was written or compared. */
export interface WrittenBundle extends WrittenFile {
  readonly file: string;
  /** Why it can't be compared; null: it can. */
  readonly damage: string | null;
}

export interface BundleSummary extends ComparedBundles {
  readonly items: number;
  readonly losses: BundleLosses;
}

export interface ComparedBundles {
  readonly bundles: readonly WrittenBundle[];
  /** Other bundles of guideferry in the same folder. */
  readonly stale: readonly string[];
}

/** Throws UsageError when the destination can't be written, or guideferry did not write it. */
export async function refuseBundlePlace(destination: BundlePlace): Promise<void> {
  if ("bundle" in destination) return refuseBundlePath(destination.bundle);
  if ((await exists(destination.bundles)) && !(await stat(destination.bundles)).isDirectory())
    throw new UsageError(`${destination.bundles} is a file, but --split writes bundles into a folder. Name a folder.`);
  return refuseBundlePath(join(destination.bundles, "bundle.omanual"));
}

/**
 * Writes the content of the workspace as bundles, and reads each back to compare it. Throws
 * UsageError when there is nothing to write or the destination is refused, and what reading the
 * workspace and writing throw.
 *
 * @param files `scratch` is a temporary folder; the file `report` and `tell` receive the issues
 */
export async function loadBundles(
  parts: BundleParts,
  destination: BundlePlace,
  files: { readonly scratch: string; readonly report: string; readonly tell: Report },
): Promise<BundleSummary> {
  const { workspace, control } = parts;
  const source = sourceOf(parts);
  const report = new BundleLossReport(files.report, files.tell);
  const bundles: WrittenBundle[] = [];
  let items = 0;
  let losses: BundleLosses | undefined;
  try {
    const planned = await plannedBundles(parts, destination, report);
    items = planned.items;
    for (const { file } of planned.all) await refuseBundlePath(file);
    if ("bundles" in destination)
      await onDisk(`making ${destination.bundles}`, mkdir(destination.bundles, { recursive: true }));
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
  return { items, bundles, losses, stale: await staleAt(destination, bundles) };
}

/**
 * Compares bundles with the content of the workspace; all items of a missing bundle are missing.
 * Throws UsageError (exit 10) when no bundle exists.
 */
export async function verifyBundles(parts: BundleParts, destination: BundlePlace): Promise<ComparedBundles> {
  sourceOf(parts);
  const { all } = await plannedBundles(parts, destination, { found: () => undefined });
  const bundles: WrittenBundle[] = [];
  const there = new Set<string>();
  for (const { file } of all) if (await exists(file)) there.add(file);
  if (there.size === 0) throw nothingToCompare(parts, destination, all[0]?.file ?? "");
  for (const { file, content } of all) {
    const compared = there.has(file)
      ? await compareBundle(file, content, parts.control.abort)
      : { damage: null, ...(await missingBundle(content)) };
    bundles.push({ file, written: false, ...compared });
  }
  return { bundles, stale: await staleAt(destination, bundles) };
}

function nothingToCompare({ workspace }: BundleParts, destination: BundlePlace, first: string): UsageError {
  const target = "bundle" in destination ? destination.bundle : `${destination.bundles} --split category`;
  return new UsageError(
    `The bundle ${first} does not exist, so there is nothing to compare. Write it first: guideferry load ${workspace.directory} ${target}`,
    { exitCode: EXIT.notFound },
  );
}

/** A bundle that the guard refuses is a finding, and does not stop the comparison. */
async function compareBundle(
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

async function staleAt(destination: BundlePlace, bundles: readonly WrittenBundle[]): Promise<readonly string[]> {
  if ("bundle" in destination) return [];
  return staleBundles(
    destination.bundles,
    bundles.map(({ file }) => file),
  );
}

interface BundleAt {
  readonly file: string;
  readonly content: BundleContent;
}

/** The bundles to write, after the transforms. Throws UsageError when there is no item. */
async function plannedBundles(
  parts: BundleParts,
  destination: BundlePlace,
  { found }: Pick<BundleLossReport, "found">,
): Promise<{ readonly items: number; readonly all: readonly BundleAt[] }> {
  const { items, split } = await splitContent(parts, found);
  if (items === 0)
    throw new UsageError(
      "There is nothing to write: --only, --include, --exclude and --since together choose no category, page or guide of the workspace. " +
        "Globs match keys (guide/12*) or paths of category titles (Looms/**).",
    );
  if ("bundle" in destination) return { items, all: [{ file: destination.bundle, content: bundleContent(parts) }] };
  const at = ({ name, content }: PlannedBundle) => ({ file: join(destination.bundles, `${name}.omanual`), content });
  return { items, all: split.map(at) };
}

function sourceOf({ workspace }: BundleParts): SiteIdentity {
  const source = workspace.source();
  if (source !== undefined) return source;
  throw new WorkspaceError(
    `The workspace ${workspace.directory} is empty, so there is nothing to write. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}

/**
 * Other bundles of guideferry in a folder: of deleted or renamed categories, or of such that were
 * not chosen. Throws ArchiveError when the folder can't be read.
 */
async function staleBundles(folder: string, written: readonly string[]): Promise<readonly string[]> {
  if (!(await exists(folder))) return [];
  const known = new Set(written);
  const stale: string[] = [];
  const entries = await onDisk(`reading ${folder}`, readdir(folder, { withFileTypes: true }));
  for (const entry of entries.filter((each) => each.isFile() && namesPackage(each.name))) {
    const path = join(folder, entry.name);
    if (!known.has(path) && (await isOurs(path))) stale.push(path);
  }
  return stale.toSorted();
}

async function isOurs(path: string): Promise<boolean> {
  try {
    return await isOwnBundle(path);
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

/** A bundle that a load would write. */
export interface PlannedFile {
  readonly file: string;
  /** `leave`: the bundle is up to date. */
  readonly action: "create" | "change" | "leave";
  /** Number of items with media; `files` is the number of all files. */
  readonly items: number;
  readonly files: number;
  readonly mediaFiles: number;
  /** Why the existing bundle can't be compared; null: it can, or there is none. */
  readonly damage: string | null;
  readonly differences: readonly BundleDifference[];
}

export interface BundlePlan {
  readonly bundles: readonly PlannedFile[];
  readonly stale: readonly string[];
  readonly losses: BundleLosses;
}

/**
 * The dry run of `loadBundles`: renders the documents without writing them, and compares existing
 * bundles. Throws what `loadBundles` throws before it writes.
 *
 * @param report the file for issues
 */
export async function planBundles(parts: BundleParts, destination: BundlePlace, report: string): Promise<BundlePlan> {
  const { origin } = sourceOf(parts);
  const losses = new BundleLossReport(report, () => undefined);
  const bundles: PlannedFile[] = [];
  let reported: BundleLosses | undefined;
  try {
    const { all } = await plannedBundles(parts, destination, losses);
    for (const [index, each] of all.entries()) {
      bundles.push(await plannedFile(each, parts, { origin, report: losses.written }));
      parts.control.progress({ stage: "check", done: index + 1, total: all.length, failed: 0 });
    }
  } finally {
    reported = losses.close();
  }
  const files = bundles.map(({ file }) => file);
  return {
    bundles,
    stale: "bundles" in destination ? await staleBundles(destination.bundles, files) : [],
    losses: reported,
  };
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

/** What bundles lose, and what they keep beside the format. */
export interface BundleLosses {
  /**
   * One JSON object on each line; `keptInSidecar`: the sidecar has the data, so nothing is lost.
   */
  readonly file: string;
  /** Numbers of losses that the sidecar does not prevent, by kind of item and code. */
  readonly losses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly totals: Readonly<Record<Issue["level"], number>>;
  /** Numbers of losses of the format that the sidecar prevents, by code. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Losses that no sidecar prevents: the bytes were never fetched. */
const NEVER_FETCHED: ReadonlySet<string> = new Set(["media-missing", "media-refused"]);

/** Writes issues to a file at once, so that memory does not grow with them, and counts them. */
class BundleLossReport {
  readonly #path: string;
  readonly #tell: Report;
  readonly #file: number;
  readonly #totals = { note: 0, loss: 0, error: 0 };
  readonly #losses: Record<string, Record<string, number>> = {};
  readonly #kept: Record<string, number> = {};

  /**
   * @param path the file, which is replaced
   * @param tell also receives each issue
   */
  constructor(path: string, tell: Report) {
    this.#path = path;
    this.#tell = tell;
    this.#file = this.#onDisk(() => openSync(path, "w", 0o600));
  }

  readonly found = (issue: Issue): void => this.#note(issue, false);

  readonly written = (issue: Issue): void =>
    this.#note(issue, issue.level === "loss" && !NEVER_FETCHED.has(issue.code));

  close(): BundleLosses {
    closeSync(this.#file);
    return { file: this.#path, losses: this.#losses, totals: this.#totals, kept: this.#kept };
  }

  #note(issue: Issue, keptInSidecar: boolean): void {
    this.#onDisk(() => writeSync(this.#file, `${JSON.stringify({ ...issue, keptInSidecar })}\n`));
    this.#tell(issue);
    if (keptInSidecar) {
      this.#kept[issue.code] = (this.#kept[issue.code] ?? 0) + 1;
      return;
    }
    this.#totals[issue.level] += 1;
    if (issue.level === "note") return;
    const codes = this.#losses[kindOf(issue.key)] ?? {};
    codes[issue.code] = (codes[issue.code] ?? 0) + 1;
    this.#losses[kindOf(issue.key)] = codes;
  }

  #onDisk<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw diskError(error, `writing ${this.#path}`);
    }
  }
}
