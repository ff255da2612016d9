import type { CommandCall } from "./command.js";
import type { Place, TargetPlace } from "./location.js";
import { flagOf } from "./options/option.js";
import { OPTIONS, type OptionName } from "./options/table.js";
import { AT_SITES } from "./writing-options.js";

/** Options that say something of one kind of place only, and why they do nothing at another. */
interface Unused {
  readonly names: readonly OptionName[];
  readonly because: string;
}

const OF_READ_SITES = [
  "imageDetails",
  "format",
  "languages",
  "contentVersion",
  "records",
  "personalData",
  "refresh",
  "includePrivate",
  "sourceRate",
] as const;

const AT_SOURCES: Readonly<Record<"site" | "documents" | "workspace", Unused>> = {
  site: { names: ["publish"], because: "a site says itself which guides are public" },
  documents: { names: OF_READ_SITES, because: "documents are read whole, as they are" },
  workspace: {
    names: [...OF_READ_SITES, "publish"],
    because: "nothing is read from a source: the workspace is taken as it is",
  },
};

const OF_REPOSITORIES: Unused = {
  names: ["at", "identity"],
  because: "only a repository of backups has snapshots, and keys that open them",
};

const AT_BUNDLES: Unused = {
  names: [...AT_SITES, "targetRate"],
  because: "a bundle takes everything as it is, and is written whole",
};

/** Where a command reads and writes. */
export interface Ends {
  readonly place: Place;
  readonly target?: TargetPlace;
}

/**
 * Warns of options that somebody gave and that do nothing between these ends: they must not be
 * thought to count.
 */
export function warnOfUnused(
  { given, options, output }: Pick<CommandCall, "given" | "options" | "output">,
  { place, target }: Ends,
): void {
  const kind = "site" in place ? "site" : "documents" in place ? "documents" : "workspace";
  const unused = [AT_SOURCES[kind], OF_REPOSITORIES, ...(target === undefined || "site" in target ? [] : [AT_BUNDLES])];
  for (const { names, because } of unused) {
    const inVain = names.filter((name) => given.has(name) && options.includes(name));
    const flags = inVain.map((name) => flagOf(name, OPTIONS[name]));
    if (flags.length > 0) output.warn(`${flags.join(", ")}: without effect here, since ${because}.`);
  }
}
