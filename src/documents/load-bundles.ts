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

/** A bundle that was written, or that said the same already. */
export interface WrittenBundle extends WrittenFile {
  readonly file: string;
  /** Why nothing of it could be compared; null: it is a sound archive. */
  readonly damage: string | null;
}

export interface BundleSummary extends ComparedBundles {
  readonly items: number;
  readonly losses: BundleLosses;
}

export interface ComparedBundles {
  readonly bundles: readonly WrittenBundle[];
  /** Bundles of guideferry in the same folder that are none of these. */
  readonly stale: readonly string[];
}

/**
 * Throws UsageError when the goal can't be written, or is something that guideferry didn't write:
 * asked before a source is read.
 */
export async function refuseBundlePlace(destination: BundlePlace): Promise<void> {
  if ("bundle" in destination) return refuseBundlePath(destination.bundle);
  if ((await exists(destination.bundles)) && !(await stat(destination.bundles)).isDirectory())
    throw new UsageError(`${destination.bundles} is a file, and with --split bundles go into a folder. Name a folder.`);
  return refuseBundlePath(join(destination.bundles, "bundle.omanual"));
}

/**
 * Writes what the workspace holds as bundles, whole each time, and reads each back to compare it.
 * `scratch`: a folder for what is needed during the run; `report`: the file for what oManual can't
 * hold, which `tell` gets too. Throws UsageError when there is nothing to write or the goal is not
 * guideferry's, and what reading the workspace and writing throw.
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
    // All before the first: a folder that is half replaced helps nobody.
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
 * Compares bundles with what the workspace would write; of one that is missing in its folder, every
 * item is. Throws UsageError (exit 10) when there is none at all.
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
    `There is no bundle ${first} to compare. Write it first: guideferry load ${workspace.directory} ${target}`,
    { exitCode: EXIT.notFound },
  );
}

/** A bundle that the guard refuses is a finding of the comparison, not its end. */
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

/**
 * What is to be written, once everything went through the transforms. Throws UsageError when that
 * is nothing.
 */
async function plannedBundles(
  parts: BundleParts,
  destination: BundlePlace,
  { found }: Pick<BundleLossReport, "found">,
): Promise<{ readonly items: number; readonly all: readonly BundleAt[] }> {
  const { items, split } = await splitContent(parts, found);
  if (items === 0)
    throw new UsageError(
      "There is nothing to write: no category, page or guide of the workspace is among what --only, --include, --exclude and --since " +
        "choose together. Globs are keys (guide/12*) or paths of category titles (Looms/**).",
    );
  if ("bundle" in destination) return { items, all: [{ file: destination.bundle, content: bundleContent(parts) }] };
  const at = ({ name, content }: PlannedBundle) => ({ file: join(destination.bundles, `${name}.omanual`), content });
  return { items, all: split.map(at) };
}

function sourceOf({ workspace }: BundleParts): SiteIdentity {
  const source = workspace.source();
  if (source !== undefined) return source;
  throw new WorkspaceError(
    `${workspace.directory} holds no site yet, so there is nothing to write. Fill it first: guideferry extract SOURCE --workspace ${workspace.directory}`,
    { exitCode: EXIT.notFound },
  );
}

/**
 * Bundles in a folder that guideferry wrote and that are not among these: of categories that are
 * gone, that have another title now, or that were not chosen this time. Throws ArchiveError when
 * the folder can't be read.
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

/** What can't be read is nobody's bundle. */
async function isOurs(path: string): Promise<boolean> {
  try {
    return await isOwnBundle(path);
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

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
 * Says what `loadBundles` would write, without a byte of it: the documents are made and thrown
 * away, and a bundle that is there is read and compared. `report`: the file for what oManual can't
 * hold. Throws what `loadBundles` throws before it writes.
 */
export async function planBundles(parts: BundleParts, destination: BundlePlace, report: string): Promise<BundlePlan> {
  const { origin } = sourceOf(parts);
  const losses = new BundleLossReport(report, () => undefined);
  const bundles: PlannedFile[] = [];
  let told: BundleLosses | undefined;
  try {
    const { all } = await plannedBundles(parts, destination, losses);
    for (const [index, each] of all.entries()) {
      bundles.push(await plannedFile(each, parts, { origin, report: losses.written }));
      parts.control.progress({ stage: "check", done: index + 1, total: all.length, failed: 0 });
    }
  } finally {
    told = losses.close();
  }
  const files = bundles.map(({ file }) => file);
  return {
    bundles,
    stale: "bundles" in destination ? await staleBundles(destination.bundles, files) : [],
    losses: told,
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

export interface BundleLosses {
  /**
   * One JSON object a line, as of a load; `keptInSidecar` says that nothing is lost for guideferry.
   */
  readonly file: string;
  /** What is gone, also with the sidecar: of each kind of item by code. */
  readonly losses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly totals: Readonly<Record<Issue["level"], number>>;
  /** What oManual has no place for, and the sidecars keep, by code. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Losses that no sidecar makes good: the bytes were never there. */
const GONE: ReadonlySet<string> = new Set(["media-missing", "media-refused"]);

/**
 * Takes issues into a report as they come, so that memory does not grow with them, and counts them.
 */
class BundleLossReport {
  readonly #path: string;
  readonly #tell: Report;
  readonly #file: number;
  readonly #totals = { note: 0, loss: 0, error: 0 };
  readonly #losses: Record<string, Record<string, number>> = {};
  readonly #kept: Record<string, number> = {};

  /** `path`: the file, made anew. `tell` gets each issue as well. */
  constructor(path: string, tell: Report) {
    this.#path = path;
    this.#tell = tell;
    this.#file = this.#onDisk(() => openSync(path, "w", 0o600));
  }

  readonly found = (issue: Issue): void => this.#note(issue, false);

  readonly written = (issue: Issue): void => this.#note(issue, issue.level === "loss" && !GONE.has(issue.code));

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
