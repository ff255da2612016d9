import type { CommandCall } from "./command.js";
import type { Place, TargetPlace } from "./location.js";
import { flagOf } from "./options/option.js";
import { OPTIONS, type OptionName, type Settings } from "./options/table.js";

/**
 * The options that say how something is written, and who heeds them. `load`: the load itself.
 * `target`: the connection to a site. `content`: what is made of an item before it is written, also
 * into a bundle; the others do nothing there.
 */
const WRITING_OPTIONS = {
  fit: "load",
  assumeLimits: "load",
  smallImages: "load",
  dangling: "load",
  onConflict: "load",
  onExisting: "load",
  match: "target",
  allowDuplicates: "load",
  postComments: "load",
  deleteRemoved: "load",
  maxDeletions: "load",
  hideWhileUpdating: "load",
  transforms: "content",
  userMap: "target",
  teamMap: "target",
  typeMap: "content",
  categoryMap: "content",
} as const satisfies Partial<Record<OptionName, "load" | "target" | "content">>;

type WritingOption = keyof typeof WRITING_OPTIONS;
type LoadOption = {
  [Name in WritingOption]: (typeof WRITING_OPTIONS)[Name] extends "load" ? Name : never;
}[WritingOption];

/** How a target was written to: what `retry` goes on with, and what `verify` expects. */
export const WRITING = Object.keys(WRITING_OPTIONS) as readonly WritingOption[];

export const SHAPING = WRITING.filter((name) => WRITING_OPTIONS[name] === "content");

const AT_SITES = WRITING.filter((name) => WRITING_OPTIONS[name] !== "content");

export function loadChoices(settings: Settings): Pick<Settings, LoadOption> {
  const names = WRITING.filter((name) => WRITING_OPTIONS[name] === "load");
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, LoadOption>;
}

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

interface Ends {
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
