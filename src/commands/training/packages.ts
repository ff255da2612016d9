import { basename } from "node:path";
import { FerryError, StoppedError, UsageError } from "../../core/errors.js";
import { withScratchFolder } from "../../core/util/files.js";
import { endsRun } from "../../sync/remedies.js";
import { discoverPackages } from "../../training/discover/discover-packages.js";
import { describePassedOver, type Reason } from "../../training/discover/walk.js";
import { fetchPackage } from "../../training/fetch-package.js";
import type { PackageOptions } from "../../training/package/check-package.js";
import type { FoundPackage } from "../../training/package.js";
import type { PackageReport } from "../../training/report/package-report.js";
import type { CommandCall } from "../command.js";
import { talkOf } from "../session/sites.js";

export interface Found {
  readonly packages: readonly FoundPackage[];
  /** A skipped file may be a package. */
  readonly isPartial: boolean;
}

/** Files that programs leave in every folder, guideferry too. */
const NEVER_MISSED: ReadonlySet<Reason> = new Set(["junk", "lock", "workspace"]);

/** Files and folders between two progress events. */
const TELL_EVERY = 200;

/** Finds the packages in the places, and prints what it skips. Throws UsageError. */
export async function findPackages(call: CommandCall, places: readonly string[]): Promise<Found> {
  const { output, settings, abort } = call;
  if (places.includes(""))
    throw new UsageError("One of the PACKAGE or PATH arguments is empty. Remove it, or name a place.");
  let isPartial = false;
  const packages: FoundPackage[] = [];
  const found = discoverPackages(places, {
    signal: abort,
    passedOver: (what) => {
      isPartial ||= what.isFailure;
      const words = describePassedOver(what);
      if (what.isFailure) output.warn(words);
      else if (settings.verbose || !NEVER_MISSED.has(what.reason)) output.note(words);
    },
    progress: (looked) => {
      if (looked % TELL_EVERY === 0) output.progress({ stage: "list", done: looked, total: null, failed: 0 });
    },
  });
  for await (const one of found) packages.push(one);
  return { packages, isPartial };
}

/** The result of one package, or why it could not be read. */
type Looked<T> =
  | { readonly found: FoundPackage; readonly result: T }
  | { readonly found: FoundPackage; readonly reason: string };

/** Calls `work` for each package, one after the other, also after one that cannot be read. */
export async function* eachPackage<T>(
  call: CommandCall,
  packages: readonly FoundPackage[],
  work: (found: FoundPackage) => Promise<T>,
): AsyncGenerator<Looked<T>> {
  const { output, stop, abort } = call;
  let failed = 0;
  for (const [at, found] of packages.entries()) {
    if (stop.aborted) throw new StoppedError("Stopped before every package was checked.");
    try {
      yield { found, result: await work(found) };
    } catch (error) {
      if (!(error instanceof FerryError) || endsRun(error, { abort })) throw error;
      failed += 1;
      yield { found, reason: error.message };
    }
    output.progress({ stage: "check", done: at + 1, total: packages.length, failed });
  }
}

export function packageOptions({ settings, abort }: Pick<CommandCall, "settings" | "abort">): PackageOptions {
  const { strictness: profile, prefer, fixCase, maxPackageSize, maxUnpackedSize, maxPackageFiles } = settings;
  return {
    profile,
    prefer,
    fixCase,
    limits: {
      archiveBytes: maxPackageSize,
      totalBytes: maxUnpackedSize,
      entryBytes: maxUnpackedSize,
      entries: maxPackageFiles,
    },
    signal: abort,
  };
}

interface LocalPackage {
  readonly path: string;
  /** Deletes a downloaded file; a file of the user stays. */
  readonly remove: () => Promise<void>;
}

export interface PackageFiles {
  local(found: FoundPackage, signal: AbortSignal): Promise<LocalPackage>;
  /** Calls `work` with the path of a package; a downloaded one exists only during the call. */
  use<T>(found: FoundPackage, work: (path: string) => Promise<T>): Promise<T>;
}

/**
 * Calls `work` with packages. Downloads need no sign-in, come only from public addresses, and are
 * deleted at the end.
 */
export async function withFetched<T>(call: CommandCall, work: (files: PackageFiles) => Promise<T>): Promise<T> {
  return withScratchFolder("packages", async (folder) => {
    const { connectWeb } = await import("../compose-tools.js");
    const web = connectWeb(talkOf({ call, workspace: null, previous: null }, "target"));
    call.hide(web.redact);
    const local: PackageFiles["local"] = async ({ path, url, source }, signal) => {
      if (path !== null) return { path, remove: async () => undefined };
      if (url === null) throw new FerryError(`${source} has neither a path nor an address: a defect of guideferry.`);
      const { maxPackageSize: maximumBytes } = call.settings;
      return fetchPackage(url, folder, { open: web.open, maximumBytes, signal, warn: call.output.warn });
    };
    const use: PackageFiles["use"] = async (found, look) => {
      const { path, remove } = await local(found, call.abort);
      try {
        return await look(path);
      } finally {
        await remove();
      }
    };
    try {
      return await work({ local, use });
    } finally {
      await web.close();
    }
  });
}

export function whereReport({ files: { html, csv, lines } }: Pick<PackageReport, "files">): string {
  return `Report of each package: ${html}, with ${basename(csv)} and ${basename(lines)} next to it`;
}
