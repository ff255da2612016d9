import { UsageError } from "../../core/errors.js";
import { type ConfigFile, readConfig } from "./config-file.js";
import { type Environment, refuseUnknownVariables } from "./environment.js";
import { flagOf, isNegative, type Option, variableOf } from "./option.js";
import { OPTIONS, type OptionName, optionsOf, type Settings } from "./table.js";

/** The flags as commander gives them: the text of values, true or false for switches, undefined where absent. */
export type Flags = Readonly<Record<string, unknown>>;

const NO_FILE: ConfigFile = { path: null, config: {} };

export interface ReadSettings {
  readonly settings: Settings;
  /** The options that a flag, a variable or the file names; the others have their default. */
  readonly given: ReadonlySet<OptionName>;
  readonly file: ConfigFile;
}

/**
 * Puts flags, environment, file and defaults together, the first one that says something winning. `findsFile` false: no file is looked for, and
 * variables that one might name are taken to be right. Throws UsageError.
 */
export async function readSettings(
  flags: Flags,
  environment: Environment,
  directory: string,
  findsFile = true,
): Promise<ReadSettings> {
  const named = chosen("config", OPTIONS.config, flags, environment);
  const isRead = findsFile || named !== undefined;
  const file = isRead ? await readConfig(named === undefined ? null : String(named), directory) : NO_FILE;
  if (isRead) refuseUnknownVariables(environment, file.config);
  const entries = optionsOf().map(([name, row]): [OptionName, unknown, unknown] => {
    return [name, chosen(name, row, flags, environment) ?? Reflect.get(file.config, name), row.fallback];
  });
  const given = new Set(entries.flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const values = entries.map(([name, value, fallback]) => [name, value ?? fallback]);
  // Every row gives its own key a value of its own schema, which fromEntries can't say.
  return { settings: Object.fromEntries(values) as unknown as Settings, given, file };
}

function chosen(name: OptionName, row: Option<unknown>, flags: Flags, environment: Environment): unknown {
  const flag = flags[row.single ?? name];
  if (flag !== undefined) return check(flagOf(name, row), flag, row);
  const variable = variableOf(name, row);
  const text = environment[variable];
  if (text === undefined || text === "") return undefined;
  const value = check(variable, text, row);
  return isNegative(row) ? !value : value;
}

function check<T>(origin: string, given: unknown, row: Option<T>): T {
  const parsed = row.schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues.map((issue) => issue.message).join("; ");
  throw new UsageError(`${origin} is ${JSON.stringify(given)}, ${reason}.`);
}
