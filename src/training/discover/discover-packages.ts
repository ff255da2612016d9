import { join, sep } from "node:path";
import { UsageError } from "../../core/errors.js";
import type { FoundPackage } from "../package.js";
import { plain } from "../report/plain.js";
import { fileAt, type Known, openPlace, type Place } from "./open-place.js";
import { type PassedOver, PassedOverCount } from "./passed-over.js";
import { walk } from "./walk.js";

export interface DiscoverOptions {
  readonly signal: AbortSignal;
  /** Called for each place once it was walked, with what in it is no package, for each reason once. */
  readonly passedOver: (what: PassedOver) => void;
  /** Called for each file and folder looked at, with their number so far; may be called often. Default: nobody is told. */
  readonly progress?: (looked: number) => void;
}

/**
 * The packages in folders, files, lists and at https addresses, each once, in the order of the places; in a folder in the order of code points.
 * All places are looked at before the first package comes, so that a mistake in the last one stops nothing halfway.
 * @throws UsageError for a place that is not there or can't be used, a list with faults (each with file and line), and where nothing is found
 */
export async function* discoverPackages(
  places: readonly string[],
  options: DiscoverOptions,
): AsyncGenerator<FoundPackage> {
  const opened: Place[] = [];
  for (const place of places) opened.push(await openPlace(place));
  const modules = modulesOf(opened);
  const lists = new Set(opened.flatMap((place) => (place.kind === "packages" && place.list ? [place.list] : [])));
  const seen = new Set<string>();
  let looked = 0;
  const count = () => {
    looked += 1;
    options.progress?.(looked);
  };
  for (const place of opened) {
    for await (const { identity, found } of packagesOf(place, { ...options, lists }, count)) {
      options.signal.throwIfAborted();
      if (seen.has(identity)) continue;
      seen.add(identity);
      yield { ...found, module: modules.get(identity) ?? null };
    }
  }
  if (seen.size === 0) throw nothingFound(places);
}

interface PlaceOptions extends DiscoverOptions {
  /** Real paths of the lists that were named: in a folder that was named too they are nothing to tell of. */
  readonly lists: ReadonlySet<string>;
}

async function* packagesOf(place: Place, { signal, passedOver, lists }: PlaceOptions, looked: () => void) {
  if (place.kind === "packages") {
    for (const known of place.packages) {
      looked();
      yield known;
    }
    return;
  }
  const passed = new PassedOverCount(place.place, (below) => lists.has(join(place.realPath, below)));
  for await (const below of walk(place.realPath, { signal, passedOver: passed, looked }))
    yield fileAt(sourceOf(place.place, below), join(place.realPath, below), null);
  for (const what of passed.all()) passedOver(what);
}

/** A folder has one name, with or without a slash behind it. */
function sourceOf(place: string, below: string): string {
  const source = join(place, below);
  return source.length > 1 && source.endsWith(sep) ? source.slice(0, -1) : source;
}

/** What lists say of packages that a folder may show too, before the list or behind it. */
function modulesOf(places: readonly Place[]): ReadonlyMap<string, string> {
  const all = places.flatMap((place): readonly Known[] => (place.kind === "packages" ? place.packages : []));
  const modules = new Map<string, string>();
  for (const { identity, found } of all) {
    if (found.module === null) continue;
    const before = modules.get(identity) ?? found.module;
    if (before !== found.module) {
      throw new UsageError(
        `Two lists name ${plain(found.source)} for different modules, ${plain(before)} and ${plain(found.module)}. Take it out of one.`,
      );
    }
    modules.set(identity, found.module);
  }
  return modules;
}

function nothingFound(places: readonly string[]): UsageError {
  return new UsageError(
    `No training package was found in ${places.map(plain).join(", ")}. Packages are files named .zip, .pif or .xml, other files that are zip archives, and folders with an imsmanifest.xml, cmi5.xml, tincan.xml or the course files of AICC.`,
  );
}
