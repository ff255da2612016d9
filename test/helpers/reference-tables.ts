import { loadCommands } from "../../src/commands/commands.js";
import { EXIT_MEANINGS, type ExitName } from "../../src/commands/exit-codes.js";
import {
  CREDENTIAL_NAMES,
  CREDENTIALS,
  credentialKey,
  credentialVariable,
} from "../../src/commands/options/credential-names.js";
import { flagOf, isNegative, type Option, variableOf } from "../../src/commands/options/option.js";
import { OPTION_ROWS, type OptionName, optionsOf } from "../../src/commands/options/table.js";
import { EXIT } from "../../src/core/errors.js";
import { endpointFamilies } from "./endpoint-tables.js";

const COMMANDS = await loadCommands();

/** The tables of the README, made from the code; a test compares them. */
export const REFERENCE_TABLES: Readonly<Record<string, () => string>> = {
  commands: () =>
    table(
      ["Command", "Does"],
      COMMANDS.map(({ name, arguments: given, about }) => [
        code(["guideferry", name, ...given.map((one) => (one.optional ? `[${one.name}]` : one.name))].join(" ")),
        about,
      ]),
    ),
  options: () =>
    table(
      ["Flag", "Variable", "Key", "Default", "What it does", "Commands"],
      OPTION_ROWS.map(([key, row]) => [
        code(
          `${row.short === undefined ? "" : `${row.short}, `}${flagOf(key, row)}${row.value === undefined ? "" : ` ${row.value}`}`,
        ),
        code(variableOf(key, row)),
        row.flagOnly ? "" : `${code(key)}${isNegative(row) ? " (`false`)" : ""}`,
        fallback(row),
        row.about.replaceAll("*", "\\*"),
        commandsWith(key),
      ]),
    ),
  "sign-in": () =>
    table(
      ["Variable", "Key that names another variable", "What it holds"],
      CREDENTIAL_NAMES.map((name) => [
        code(credentialVariable("source", name)),
        code(credentialKey("source", name)),
        CREDENTIALS[name].about,
      ]),
    ),
  endpoints: endpointFamilies,
  "exit-codes": () =>
    table(
      ["Code", "Meaning"],
      Object.entries(EXIT).map(([name, value]) => [String(value), EXIT_MEANINGS[name as ExitName]]),
    ),
};

/** The commands that have an option, in the order of the help. */
function commandsWith(key: OptionName): string {
  const names = COMMANDS.filter((command) => optionsOf(command).some(([name]) => name === key)).map(({ name }) => name);
  return names.length === COMMANDS.length ? "all" : names.join(", ");
}

function fallback(row: Option<unknown>): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  return row.value === undefined ? "" : code(String(row.fallback));
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
