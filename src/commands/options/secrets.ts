import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { messageOf, UsageError } from "../../core/errors.js";
import type { ConfigFile } from "./config-file.js";
import {
  CREDENTIAL_NAMES,
  DATABASE_VARIABLE,
  type Environment,
  FLEET_UI_TOKEN_VARIABLE,
  KEY_VARIABLE_KEYS,
  KEY_VARIABLES,
  NOTIFY_VARIABLE,
  SECRET_FORMS,
  SIDES,
  type Side,
  secretVariables,
} from "./credential-names.js";
import { readsNamedOnly, variableNamed } from "./settings.js";
import type { OptionName } from "./table.js";

/** A command that asks a person for a PIN may take so long. */
const LONGEST_COMMAND_MS = 120_000;
const LONGEST_BYTES = 64 * 1024;

interface SecretUser {
  readonly signsIn: readonly Side[];
  readonly options: readonly OptionName[];
}

/**
 * The environment with the values that files hold or commands print, of the secrets that a command
 * may use: the sign-ins of its sites, its receivers, and the keys where it opens archives. Runs the
 * commands one after the other, since a password manager may ask on the terminal. Throws
 * UsageError, which repeats neither a value nor a command.
 */
export async function resolveSecrets(
  environment: Environment,
  { signsIn, options }: SecretUser,
  file: ConfigFile,
): Promise<Environment> {
  const usesKeys = options.includes("identity") || options.includes("encryptTo");
  const ofSites = SIDES.filter((side) => signsIn.includes(side)).flatMap((side) => signInVariables(side, file));
  const { notifyVariable } = file.config;
  const receivers = notifyVariable === undefined ? [NOTIFY_VARIABLE] : [NOTIFY_VARIABLE, notifyVariable];
  const resolved = await resolveVariables(environment, [...ofSites, ...(options.includes("notify") ? receivers : [])]);
  if (options.includes("database")) {
    const ofPages = options.includes("publicAddress") ? [FLEET_UI_TOKEN_VARIABLE] : [];
    return resolveVariables(resolved, [DATABASE_VARIABLE, ...ofPages]);
  }
  if (!usesKeys) return resolved;
  let open = resolved;
  for (const variable of KEY_VARIABLES) open = await resolveKey(open, variable, file);
  return open;
}

function signInVariables(side: Side, file: ConfigFile): readonly string[] {
  const named = CREDENTIAL_NAMES.map((name) => variableNamed(side, name, file)).filter((name) => name !== "");
  return [...new Set(readsNamedOnly(side, file) ? named : [...secretVariables([side]), ...named])];
}

/** The key of a backup, from the variable that the file names; a profile's own has priority. */
async function resolveKey(
  environment: Environment,
  variable: (typeof KEY_VARIABLES)[number],
  file: ConfigFile,
): Promise<Environment> {
  const key = KEY_VARIABLE_KEYS[variable];
  const named = file.config[key];
  if (named === undefined) return resolveVariables(environment, [variable]);
  const usual = file.profile === undefined ? await resolveVariables(environment, [variable]) : environment;
  if (file.profile === undefined && isSet(usual, variable)) return usual;
  const resolved = await resolveVariables(environment, [named]);
  if (isSet(resolved, named)) return { ...resolved, [variable]: resolved[named] };
  // Without it, a backup would be written unencrypted. The name may be the secret, by mistake.
  throw new UsageError(
    `${file.path ?? "The configuration"}: "${key}" names an environment variable that is not set. Set the variable, or correct its name.`,
  );
}

function isSet(environment: Environment, variable: string): boolean {
  return (environment[variable]?.trim() ?? "") !== "";
}

/** The environment with the values of these variables that files hold or commands print. */
export async function resolveVariables(environment: Environment, variables: readonly string[]): Promise<Environment> {
  const resolved: Record<string, string | undefined> = { ...environment };
  for (const variable of variables) {
    const [file, command] = SECRET_FORMS.map((form) => environment[`${variable}_${form}`]?.trim() ?? "");
    const given = [variable, ...SECRET_FORMS.map((form) => `${variable}_${form}`)].filter((name) =>
      isSet(environment, name),
    );
    if (given.length > 1) throw new UsageError(`${given.join(" and ")} are set. Set one of them only.`);
    if (file) resolved[variable] = await readSecretFile(`${variable}_FILE`, file);
    if (command) resolved[variable] = await runSecretCommand(`${variable}_COMMAND`, command);
  }
  return resolved;
}

async function readSecretFile(name: string, path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new UsageError(`${name} names the file ${path}, which cannot be read: ${messageOf(cause)}.`, { cause });
  }
  return valueIn(bytes, `${name}: the file ${path}`);
}

/** Runs in the shell, with this terminal for a person who has to unlock something. */
async function runSecretCommand(name: string, command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ["inherit", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  let length = 0;
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped = why;
    child.kill();
    // What the shell started keeps the pipe open, and ends when it writes to a closed one.
    child.stdout.destroy();
  };
  const timer = setTimeout(() => stop("took more than 2 minutes"), LONGEST_COMMAND_MS);
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_BYTES) stop("printed more than 64 kB");
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new UsageError(`The command of ${name} cannot be started: ${messageOf(cause)}.`, { cause })),
    );
    child.once("close", resolve);
  }).finally(() => clearTimeout(timer));
  if (code === 0 && stopped === undefined) return valueIn(Buffer.concat(chunks), `The command of ${name}`);
  const end = stopped ?? `ended with ${code ?? "a signal"}`;
  throw new UsageError(`The command of ${name} ${end}. Run it by hand: it has to print the value and to end with 0.`);
}

/** A value without the line end after it. Only a list of identities has several lines. */
function valueIn(bytes: Buffer, origin: string): string {
  if (bytes.length > LONGEST_BYTES) throw new UsageError(`${origin} has more than 64 kB, which is no single value.`);
  const value = bytes.toString("utf8").replace(/\r?\n$/, "");
  if (value.trim() === "") throw new UsageError(`${origin} has no value: it is empty.`);
  if (/[\r\n]/.test(value) && !value.includes("AGE-SECRET-KEY-"))
    throw new UsageError(`${origin} has several lines. It has to hold the value and nothing else.`);
  return value;
}
