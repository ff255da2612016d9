import { z } from "zod";
import { CONFIG_SHAPE, profileNameSchema } from "../../src/commands/options/config-file.js";
import { CREDENTIAL_NAMES, CREDENTIALS, credentialKey, SIDES } from "../../src/commands/options/credential-names.js";
import { OPTIONS, type OptionName } from "../../src/commands/options/table.js";

type JsonSchema = Readonly<Record<string, unknown>>;

/** `config.schema.json`, made from the table of options, for editors. */
export function configJsonSchema(): JsonSchema {
  const keys = Object.fromEntries(
    Object.entries(CONFIG_SHAPE).map(([key, schema]) => [key, { ...about(key), ...formOf(schema) }]),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of guideferry",
    type: "object",
    properties: {
      $schema: { description: "the address of this schema, for editors", type: "string", minLength: 1 },
      profile: {
        description: "the profile that is used where neither --profile nor GUIDEFERRY_PROFILE names one",
        ...formOf(profileNameSchema),
      },
      profiles: {
        description:
          "sites, sign-ins and options by name, for --profile NAME; the keys of a profile have priority over those of the top level",
        type: "object",
        propertyNames: formOf(profileNameSchema),
        additionalProperties: {
          type: "object",
          properties: Object.fromEntries(Object.keys(keys).map((key) => [key, { $ref: `#/properties/${key}` }])),
          additionalProperties: false,
        },
      },
      ...keys,
    },
    additionalProperties: false,
  };
}

function formOf(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...form } = z.toJSONSchema(schema, { io: "input", target: "draft-7" });
  return form;
}

/** The text of an option, and its default where a file can hold it. */
function about(key: string): JsonSchema {
  const description = TEXTS[key];
  if (description !== undefined) return { description };
  const { about, fallback, fallbackText } = OPTIONS[key as OptionName];
  if (fallbackText !== undefined) return { description: `${about}. Default: ${fallbackText}` };
  return { description: about, default: fallback };
}

/** Of the keys that are no options. */
const TEXTS: Readonly<Record<string, string>> = {
  source: "the site or the documents that commands read, where the command line names none",
  target: "the site that commands write to, where the command line names none",
  ...Object.fromEntries(
    SIDES.flatMap((side) =>
      CREDENTIAL_NAMES.map((name) => [
        credentialKey(side, name),
        `the name of the environment variable that holds ${CREDENTIALS[name].about} (of the ${side})`,
      ]),
    ),
  ),
  notifyVariable: "the name of the environment variable that holds the addresses of --notify",
  passphraseVariable: "the name of the environment variable that holds the passphrase of encrypted archives",
  identityKeyVariable: "the name of the environment variable that holds the identities that open encrypted archives",
};
