import { UsageError } from "../../core/errors.js";
import { Secret } from "../../service/http/secret.js";
import type { Credentials } from "../../service/http/sign-in.js";
import { type ConfigFile, namesSignIn, pathOfProfile, readConfig } from "./config-file.js";
import {
  CREDENTIAL_NAMES,
  type CredentialName,
  credentialKey,
  credentialVariable,
  DATABASE_VARIABLE,
  type Environment,
  FLEET_KEY_VARIABLE,
  FLEET_UI_TOKEN_VARIABLE,
  FLEET_VARIABLES,
  IDENTITY_KEY_VARIABLE,
  KEY_VARIABLE_KEYS,
  KEY_VARIABLES,
  NOTIFY_VARIABLE,
  PASSPHRASE_VARIABLE,
  SECRET_FORMS,
  SIDES,
  type Side,
  secretVariables,
} from "./credential-names.js";
import { renameFlags, renameVariables } from "./old-names.js";
import { flagOf, isNegative, type Option, variableOf } from "./option.js";
import { OPTION_ROWS, OPTIONS, type OptionName, type Settings } from "./table.js";
import { suggest } from "./values.js";

/** The flags from commander: texts of values, true or false for switches, undefined if absent. */
export type Flags = Readonly<Record<string, unknown>>;

const NO_FILE: ConfigFile = { path: null, config: {} };

interface ReadSettings {
  readonly settings: Settings;
  /** The options of flags, variables and the file; the others have their default. */
  readonly given: ReadonlySet<OptionName>;
  readonly file: ConfigFile;
}

interface Reading {
  /**
   * false: no file is looked for, no profile is needed, and variables that a file might name are
   * taken to be right. Default: true.
   */
  readonly findsFile?: boolean;
  /** Called for each old name of an option. */
  readonly warn?: (text: string) => void;
}

/**
 * The settings of a command: a flag wins over a variable, a variable over the file, the file over
 * the default. Throws UsageError.
 */
