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
  /** Something was passed over that may be a package. */
  readonly isPartial: boolean;
}

/** Never of interest: what programs leave in every folder, guideferry too. */
const NEVER_MISSED: ReadonlySet<Reason> = new Set(["junk", "lock", "workspace"]);

/** Files and folders that are looked at between two words about it: small places need none. */
const TELL_EVERY = 200;

/**
 * Finds the packages in the places, and tells what was passed over. Throws UsageError for places
 * that can't be used.
 */
export async function findPackages(call: CommandCall, places: readonly string[]): Promise<Found> {
  const { output, settings, abort } = call;
  if (places.includes("")) throw new UsageError("One of the places is an empty text. Take it out, or name a place.");
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

/** What came of one package: a result, or why it could not even be looked at. */
type Looked<T> =
  | { readonly found: FoundPackage; readonly result: T }
  | { readonly found: FoundPackage; readonly reason: string };

/**
 * Lets work be done with each package, one after the other; one that can't be read keeps nothing
 * from the others.
 */
export async function* eachPackage<T>(
  call: CommandCall,
  packages: readonly FoundPackage[],
  work: (found: FoundPackage) => Promise<T>,
): AsyncGenerator<Looked<T>> {
  const { output, stop, abort } = call;
  let failed = 0;
  for (const [at, found] of packages.entries()) {
    if (stop.aborted) throw new StoppedError("Stopped before every package was looked at.");
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
  const { profile, prefer, fixCase, maxPackageSize, maxUnpackedSize, maxPackageFiles } = settings;
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
  /** Takes away what was fetched; a file of the user's stays. */
  readonly remove: () => Promise<void>;
}

export interface PackageFiles {
  local(found: FoundPackage, signal: AbortSignal): Promise<LocalPackage>;
  /** Gives work the path of a package; one from the web lies there only while the work lasts. */
  use<T>(found: FoundPackage, work: (path: string) => Promise<T>): Promise<T>;
}

/**
 * Lets work be done with packages. What has to be fetched is fetched without any sign-in, from
 * public addresses only, and gone at the end.
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
  return `Each package: ${html}, and beside it ${basename(csv)} and ${basename(lines)}`;
}
