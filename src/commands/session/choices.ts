import { UsageError } from "../../core/errors.js";
import { canonicalJson, type JsonObject, objectIn } from "../../core/util/json.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { SHAPING, WRITING } from "../option-effects.js";
import { storedNameOf } from "../options/old-names.js";
import { flagOf, type Option } from "../options/option.js";
import type { OptionName, Settings } from "../options/table.js";
import { OPTIONS } from "../options/table.js";

const BUNDLING = [
  "only",
  "include",
  "exclude",
  "since",
  "dependencies",
  ...SHAPING,
] as const satisfies readonly OptionName[];
const READING = [
  "imageDetails",
  "format",
  "languages",
  "contentVersion",
  "records",
  "personalData",
  "publish",
] as const satisfies readonly OptionName[];
/** Kept of a source for `retry`. A plan file has no private hosts: its reader allows them. */
const READ_FROM = [...READING, "allowPrivateMedia"] as const satisfies readonly OptionName[];

const PLANNING: readonly OptionName[] = [...new Set([...WRITING, ...BUNDLING, ...READING, "includePrivate"] as const)];

export interface RunSites {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

const BUNDLE = "bundle:";

/** The root of a bundle or a folder of bundles, in place of a site. */
export function bundleRoot(path: string): string {
  return BUNDLE + path;
}

function writingNames(target: string | undefined): readonly OptionName[] {
  return target?.startsWith(BUNDLE) ? BUNDLING : WRITING;
}

/** Together they choose the items: one of them on the command line replaces all. */
const CHOOSING: ReadonlySet<OptionName> = new Set(["only", "include", "exclude", "since", "dependencies"]);

/**
 * The settings with the earlier choices for these sites, where none is given now: `retry` after
 * `migrate --fit split` splits too.
 */
export function asBefore(
  settings: Settings,
  given: ReadonlySet<OptionName>,
  sites: RunSites,
  previous: Run | null,
): Settings {
  const kept = keptChoices(previous);
  const known = {
    ...madeAt(kept, sites.source, READ_FROM),
    ...madeAt(kept, sites.target, writingNames(sites.target)),
  };
  const chosenAnew = [...given].some((name) => CHOOSING.has(name));
  const isGiven = (name: OptionName): boolean => given.has(name) || (chosenAnew && CHOOSING.has(name));
  const news = Object.entries(known).filter(([name]) => !isGiven(name as OptionName));
  return { ...settings, ...Object.fromEntries(news) };
}

/** The choices that the run log keeps: of this run for its sites, and earlier ones for others. */
export function choicesToKeep(settings: Settings, sites: RunSites, previous: Run | null): JsonObject {
  const made = (root: string | undefined, names: readonly OptionName[]): JsonObject =>
    root === undefined
      ? {}
      : { [root]: Object.fromEntries(names.map((name) => [storedNameOf(name), asGiven(name, settings)])) };
  return {
    ...keptChoices(previous),
    ...made(sites.source, READ_FROM),
    ...made(sites.target, writingNames(sites.target)),
  };
}

export function choicesOfPlan(settings: Settings): JsonObject {
  return Object.fromEntries(PLANNING.map((name) => [storedNameOf(name), asGiven(name, settings)]));
}

/** The settings of a plan file. Throws UsageError for a missing or unknown choice. */
export function asPlanned(settings: Settings, choices: JsonObject, file: string): Settings {
  const values = PLANNING.map((name) => {
    const { schema, fallback }: Option<unknown> = OPTIONS[name];
    const [given = null, known] = [choices[storedNameOf(name)], schema.safeParse(choices[storedNameOf(name)])];
    // A flag cannot express every default.
    if (canonicalJson(given) === canonicalJson(fallback)) return [name, fallback];
    if (known.success) return [name, known.data];
    throw new UsageError(
      `${file} was made with ${flagOf(name, OPTIONS[name])} ${JSON.stringify(given)}, which this version of guideferry does not support. Make a new plan.`,
    );
  });
  return { ...settings, ...Object.fromEntries(values) };
}

/** In the form of a flag, so that the same schema reads it back. */
function asGiven(name: OptionName, settings: Settings): unknown {
  const { since, maxDeletions } = settings;
  if (name === "maxDeletions") return textOfLimit(maxDeletions);
  return name === "since" && since !== null ? new Date(since * 1000).toISOString() : settings[name];
}

function textOfLimit(limit: Settings["maxDeletions"]): string {
  return "count" in limit ? String(limit.count) : `${Number((limit.share * 100).toFixed(6))}%`;
}

function keptChoices(previous: Run | null): JsonObject {
  return objectIn(previous?.details["choices"]);
}

/** Checked as flags are: another version of guideferry may have written them. */
function madeAt(kept: JsonObject, root: string | undefined, names: readonly OptionName[]): JsonObject {
  const made = root === undefined ? {} : objectIn(kept[root]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const parsed = OPTIONS[name].schema.safeParse(made[storedNameOf(name)]);
      return parsed.success ? [[name, parsed.data]] : [];
    }),
  );
}