export async function readSettings(
  givenFlags: Flags,
  variables: Environment,
  directory: string,
  { findsFile = true, warn = () => undefined }: Reading = {},
): Promise<ReadSettings> {
  const flags = renameFlags(givenFlags, warn);
  const environment = renameVariables(variables, warn);
  const named = chosen("config", OPTIONS.config, flags, environment);
  const profile = chosen("profile", OPTIONS.profile, flags, environment);
  const isRead = findsFile || named !== undefined;
  const which = {
    named: named === undefined ? null : String(named),
    profile: profile === undefined ? undefined : String(profile),
  };
  const file = isRead ? await readConfig({ ...which, directory, warn }) : NO_FILE;
  if (isRead) refuseUnknownVariables(environment, file);
  const known: Readonly<Record<string, unknown>> = { ...file.config, profile: file.profile };
  const entries = OPTION_ROWS.map(([name, row]): [OptionName, unknown, unknown] => {
    return [name, chosen(name, row, flags, environment) ?? known[name], fallbackOf(name, row, file)];
  });
  const given = new Set(entries.flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const values = entries.map(([name, value, fallback]) => [name, value ?? fallback]);
  // Every row gives its own key a value of its own schema, which fromEntries can't say.
  return { settings: Object.fromEntries(values) as unknown as Settings, given, file };
}

/** A profile has a workspace of its own: two customers in one would mix. */
function fallbackOf(name: OptionName, row: Option<unknown>, { profile }: ConfigFile): unknown {
  return name === "workspace" && profile !== undefined ? pathOfProfile(String(row.fallback), profile) : row.fallback;
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

/** The sign-in of one site; a token has priority. Throws UsageError, which repeats no value. */
export function readCredentials(side: Side, environment: Environment, file: ConfigFile): Credentials {
  const read = (name: CredentialName): Secret | undefined => readOne(side, name, environment, file);
  const [token, email, password, appId] = [read("token"), read("email"), read("password"), read("appId")];
  const scheme = readScheme(side, read("auth")?.reveal() ?? "api");
  if (token !== undefined) return { kind: "token", token, scheme, appId };
  if (email !== undefined && password !== undefined) return { kind: "password", email, password, appId };
  if (email !== undefined || password !== undefined) throw halfLogin(side, email === undefined);
  return { kind: "none", appId };
}

/** All secrets in the environment, of both sites: none may be printed. */
export function readSecrets(environment: Environment, file: ConfigFile | null): readonly Secret[] {
  const variables = SIDES.flatMap((side) =>
    CREDENTIAL_NAMES.filter((name) => name !== "auth").flatMap((name) => [
      credentialVariable(side, name),
      variableNamed(side, name, file),
    ]),
  );
  const keys = KEY_VARIABLES.flatMap((variable) => [variable, file?.config[KEY_VARIABLE_KEYS[variable]] ?? ""]);
  const values = [...variables, ...keys].map((name) => environment[name]?.trim() ?? "");
  return values.filter((value) => value !== "").map((value) => new Secret(value));
}

/** The passphrase of a backup's archives, unchanged; null: not set. */
export function readPassphrase(environment: Environment): string | null {
  const text = environment[PASSPHRASE_VARIABLE]?.replace(/\r?\n$/, "") ?? "";
  return text === "" ? null : text;
}

/** The identities that open archives, as a file of age-keygen holds them; null: none are set. */
export function readIdentityKey(environment: Environment): string | null {
  const text = environment[IDENTITY_KEY_VARIABLE]?.trim() ?? "";
  return text === "" ? null : text;
}

/**
 * Are the usual variables of this side another profile's? A token must not go to a site that it is
 * not of, so a profile that names variables reads only these.
 */
export function readsNamedOnly(side: Side, { profile, config }: ConfigFile): boolean {
  return profile !== undefined && namesSignIn(config, side);
}

/** Trimmed: spaces and line breaks come from `$(cat file)` and copying. */
function readOne(side: Side, name: CredentialName, environment: Environment, file: ConfigFile): Secret | undefined {
  const usual = readsNamedOnly(side, file) ? undefined : environment[credentialVariable(side, name)];
  const own = usual?.trim() ?? "";
  if (own !== "") return new Secret(own);
  const named = variableNamed(side, name, file);
  if (named === "") return undefined;
  const value = environment[named]?.trim() ?? "";
  if (value !== "") return new Secret(value);
  // The name is not repeated: it may be the token itself, by mistake.
  throw new UsageError(
    `${file.path ?? "The configuration"}: "${credentialKey(side, name)}" names an environment variable that is not set. ` +
      "Set the variable, or correct its name.",
  );
}

/** The variable that the file names for a credential; empty: none. */
export function variableNamed(side: Side, name: CredentialName, file: ConfigFile | null): string {
  return String(Reflect.get(file?.config ?? {}, credentialKey(side, name)) ?? "");
}

function readScheme(side: Side, text: string): "api" | "bearer" {
  if (text === "api" || text === "bearer") return text;
  throw new UsageError(`${credentialVariable(side, "auth")} must be "api" or "bearer".`);
}

function halfLogin(side: Side, lacksEmail: boolean): UsageError {
  const there = credentialVariable(side, lacksEmail ? "password" : "email");
  const lacking = credentialVariable(side, lacksEmail ? "email" : "password");
  return new UsageError(
    `${there} is set but ${lacking} is not. Set both, or a token in ${credentialVariable(side, "token")}.`,
  );
}

const PREFIX = "GUIDEFERRY_";

const VARIABLES: readonly string[] = [
  ...OPTION_ROWS.map(([name, row]) => variableOf(name, row)),
  ...FLEET_VARIABLES,
  ...[
    ...secretVariables(SIDES),
    ...KEY_VARIABLES,
    NOTIFY_VARIABLE,
    DATABASE_VARIABLE,
    FLEET_KEY_VARIABLE,
    FLEET_UI_TOKEN_VARIABLE,
  ].flatMap(inEveryForm),
];

function inEveryForm(variable: string): readonly string[] {
  return [variable, ...SECRET_FORMS.map((form) => `${variable}_${form}`)];
}

/** Throws UsageError for an unknown `GUIDEFERRY_…` variable, which may be misspelt. */
function refuseUnknownVariables(environment: Environment, { variables = [] }: ConfigFile): void {
  const named = variables.flatMap(inEveryForm);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !VARIABLES.includes(name) && !named.includes(name),
  );
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => `The environment variable ${name} is unknown.${suggest(name, VARIABLES)}`);
  throw new UsageError(`${lines.join("\n")} Unset variables that are not for guideferry.`);
}
