import { z } from "zod";
import { CREDENTIAL_NAMES, credentialKey, SIDES } from "./credential-names.js";
import { type OptionName, optionsOf, type Settings } from "./table.js";

/** The options that a file may set: all but names of single files and the sandbox's token. */
export type ConfigOptions = Partial<Omit<Settings, "config" | "output" | "archiveFile" | "token">>;

/** A configuration file: options by their keys, and names of variables that hold credentials (`sourceTokenVariable`). */
export type Config = ConfigOptions & Readonly<Record<`${"source" | "target"}${string}Variable`, string | undefined>>;

const variableName = z
  .string("expected the name of an environment variable")
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, not a secret itself");

/**
 * Checks the content of `guideferry.config.json` or the default export of `guideferry.config.mjs` and gives every option in
 * its parsed form (rates as requests a second, times as UNIX seconds). An unknown key is an error.
 */
export const configSchema = z.strictObject(shape()) as unknown as z.ZodType<Config>;

/** Every key that a file may have. */
export const CONFIG_KEYS: readonly string[] = Object.keys(shape());

function shape(): Readonly<Record<string, z.ZodType>> {
  const options = optionsOf().filter(([, row]) => row.flagOnly !== true);
  const credentials = SIDES.flatMap((side) => CREDENTIAL_NAMES.map((name) => credentialKey(side, name)));
  return {
    ...Object.fromEntries(options.map(([name, row]): [OptionName, z.ZodType] => [name, row.schema.optional()])),
    ...Object.fromEntries(credentials.map((key) => [key, variableName.optional()])),
  };
}
