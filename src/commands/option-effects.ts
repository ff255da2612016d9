import type { CommandCall } from "./command.js";
import type { Place, TargetPlace } from "./location.js";
import { flagOf } from "./options/option.js";
import { OPTIONS, type OptionName, type Settings } from "./options/table.js";

/**
 * The options of writes, and who uses them. `load`: the load itself. `target`: the connection to a
 * site. `content`: changes of an item before it is written, also into a bundle; the others have no
 * effect there.
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

/** The options of a load that `retry` and `verify` use again. */
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
  site: { names: ["publish"], because: "a site lists which guides are public" },
  documents: { names: OF_READ_SITES, because: "documents are read completely, as they are" },
  workspace: {
    names: [...OF_READ_SITES, "publish"],
    because: "nothing is read from a source: the workspace is used as it is",
  },
};

const OF_REPOSITORIES: Unused = {
  names: ["at", "identity"],
  because: "only a repository of backups has snapshots and keys",
};

const AT_BUNDLES: Unused = {
  names: [...AT_SITES, "targetRate"],
  because: "a bundle takes all content as it is, and is written whole",
};

interface Ends {
  readonly place: Place;
  readonly target?: TargetPlace;
}

/** Warns about given options that have no effect between this source and target. */
export function warnOfUnused(
  { given, options, output }: Pick<CommandCall, "given" | "options" | "output">,
  { place, target }: Ends,
): void {
  const kind = "site" in place ? "site" : "documents" in place ? "documents" : "workspace";
  const unused = [AT_SOURCES[kind], OF_REPOSITORIES, ...(target === undefined || "site" in target ? [] : [AT_BUNDLES])];
  for (const { names, because } of unused) {
    const inVain = names.filter((name) => given.has(name) && options.includes(name));
    const flags = inVain.map((name) => flagOf(name, OPTIONS[name]));
    if (flags.length > 0) output.warn(`${flags.join(", ")}: no effect here, because ${because}.`);
  }
}
