import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { PROFILES as OLD_PROFILES } from "../../../transforms/training/profile.js";
import { UsageError } from "../../core/errors.js";
import { isObject, jsonErrorPlace, parseJson } from "../../core/util/json.js";
import {
  asksForSecret,
  CREDENTIAL_NAMES,
  credentialKey,
  KEY_VARIABLE_KEYS,
  NOTIFY_VARIABLE,
  SIDES,
  type Side,
} from "./credential-names.js";
import { renameKeys } from "./old-names.js";
import { OPTION_ROWS, type OptionName, type Settings } from "./table.js";
import { suggest, textSchema } from "./values.js";

/** Looked for in the working directory, in this order. */
export const CONFIG_FILES = ["guideferry.config.json", "guideferry.config.mjs"] as const;

export interface ConfigFile {
  readonly path: string | null;
  /** With the keys of the chosen profile in place of those of the top level. */
  readonly config: Config;
  /** The chosen profile. Default: none. */
  readonly profile?: string;
  /** The variables that the file names, of all profiles. Default: none. */
  readonly variables?: readonly string[];
}

/** The options of a file: all but names of single files and the sandbox's token. */
type ConfigOptions = Partial<Omit<Settings, "config" | "profile" | "output" | "archiveFile" | "token" | "notify">>;

type VariableKey =
  | "notifyVariable"
  | `${Side}${string}Variable`
  | (typeof KEY_VARIABLE_KEYS)[keyof typeof KEY_VARIABLE_KEYS];

/** What the top level of a file and each of its profiles can have. */
interface Sites {
  /** The site or the documents that commands read, where the command line names none. */
  readonly source?: string;
  /** The site that commands write to, where the command line names none. */
  readonly target?: string;
}

type ProfileConfig = ConfigOptions & Sites & Readonly<Partial<Record<VariableKey, string>>>;

/**
 * A configuration file: options by their keys, the sites, names of variables that hold credentials
 * (`sourceTokenVariable`), and profiles.
 */
export type Config = ProfileConfig & {
  readonly $schema?: string;
  /** The profile that is used where nothing else names one. */
  readonly profile?: string;
  /** By name; the keys of a profile have priority over those of the top level. */
  readonly profiles?: Readonly<Record<string, ProfileConfig>>;
};

const EXPECTED_NAME =
  "expected the name of a profile: small letters, digits, dots, dashes and underscores, and not strict, standard or lenient";

/** In small letters: two folders whose names differ in case only are one on some systems. */
const PROFILE_NAME = new RegExp(`^(?!(?:${OLD_PROFILES.join("|")})$)[a-z0-9][a-z0-9._-]{0,63}$`);

export const profileNameSchema = z.string(EXPECTED_NAME).regex(PROFILE_NAME, EXPECTED_NAME);

const variableName = z
  .string("expected the name of an environment variable")
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, not the secret itself");

/** Each key of the top level and of a profile, with what it takes. */
export const CONFIG_SHAPE: Readonly<Record<string, z.ZodType>> = {
  source: textSchema,
  target: textSchema,
  ...Object.fromEntries(
    OPTION_ROWS.filter(([name, row]) => row.flagOnly !== true && name !== "profile").map(
      ([name, row]): [OptionName, z.ZodType] => [name, row.schema],
    ),
  ),
  ...Object.fromEntries(variableKeys().map((key) => [key, variableName])),
};

/**
 * Checks the content of `guideferry.config.json` or the default export of `guideferry.config.mjs`
 * and gives every option in its parsed form (rates as requests a second, times as UNIX seconds). An
 * unknown key is an error.
 */
export const configSchema = z.lazy(createConfigSchema) as unknown as z.ZodType<Config>;

/** Made when a file is read: it takes a few milliseconds, and most starts read none. */
function createConfigSchema() {
  const shape = Object.fromEntries(Object.entries(CONFIG_SHAPE).map(([key, schema]) => [key, schema.optional()]));
  return z.preprocess(
    (content) => renamed(content),
    z.strictObject({
      $schema: textSchema.optional(),
      profile: profileNameSchema.optional(),
      profiles: z.record(profileNameSchema, z.strictObject(shape), "expected an object of profiles").optional(),
      ...shape,
    }),
  );
}

function variableKeys(): readonly string[] {
  const ofSites = SIDES.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialKey(side, name)));
  return [...ofSites, "notifyVariable", ...Object.values(KEY_VARIABLE_KEYS)];
}

function renamed(content: unknown, warn: (text: string) => void = () => undefined): unknown {
  const top = renameKeys(content, warn);
  if (!isObject(top) || !isObject(top["profiles"])) return top;
  const profiles = Object.entries(top["profiles"]).map(([name, profile]) => [name, renameKeys(profile, warn)]);
  return { ...top, profiles: Object.fromEntries(profiles) };
}

/** Where a configuration file is looked for, and which of its profiles is used. */
interface WhichConfig {
  /** The file of `--config`; null: the one in the directory, if there is one. */
  readonly named: string | null;
  readonly directory: string;
  /** Of the flag or the variable; undefined: the profile that the file names, if it does. */
  readonly profile?: string | undefined;
  readonly warn: (text: string) => void;
}

/**
 * Reads the file of `--config`, or the one in the working directory, with its chosen profile.
 * Throws UsageError for a missing or unreadable file, for two files, an unknown key or profile, a
 * wrong value, a secret, and a folder of two profiles with different sources.
 */
