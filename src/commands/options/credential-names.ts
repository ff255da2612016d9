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
    about: "the application id (`X-App-Id`), where the site asks for one",
  },
  email: {
    suffix: "EMAIL",
    about: "without a token: the account's e-mail address; one login a run, real sites ration them",
  },
  password: { suffix: "PASSWORD", about: "the password that goes with the e-mail address" },
} as const;
export type CredentialName = keyof typeof CREDENTIALS;

/** What encrypts and opens the archives of a backup, where no keys do. */
export const PASSPHRASE_VARIABLE = "GUIDEFERRY_PASSPHRASE";

export const CREDENTIAL_NAMES = Object.keys(CREDENTIALS) as readonly CredentialName[];

/** `GUIDEFERRY_SOURCE_APP_ID`. */
export function credentialVariable(side: Side, name: CredentialName): string {
  return `GUIDEFERRY_${side.toUpperCase()}_${CREDENTIALS[name].suffix}`;
}

/** `sourceAppIdVariable`: the configuration key that names another variable to read. */
export function credentialKey(side: Side, name: CredentialName): string {
  return `${side}${name.charAt(0).toUpperCase()}${name.slice(1)}Variable`;
}

/**
 * Does a flag or key ask for a secret itself, `--source-token`, `targetPassword`? Such are refused,
 * whatever they hold.
 */
export function asksForSecret(name: string): boolean {
  return /^(?:source|target)?(?:token|password|email|appid|apikey|secret|auth(?:orization)?)$/i.test(
    name.replaceAll(/[-_]/g, ""),
  );
}
