import { UsageError } from "../../core/errors.js";
import { CONFIG_KEYS, type Config } from "./config-schema.js";
import { CREDENTIAL_NAMES, credentialVariable, PASSPHRASE_VARIABLE, SIDES } from "./credential-names.js";
import { variableOf } from "./option.js";
import { suggest } from "./suggest.js";
import { optionsOf } from "./table.js";

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "GUIDEFERRY_";

/** Every variable that guideferry reads. */
export const VARIABLES: readonly string[] = [
  ...optionsOf().map(([name, row]) => variableOf(name, row)),
  ...SIDES.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialVariable(side, name))),
  PASSPHRASE_VARIABLE,
];

/** Throws UsageError for a `GUIDEFERRY_…` variable that nobody reads: a misspelt one would be ignored in silence. */
export function refuseUnknownVariables(environment: Environment, config: Config): void {
  const named = CONFIG_KEYS.filter((key) => key.endsWith("Variable")).map((key) => Reflect.get(config, key));
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !VARIABLES.includes(name) && !named.includes(name),
  );
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => `The environment variable ${name} is unknown.${suggest(name, VARIABLES)}`);
  throw new UsageError(`${lines.join("\n")} Unset what is not meant for guideferry.`);
}
