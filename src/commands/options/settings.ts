import { UsageError } from "../../errors.js";
import { type ConfigFile, readConfig } from "./config-file.js";
import { type Environment, refuseUnknownVariables } from "./environment.js";
import { flagOf, isNegative, type Option, variableOf } from "./option.js";
import { OPTIONS, type OptionName, optionsOf, type Settings } from "./table.js";

/** The flags as commander gives them: the text of values, true or false for switches, undefined where absent. */
export type Flags = Readonly<Record<string, unknown>>;

/** Puts flags, environment, file and defaults together, the first one that says something winning. Throws UsageError. */
export async function readSettings(
  flags: Flags,
  environment: Environment,
  directory: string,
): Promise<{ readonly settings: Settings; readonly file: ConfigFile }> {
  const named = chosen("config", OPTIONS.config, flags, environment);
  const file = await readConfig(named === undefined ? null : String(named), directory);
  refuseUnknownVariables(environment, file.config);
  const entries = optionsOf().map(([name, row]): [OptionName, unknown] => {
    const value = chosen(name, row, flags, environment);
    return [name, value ?? Reflect.get(file.config, name) ?? row.fallback];
  });
  // Every row gives its own key a value of its own schema, which fromEntries can't say.
  return { settings: Object.fromEntries(entries) as unknown as Settings, file };
}

function chosen(name: OptionName, row: Option<unknown>, flags: Flags, environment: Environment): unknown {
  if (flags[name] !== undefined) return check(flagOf(name, row), flags[name], row);
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
