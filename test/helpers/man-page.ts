import { COMMAND_GROUPS, type Command } from "../../src/commands/command.js";
import { EXIT_MEANINGS, type ExitName } from "../../src/commands/exit-codes.js";
import { EVERYWHERE, PROGRAM } from "../../src/commands/help.js";
import { CONFIG_FILES } from "../../src/commands/options/config-file.js";
import {
  CREDENTIAL_NAMES,
  CREDENTIALS,
  credentialVariable,
  IDENTITY_KEY_VARIABLE,
  PASSPHRASE_VARIABLE,
  SIDES,
} from "../../src/commands/options/credential-names.js";
import { flagOf, type Option, variableOf } from "../../src/commands/options/option.js";
import { OPTION_ROWS, type OptionName, optionsOf } from "../../src/commands/options/table.js";
import { EXIT } from "../../src/core/errors.js";

/**
 * The manual page in the macros of man(7), made from the tables of the help. No library writes it:
 * remark-man drops code lines that start with a dot, and has no hanging lists for options.
 */
export function manPage(commands: readonly Command[], version: string): string {
  const parts = [
    `.TH GUIDEFERRY 1 "" "guideferry ${version}" "User Commands"`,
    // No word is divided: a flag with a hyphen at the end of a line cannot be told from another.
    ".nh\n.ad l",
    section("NAME", text("guideferry - move, back up, restore and convert the content of sites")),
    section("SYNOPSIS", `.B guideferry\n.I COMMAND\n${text("[options] [arguments]")}`),
    section("DESCRIPTION", paragraphs(PROGRAM)),
    section("COMMANDS", COMMAND_GROUPS.map((group) => commandGroup(group, commands)).join("\n")),
    section("OPTIONS", optionGroups(commands)),
    section("ENVIRONMENT", environment()),
    section("FILES", files()),
    section(
      "EXIT STATUS",
      Object.entries(EXIT)
        .map(([name, code]) => tagged(bold(String(code)), text(EXIT_MEANINGS[name as ExitName])))
        .join("\n"),
    ),
  ];
  return `${parts.join("\n")}\n`;
}

function commandGroup(group: string, commands: readonly Command[]): string {
  const members = commands.filter((command) => command.group === group);
  return [`.SS ${quoted(group)}`, ...members.map(commandEntry)].join("\n");
}

function commandEntry(command: Command): string {
  const written = command.arguments.map((one) => {
    const name = `${italic(one.name)}${one.many ? "..." : ""}`;
    return one.optional ? `[${name}]` : name;
  });
  const options = optionsOf(command).filter(([name]) => command.options.includes(name));
  return [
    tagged([bold(`guideferry ${command.name}`), ...written].join(" "), text(`${command.about}.`)),
    ".RS",
    paragraphs(command.description),
    ...command.arguments.map((one) => tagged(italic(one.name), text(one.about))),
    ".PP",
    "Examples:",
    verbatim(command.examples),
    ...(options.length === 0
      ? []
      : [".PP", `Options: ${options.map(([name, row]) => bold(flagOf(name, row))).join(", ")}.`]),
    ".RE",
  ].join("\n");
}

function optionGroups(commands: readonly Command[]): string {
  const groups = [...new Set(OPTION_ROWS.map(([, , group]) => group))];
  return groups
    .map((group) => {
      const rows = OPTION_ROWS.filter((row) => row[2] === group);
      return [`.SS ${quoted(group)}`, ...rows.map(([name, row]) => optionEntry(name, row, commands))].join("\n");
    })
    .join("\n");
}

function optionEntry(name: OptionName, row: Option<unknown>, commands: readonly Command[]): string {
  const flags = [...(row.short === undefined ? [] : [row.short]), flagOf(name, row)].map(bold).join(", ");
  const value = row.value === undefined ? "" : ` ${italic(row.value)}`;
  const fallback = row.fallbackText ?? (row.value === undefined ? undefined : String(row.fallback));
  const taking = commands.filter((command) => command.options.includes(name)).map((command) => command.name);
  const facts = [
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
    `Variable: ${variableOf(name, row)}.`,
    `Commands: ${taking.length === 0 ? "all" : taking.join(", ")}.`,
  ];
  return tagged(`${flags}${value}`, `${text(`${row.about}.`)}\n.br\n${text(facts.join(" "))}`);
}

function environment(): string {
  const signIn = SIDES.flatMap((side) =>
    CREDENTIAL_NAMES.map((name) => tagged(bold(credentialVariable(side, name)), text(CREDENTIALS[name].about))),
  );
  const keys = [
    tagged(bold(PASSPHRASE_VARIABLE), text("the passphrase that encrypts and opens the archives of a backup")),
    tagged(bold(IDENTITY_KEY_VARIABLE), text("the text of the age identities that open the archives of a backup")),
  ];
  return [...signIn, ...keys, ...EVERYWHERE.map((one) => `.PP\n${text(one)}`)].join("\n");
}

function files(): string {
  return [
    tagged(CONFIG_FILES.map(bold).join(", "), text("the configuration, in the working directory")),
    tagged(bold("guideferry-workspace"), text("the workspace: items, state and reports of the runs")),
  ].join("\n");
}

function section(heading: string, body: string): string {
  return `.SH ${quoted(heading)}\n${body}`;
}

/** A term, and its text below it, further in. */
function tagged(term: string, body: string): string {
  return `.TP\n${term}\n${body}`;
}

/** Joins the lines of a paragraph; indented lines stay as they are. */
function paragraphs(description: string): string {
  return description
    .split("\n\n")
    .map((part) => {
      const lines = part.split("\n");
      const flowing = lines.filter((line) => !line.startsWith("  "));
      const fixed = lines.filter((line) => line.startsWith("  "));
      return [".PP", text(flowing.join(" ")), ...(fixed.length === 0 ? [] : [verbatim(fixed)])].join("\n");
    })
    .join("\n");
}

function verbatim(lines: readonly string[]): string {
  return [".RS 2", ".nf", ...lines.map(text), ".fi", ".RE"].join("\n");
}

function bold(word: string): string {
  return `\\fB${escaped(word)}\\fR`;
}

function italic(word: string): string {
  return `\\fI${escaped(word)}\\fR`;
}

function quoted(word: string): string {
  return `"${escaped(word).replaceAll('"', "\\(dq")}"`;
}

/** A line of text: one that starts with a dot or an apostrophe would be a macro. */
function text(line: string): string {
  return escaped(line).replace(/^(?=[.'])/, "\\&");
}

/** A plain hyphen may be printed as one that no shell takes, and a backslash starts an escape. */
function escaped(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-");
}
