import { COMMAND_GROUPS, type Command } from "../../src/commands/command.js";
import { EXIT_MEANINGS, type ExitName, meaningOf } from "../../src/commands/exit-codes.js";
import {
  CREDENTIAL_NAMES,
  CREDENTIALS,
  credentialKey,
  credentialVariable,
} from "../../src/commands/options/credential-names.js";
import { flagOf, isNegative, type Option, variableOf } from "../../src/commands/options/option.js";
import { OPTION_ROWS, type OptionName, optionsOf } from "../../src/commands/options/table.js";
import { EXIT } from "../../src/core/errors.js";
import { endpointFamilies, everyEndpoint } from "./endpoint-tables.js";
import { issueCodeTables } from "./issue-code-tables.js";

/** The tables of a page, by the name in the comment above each. */
export type Tables = Readonly<Record<string, string>>;

/** The tables of the docs, made from the code, by the page that holds them. */
export function referenceTables(commands: readonly Command[]): Readonly<Record<string, Tables>> {
  return {
    "README.md": { commands: commandTable(commands), "exit-codes": exitTable() },
    "docs/reference/commands.md": { commands: commandSections(commands) },
    "docs/reference/options.md": { options: optionTables(commands) },
    "docs/reference/configuration.md": { "sign-in": signInTable() },
    "docs/reference/exit-codes.md": { "exit-codes": exitTable(), "by-command": exitsByCommand(commands) },
    "docs/reference/issue-codes.md": issueCodeTables(),
    "docs/reference/endpoints.md": { endpoints: endpointFamilies() },
    "docs/reference/every-endpoint.md": { "every-endpoint": everyEndpoint() },
  };
}

/** The page with these tables in the place of its own. Throws where it has no such table. */
export function withTables(page: string, tables: Tables): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name} -->\\n\\n)[\\s\\S]*?(\\n\\n<!-- end -->)`);
    if (!place.test(text)) throw new Error(`The page has no table "${name}".`);
    return text.replace(place, (_, before: string, after: string) => before + table + after);
  }, page);
}

/** The commands below a row for each group, as in the help. */
function commandTable(commands: readonly Command[]): string {
  return table(
    ["Command", "Does"],
    COMMAND_GROUPS.flatMap((group) => [
      [`**${group}**`, ""],
      ...commands
        .filter((command) => command.group === group)
        .map((command) => [code(usageOf(command)), command.about]),
    ]),
  );
}

function usageOf({ name, arguments: given }: Command): string {
  return ["guideferry", name, ...given.map((one) => (one.optional ? `[${one.name}]` : one.name))].join(" ");
}

function commandSections(commands: readonly Command[]): string {
  return COMMAND_GROUPS.flatMap((group) => [
    `## ${group}`,
    ...commands.filter((command) => command.group === group).map(commandSection),
  ]).join("\n\n");
}

/** What the help says of a command, with links to its options. */
function commandSection(command: Command): string {
  const { name, about, description, examples } = command;
  const options = optionsOf(command)
    .filter(([key]) => command.options.includes(key))
    .map(([key, row]) => code(flagOf(key, row)));
  return [
    `### ${name}`,
    `${code(usageOf(command))}: ${about}.`,
    description
      .replaceAll("*", "\\*")
      .replace(/(?:^ {2}.*(?:\n|$))+/gm, (lines) => `\n\`\`\`text\n${lines.trimEnd()}\n\`\`\`\n`),
    command.arguments.map((one) => `- \`${one.name}\`: ${one.about}`).join("\n"),
    examples.length === 0 ? "" : `\`\`\`\n${examples.join("\n")}\n\`\`\``,
    options.length === 0 ? "" : `Options: ${options.join(", ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function optionTables(commands: readonly Command[]): string {
  return [...new Set(OPTION_ROWS.map(([, , group]) => group))]
    .map((heading) => {
      const rows = OPTION_ROWS.filter(([, , group]) => group === heading);
      return `## ${heading}\n\n${optionTable(rows, commands)}`;
    })
    .join("\n\n");
}

function optionTable(rows: typeof OPTION_ROWS, commands: readonly Command[]): string {
  return table(
    ["Flag", "Variable", "Key", "Default", "What it does", "Commands"],
    rows.map(([key, row]) => [
      code(
        `${row.short === undefined ? "" : `${row.short}, `}${flagOf(key, row)}${row.value === undefined ? "" : ` ${row.value}`}`,
      ),
      code(variableOf(key, row)),
      row.flagOnly ? "" : `${code(key)}${isNegative(row) ? " (`false`)" : ""}`,
      fallback(row),
      row.about.replaceAll("*", "\\*"),
      commandsWith(key, commands),
    ]),
  );
}

function signInTable(): string {
  return table(
    ["Variable", "Key that names another variable", "What it holds"],
    CREDENTIAL_NAMES.map((name) => [
      code(credentialVariable("source", name)),
      code(credentialKey("source", name)),
      CREDENTIALS[name].about,
    ]),
  );
}

function exitTable(): string {
  return table(
    ["Code", "Meaning"],
    Object.entries(EXIT).map(([name, value]) => [String(value), EXIT_MEANINGS[name as ExitName]]),
  );
}

/** What a code means of one command, where that differs from the table of all. */
function exitsByCommand(commands: readonly Command[]): string {
  const rows = commands.flatMap(({ name }) =>
    Object.values(EXIT)
      .filter((value) => meaningOf(value, name) !== meaningOf(value))
      .map((value) => [code(name), String(value), meaningOf(value, name)]),
  );
  return table(["Command", "Code", "Meaning"], rows);
}

/** The commands that have an option, in the order of the help. */
function commandsWith(key: OptionName, commands: readonly Command[]): string {
  const names = commands.filter((command) => optionsOf(command).some(([name]) => name === key)).map(({ name }) => name);
  return names.length === commands.length ? "all" : names.join(", ");
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
