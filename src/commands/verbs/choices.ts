import type { Run } from "../../workspace/run-log.js";
import type { OptionName, Settings } from "../options/table.js";
import { OPTIONS } from "../options/table.js";

/** How a target was written to: what `retry` goes on with, and what `verify` expects. */
const WRITING = ["fit", "dangling", "onConflict", "onExisting", "transforms"] as const satisfies readonly OptionName[];
/** How a source was read. */
const READING = ["imageDetails", "format", "languages", "publish"] as const satisfies readonly OptionName[];

/** The addresses of a run's sites, if it has one. */
export interface RunSites {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

type Choices = Readonly<Record<string, unknown>>;

/**
 * The settings with what was chosen for these sites before, where this command line, the environment and the file say nothing.
 * Else `retry` after `migrate --fit split` would refuse what only failed by chance.
 */
export function asBefore(
  settings: Settings,
  given: ReadonlySet<OptionName>,
  sites: RunSites,
  previous: Run | null,
): Settings {
  const kept = keptChoices(previous);
  const known = { ...madeAt(kept, sites.source, READING), ...madeAt(kept, sites.target, WRITING) };
  const news = Object.entries(known).filter(([name]) => !given.has(name as OptionName));
  return { ...settings, ...Object.fromEntries(news) };
}

/** What the run log keeps for the next run: the choices of this one for its sites, and the earlier ones for others. */
export function choicesToKeep(settings: Settings, sites: RunSites, previous: Run | null): Choices {
  const made = (root: string | undefined, names: readonly OptionName[]): Choices =>
    root === undefined ? {} : { [root]: Object.fromEntries(names.map((name) => [name, settings[name]])) };
  return { ...keptChoices(previous), ...made(sites.source, READING), ...made(sites.target, WRITING) };
}

function keptChoices(previous: Run | null): Choices {
  return objectOf(previous?.details["choices"]);
}

/** Each value is checked as a flag's is: another version of guideferry may have written it. */
function madeAt(kept: Choices, root: string | undefined, names: readonly OptionName[]): Choices {
  const made = root === undefined ? {} : objectOf(kept[root]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const parsed = OPTIONS[name].schema.safeParse(made[name]);
      return parsed.success ? [[name, parsed.data]] : [];
    }),
  );
}

function objectOf(value: unknown): Choices {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
