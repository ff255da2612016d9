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
/**
 * What is kept of a source for `retry`. A plan's file does not name private hosts: its reader says
 * whether they are asked.
 */
const READ_FROM = [...READING, "allowPrivateMedia"] as const satisfies readonly OptionName[];

const PLANNING: readonly OptionName[] = [...new Set([...WRITING, ...BUNDLING, ...READING, "includePrivate"] as const)];

export interface RunSites {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

const BUNDLE = "bundle:";

/** What stands for a bundle, or a folder of them, where a site has its root. */
export function bundleRoot(path: string): string {
  return BUNDLE + path;
}

function writingNames(target: string | undefined): readonly OptionName[] {
  return target?.startsWith(BUNDLE) ? BUNDLING : WRITING;
}

/** Together they say what is taken: who gives one of them means another choice. */
const CHOOSING: ReadonlySet<OptionName> = new Set(["only", "include", "exclude", "since", "dependencies"]);

/**
 * The settings with what was chosen for these sites before, where this command line, the
 * environment and the file say nothing. Else `retry` after `migrate --fit split` would refuse what
 * only failed by chance.
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

/**
 * What the run log keeps for the next run: the choices of this one for its sites, and the earlier
 * ones for others.
 */
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

/**
 * The settings with the choices of a plan's file. Throws UsageError where one of them is missing or
 * not understood.
 */
export function asPlanned(settings: Settings, choices: JsonObject, file: string): Settings {
  const values = PLANNING.map((name) => {
    const { schema, fallback }: Option<unknown> = OPTIONS[name];
    const [given = null, known] = [choices[storedNameOf(name)], schema.safeParse(choices[storedNameOf(name)])];
    // Not every default is what a flag could say.
    if (canonicalJson(given) === canonicalJson(fallback)) return [name, fallback];
    if (known.success) return [name, known.data];
    throw new UsageError(
      `${file} was made with ${flagOf(name, OPTIONS[name])} ${JSON.stringify(given)}, which this guideferry does not know. Make a new plan.`,
    );
  });
  return { ...settings, ...Object.fromEntries(values) };
}

/** As a flag would have it, so that it is read back by the same rule. */
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

/** Each value is checked as a flag's is: another version of guideferry may have written it. */
function madeAt(kept: JsonObject, root: string | undefined, names: readonly OptionName[]): JsonObject {
  const made = root === undefined ? {} : objectIn(kept[root]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const parsed = OPTIONS[name].schema.safeParse(made[storedNameOf(name)]);
      return parsed.success ? [[name, parsed.data]] : [];
    }),
  );
}
