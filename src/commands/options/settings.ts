import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { UsageError } from "../../core/errors.js";
import { jsonErrorPlace } from "../../core/util/json.js";
import { Secret } from "../../service/http/secret.js";
import type { Credentials } from "../../service/http/sign-in.js";
import {
  asksForSecret,
  CREDENTIAL_NAMES,
  type CredentialName,
  credentialKey,
  credentialVariable,
  type Environment,
  IDENTITY_KEY_VARIABLE,
  KEY_VARIABLES,
  NOTIFY_VARIABLE,
  PASSPHRASE_VARIABLE,
  SECRET_FORMS,
  SIDES,
  type Side,
  secretVariables,
} from "./credential-names.js";
import { renameFlags, renameKeys, renameVariables } from "./old-names.js";
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
   * false: no file is looked for, and variables that one might name are taken to be right.
   * Default: true.
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
  const isRead = findsFile || named !== undefined;
  const file = isRead ? await readConfig(named === undefined ? null : String(named), directory, warn) : NO_FILE;
  if (isRead) refuseUnknownVariables(environment, file.config);
  const entries = OPTION_ROWS.map(([name, row]): [OptionName, unknown, unknown] => {
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
  const values = [...variables, ...KEY_VARIABLES].map((name) => environment[name]?.trim() ?? "");
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

/** Trimmed: spaces and line breaks come from `$(cat file)` and copying. */
function readOne(side: Side, name: CredentialName, environment: Environment, file: ConfigFile): Secret | undefined {
  const own = environment[credentialVariable(side, name)]?.trim() ?? "";
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

function variableNamed(side: Side, name: CredentialName, file: ConfigFile | null): string {
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
  ...[...secretVariables(SIDES), ...KEY_VARIABLES, NOTIFY_VARIABLE].flatMap((name) => [
    name,
    ...SECRET_FORMS.map((form) => `${name}_${form}`),
  ]),
];

/** Throws UsageError for an unknown `GUIDEFERRY_…` variable, which may be misspelt. */
function refuseUnknownVariables(environment: Environment, config: Config): void {
  const named = CONFIG_KEYS.filter((key) => key.endsWith("Variable")).map((key) => Reflect.get(config, key));
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !VARIABLES.includes(name) && !named.includes(name),
  );
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => `The environment variable ${name} is unknown.${suggest(name, VARIABLES)}`);
  throw new UsageError(`${lines.join("\n")} Unset variables that are not for guideferry.`);
}

/** Looked for in the working directory, in this order. */
export const CONFIG_FILES = ["guideferry.config.json", "guideferry.config.mjs"] as const;

export interface ConfigFile {
  readonly path: string | null;
  readonly config: Config;
}

/**
 * Reads the file of `--config`, or the one in the working directory. Throws UsageError for a
 * missing or unreadable file, for two files, an unknown key, a wrong value and a secret.
 */
async function readConfig(named: string | null, directory: string, warn: (text: string) => void): Promise<ConfigFile> {
  const path = named === null ? found(directory) : resolve(directory, named);
  if (path === null) return { path, config: {} };
  if (!existsSync(path)) throw new UsageError(`The configuration file ${path} does not exist. Check --config.`);
  const content = await load(path);
  refuseSecrets(path, content);
  const renamed = renameKeys(content, (text) => warn(`${path}: ${text}`));
  const parsed = configSchema.safeParse(renamed);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => explain(path, issue)).join("\n"));
  return { path, config: parsed.data };
}

function found(directory: string): string | null {
  const there = CONFIG_FILES.map((name) => join(directory, name)).filter((path) => existsSync(path));
  if (there.length > 1) {
    throw new UsageError(`${there.join(" and ")} both exist. Remove one of them, or name one with --config.`);
  }
  return there[0] ?? null;
}

async function load(path: string): Promise<unknown> {
  try {
    if (!path.endsWith(".mjs")) return JSON.parse(await readFile(path, "utf8"));
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    return module.default;
  } catch (error) {
    // No `cause`, and no text of a SyntaxError: both quote the file, which may contain a secret.
    const reason = error instanceof SyntaxError ? syntaxReason(path, error) : String(error);
    throw new UsageError(`The configuration file ${path} cannot be read: ${reason}.`);
  }
}

function syntaxReason(path: string, error: SyntaxError): string {
  if (path.endsWith(".mjs")) return "it is not valid JavaScript";
  const place = jsonErrorPlace(error);
  return `it is not valid JSON: ${place === null ? "it is incomplete, or has other content" : `an error at ${place}`}`;
}

function refuseSecrets(path: string, content: unknown): void {
  const keys = typeof content === "object" && content !== null ? Object.keys(content) : [];
  if (keys.includes("notify")) {
    throw new UsageError(
      `${path}: "notify" is an address that only you may know, so it must not be in a file that may be copied or committed. ` +
        `The value was not used. Put it into the variable ${NOTIFY_VARIABLE}, or name another variable with "notifyVariable".`,
    );
  }
  const key = keys.find(asksForSecret);
  if (key === undefined) return;
  throw new UsageError(
    `${path}: "${key}" is a sign-in, which must not be in a file that may be copied or committed. The value was not used. Put it into an ` +
      `environment variable, and name that variable with a key such as "sourceTokenVariable".`,
  );
}

function explain(path: string, issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return `${path}: ${place(issue)}${issue.message}.`;
  return issue.keys.map((key) => `${path}: unknown key "${key}".${suggest(key, CONFIG_KEYS)}`).join("\n");
}

function place(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? "" : `${JSON.stringify(issue.path.join("."))}: `;
}

/** The options of a file: all but names of single files and the sandbox's token. */
type ConfigOptions = Partial<Omit<Settings, "config" | "output" | "archiveFile" | "token" | "notify">>;

/**
 * A configuration file: options by their keys, and names of variables that hold credentials
 * (`sourceTokenVariable`).
 */
export type Config = ConfigOptions &
  Readonly<Record<`${"source" | "target"}${string}Variable`, string | undefined>> & {
    readonly notifyVariable?: string | undefined;
  };

const variableName = z
  .string("expected the name of an environment variable")
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, not the secret itself");

/**
 * Checks the content of `guideferry.config.json` or the default export of `guideferry.config.mjs`
 * and gives every option in its parsed form (rates as requests a second, times as UNIX seconds). An
 * unknown key is an error.
 */
export const configSchema = z.preprocess(
  (content) => renameKeys(content),
  z.strictObject(shape()),
) as unknown as z.ZodType<Config>;

const CONFIG_KEYS: readonly string[] = Object.keys(shape());

function shape(): Readonly<Record<string, z.ZodType>> {
  const options = OPTION_ROWS.filter(([, row]) => row.flagOnly !== true);
  const credentials = SIDES.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialKey(side, name)));
  const variables = [...credentials, "notifyVariable"];
  return {
    ...Object.fromEntries(options.map(([name, row]): [OptionName, z.ZodType] => [name, row.schema.optional()])),
    ...Object.fromEntries(variables.map((key) => [key, variableName.optional()])),
  };
}