export async function readConfig({ named, directory, profile, warn }: WhichConfig): Promise<ConfigFile> {
  const path = named === null ? found(directory) : resolve(directory, named);
  if (path === null) {
    if (profile === undefined) return { path, config: {} };
    throw new UsageError(
      `There is no configuration file with the profile "${profile}" in ${directory}. Write one with ` +
        `\`guideferry init --profile ${profile}\`, or name the file with --config.`,
    );
  }
  if (!existsSync(path)) throw new UsageError(`The configuration file ${path} does not exist. Check --config.`);
  const content = await load(path);
  refuseSecrets(path, content);
  const parsed = configSchema.safeParse(renamed(content, (text) => warn(`${path}: ${text}`)));
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => explain(path, issue)).join("\n"));
  refuseSharedFolders(path, directory, parsed.data);
  const chosen = profile ?? parsed.data.profile;
  return {
    path,
    config: withProfile(path, parsed.data, chosen),
    ...(chosen === undefined ? {} : { profile: chosen }),
    variables: namedVariables(parsed.data),
  };
}

/** The names of the profiles in a content that may be wrong elsewhere, for completion and init. */
export function profileNamesIn(content: unknown): readonly string[] {
  return isObject(content) && isObject(content["profiles"]) ? Object.keys(content["profiles"]) : [];
}

/**
 * The names of the profiles that a shell offers. Only of a JSON file: TAB must run no code of the
 * folder that somebody stands in. A file that cannot be read has none, since TAB prints no errors.
 */
export async function profilesToOffer(named: string | undefined, directory: string): Promise<readonly string[]> {
  const path = resolve(directory, named ?? CONFIG_FILES[0]);
  if (!path.endsWith(".json") || !existsSync(path)) return [];
  return profileNamesIn(parseJson(await readFile(path, "utf8").catch(() => "")));
}

/** Each profile has its own; the default is the one of the top level with the name added. */
const OWN_PATHS = ["workspace", "repository", "metrics"] as const;

/** `./work` becomes `./work-looms`, `./guideferry.prom` becomes `./guideferry-looms.prom`. */
export function pathOfProfile(path: string, profile: string): string {
  const plain = path.replace(/[/\\]+$/, "");
  const ending = extname(plain);
  return `${plain.slice(0, plain.length - ending.length)}-${profile}${ending}`;
}

/** The configuration of one profile; undefined: of the top level. Throws UsageError. */
function withProfile(path: string, whole: Config, name: string | undefined): Config {
  const { $schema: _schema, profile: _profile, profiles = {}, ...top } = whole;
  if (name === undefined) return top;
  const own = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (own === undefined) {
    const names = Object.keys(profiles);
    const list = names.length === 0 ? "It has no profiles." : `It has: ${names.join(", ")}.`;
    throw new UsageError(`${path} has no profile "${name}".${suggest(name, names)} ${list}`);
  }
  const paths = OWN_PATHS.flatMap((key) => {
    const shared = top[key];
    return typeof shared === "string" ? [[key, pathOfProfile(shared, name)]] : [];
  });
  return { ...withoutSignIns(top, own), ...Object.fromEntries(paths), ...own };
}

/**
 * A sign-in belongs to one site: a profile with a site or a sign-in of its own takes none of the
 * top level for that side.
 */
function withoutSignIns(top: Config, own: Config): Config {
  const replaced = SIDES.filter((side) => own[side] !== undefined || namesSignIn(own, side));
  const keys = new Set(replaced.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialKey(side, name))));
  return Object.fromEntries(Object.entries(top).filter(([key]) => !keys.has(key)));
}

/** Does a configuration name a variable for the sign-in of this side? */
export function namesSignIn(config: Config, side: Side): boolean {
  return CREDENTIAL_NAMES.some((name) => Object.hasOwn(config, credentialKey(side, name)));
}

/** Two customers in one folder would mix: with one source, sharing it only saves an extract. */
function refuseSharedFolders(path: string, directory: string, whole: Config): void {
  const taken = new Map<string, { readonly name: string; readonly source: string }>();
  const names = [undefined, ...Object.keys(whole.profiles ?? {})];
  for (const name of names) {
    const { source, workspace, repository } = withProfile(path, whole, name);
    if (source === undefined) continue;
    for (const folder of [workspace, repository]) {
      if (typeof folder !== "string") continue;
      const shown = name === undefined ? "the top level" : `the profile "${name}"`;
      const before = taken.get(resolve(directory, folder));
      if (before !== undefined && before.source !== source) {
        throw new UsageError(
          `${path}: ${before.name} and ${shown} have different sources and the same folder ${folder}. Give each its own, or leave ` +
            'out "workspace" and "repository" in the profile: then its name is added to the folder.',
        );
      }
      taken.set(resolve(directory, folder), { name: shown, source });
    }
  }
}

function namedVariables({ profiles = {}, ...top }: Config): readonly string[] {
  const keys = variableKeys();
  return [top, ...Object.values(profiles)].flatMap((one) =>
    Object.entries(one).flatMap(([key, name]) => (keys.includes(key) && typeof name === "string" ? [name] : [])),
  );
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
  if (!isObject(content)) return;
  const profiles = isObject(content["profiles"]) ? Object.values(content["profiles"]).filter(isObject) : [];
  const keys = [content, ...profiles].flatMap((one) => Object.keys(one));
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
  const where = issue.path.length === 0 ? "" : `${JSON.stringify(issue.path.join("."))}: `;
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .map((key) => `${path}: ${where}unknown key "${key}".${suggest(key, Object.keys(CONFIG_SHAPE))}`)
      .join("\n");
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return `${path}: ${where}${message}.`;
}
