import { UsageError } from "../../../core/errors.js";
import { discoverPackages } from "../../../training/discover/discover-packages.js";
import { describePassedOver, type Reason } from "../../../training/discover/passed-over.js";
import type { FoundPackage } from "../../../training/package.js";
import type { CommandCall } from "../../command.js";

/** What the places of a command line come to. */
export interface Found {
  readonly packages: readonly FoundPackage[];
  /** Something was passed over that may be a package. */
  readonly isPartial: boolean;
}

/** Never of interest: what programs leave in every folder, guideferry too. */
const NEVER_MISSED: ReadonlySet<Reason> = new Set(["junk", "lock", "workspace"]);

/** Files and folders that are looked at between two words about it: small places need none. */
const TELL_EVERY = 200;

/** Finds the packages in the places, and tells what was passed over. Throws UsageError for places that can't be used. */
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
