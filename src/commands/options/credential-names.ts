/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The two sites of a run. Commands that only read one site use `source`, those that only write one
 * use `target`.
 */
export const SIDES = ["source", "target"] as const;
export type Side = (typeof SIDES)[number];

export const CREDENTIALS = {
  token: {
    suffix: "TOKEN",
    about: "the token of a signed-in account, or an API key",
  },
  auth: {
    suffix: "AUTH",
    about: "how the token is sent: api (default, `Authorization: api …`) or bearer (API keys)",
  },
  appId: {
    suffix: "APP_ID",
    about: "the application id (`X-App-Id`), if the site needs one",
  },
  email: {
    suffix: "EMAIL",
    about: "without a token: the account's e-mail address; one login a run, since real sites limit logins",
  },
  password: { suffix: "PASSWORD", about: "the password for the e-mail address" },
} as const;
export type CredentialName = keyof typeof CREDENTIALS;

/** Encrypts and opens the archives of a backup without keys. */
export const PASSPHRASE_VARIABLE = "GUIDEFERRY_PASSPHRASE";

/** The text of identities (`AGE-SECRET-KEY-1…`), where no file of `--identity` holds them. */
export const IDENTITY_KEY_VARIABLE = "GUIDEFERRY_IDENTITY_KEY";

export const CREDENTIAL_NAMES = Object.keys(CREDENTIALS) as readonly CredentialName[];

/** What opens the archives of a backup. */
export const KEY_VARIABLES = [PASSPHRASE_VARIABLE, IDENTITY_KEY_VARIABLE] as const;

/** Addresses that are told of a run; each is a secret. */
export const NOTIFY_VARIABLE = "GUIDEFERRY_NOTIFY";

/** The address of the database of a fleet, with its password. */
export const DATABASE_VARIABLE = "GUIDEFERRY_DATABASE";

/** The token of the operators' pages, for a permanent installation. */
export const FLEET_UI_TOKEN_VARIABLE = "GUIDEFERRY_FLEET_UI_TOKEN";

/** The id of the task for which a command of a fleet runs. */
export const TASK_VARIABLE = "GUIDEFERRY_FLEET_TASK";

/** What a worker tells its children; GUIDEFERRY_FLEET_KEY is a secret. */
export const FLEET_VARIABLES = [
  TASK_VARIABLE,
  "GUIDEFERRY_FLEET_RUN",
  "GUIDEFERRY_FLEET_LEASE",
  "GUIDEFERRY_FLEET_LONGEST_REQUEST",
] as const;
export const FLEET_KEY_VARIABLE = "GUIDEFERRY_FLEET_KEY";

/** The configuration keys that name another variable for them. */
export const KEY_VARIABLE_KEYS = {
  [PASSPHRASE_VARIABLE]: "passphraseVariable",
  [IDENTITY_KEY_VARIABLE]: "identityKeyVariable",
} as const;

/** `…_TOKEN_FILE` names a file with the value, `…_TOKEN_COMMAND` a command that prints it. */
export const SECRET_FORMS = ["FILE", "COMMAND"] as const;

/** The variables of secrets and what goes with them; each has `…_FILE` and `…_COMMAND`. */
export function secretVariables(sides: readonly Side[]): readonly string[] {
  return sides.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialVariable(side, name)));
}

/** `GUIDEFERRY_SOURCE_APP_ID`. */
export function credentialVariable(side: Side, name: CredentialName): string {
  return `GUIDEFERRY_${side.toUpperCase()}_${CREDENTIALS[name].suffix}`;
}

/** `sourceAppIdVariable`: the configuration key that names another variable to read. */
export function credentialKey(side: Side, name: CredentialName): string {
  return `${side}${name.charAt(0).toUpperCase()}${name.slice(1)}Variable`;
}

/** Does a flag or key take a secret itself, such as `--source-token`? These are always refused. */
export function asksForSecret(name: string): boolean {
  return /^(?:source|target)?(?:token|password|email|appid|apikey|secret|auth(?:orization)?)$/i.test(
    name.replaceAll(/[-_]/g, ""),
  );
}
