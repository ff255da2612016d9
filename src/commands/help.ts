import { styleText } from "node:util";
import type { Command as CommanderCommand, HelpConfiguration } from "commander";
import { COMMAND_GROUPS, type Command } from "./command.js";
import { exitRows } from "./exit-codes.js";
import { CREDENTIAL_NAMES, CREDENTIALS, credentialVariable, type Environment } from "./options/credential-names.js";
import { optionsOf, usualOptionsOf } from "./options/table.js";
import { showsColours } from "./output/writer.js";

/** What a help is printed on. */
export interface Page {
  /** Columns: the terminal's, else those that COLUMNS names, else 80; from 40 to 120. */
  readonly width: number;
  readonly colours: boolean;
}

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function pageOf(stream: Screen, environment: Environment): Page {
  const columns = stream.columns || Number(environment["COLUMNS"]) || 80;
  return { width: Math.min(120, Math.max(40, columns)), colours: showsColours(stream, environment) };
}

/** How commander lays out the help of the program and of each command. */
export function layout(page: Page): HelpConfiguration {
  return {
    helpWidth: page.width,
    showGlobalOptions: false,
    // The commands of a group instead of the group.
    visibleCommands: ({ commands }) => commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one])),
    subcommandTerm: (command) => pathOf(command).join(" "),
    commandUsage: (command) =>
      wrap(`Usage: guideferry ${[...pathOf(command), command.usage()].join(" ")}`, page.width, "  ").slice(
        "Usage: ".length,
      ),
    commandDescription: (command) => paragraphs(command.description(), page.width),
    // The description has its lines already, and formatItem makes those of the lists.
    boxWrap: (text) => text,
    padWidth: (command, helper) =>
      termWidth(page, [
        ...helper.visibleArguments(command).map((one) => helper.argumentTerm(one)),
        ...helper.visibleOptions(command).map((one) => helper.optionTerm(one)),
        ...helper.visibleCommands(command).map((one) => helper.subcommandTerm(one)),
      ]),
    formatItem: (term, width, text) => item(page, [term, text], width),
    styleTitle: (text) => title(page, text),
    styleUsage: (text) => text,
    styleSubcommandTerm: (text) => text,
  };
}

/** What `guideferry` alone prints: on 80 columns at most 32 lines. */
export function overview(commands: readonly Command[], page: Page): string {
  const main = commands.filter((command) => command.main);
  const width = termWidth(
    page,
    main.map(({ name }) => name),
  );
  const lines = COMMAND_GROUPS.flatMap((group) => {
    const members = commands.filter((command) => command.group === group);
    const others = inShort(members.filter((command) => !command.main).map(({ name }) => name));
    return [
      title(page, `${group}:`),
      ...members.filter((command) => command.main).map(({ name, about }) => item(page, [name, about], width)),
      ...(others.length === 0 ? [] : [wrap(`  Also: ${others.join(", ")}`, page.width, "        ")]),
    ];
  });
  const next = [
    ["guideferry --help", "list all commands with what they do"],
    ["guideferry COMMAND --help", "show what a command does, and its usual options"],
  ] as const;
  return `${[wrap(PROGRAM, page.width), "", ...lines, "", ...rows(page, next)].join("\n")}\n`;
}

/** Many commands of one word are that word alone: `guideferry WORD` lists them. */
function inShort(names: readonly string[]): readonly string[] {
  const wordOf = (name: string): string => name.slice(0, name.indexOf(" "));
  const short = names.map((name) => {
    const others = names.filter((other) => wordOf(other) === wordOf(name));
    return name.includes(" ") && others.length > FEW_OF_A_WORD ? wordOf(name) : name;
  });
  return [...new Set(short)];
}

const FEW_OF_A_WORD = 3;

export const PROGRAM =
  "guideferry migrates, backs up, restores and converts the content of sites of the Documentation and Guides " +
  "Service, and imports training packages.";

const EXAMPLES: readonly string[] = [
  "guideferry demo                                         see a migration",
  "guideferry plan https://a.example https://b.example     see the changes",
  "guideferry migrate https://a.example https://b.example  move the content",
  "guideferry status ./guideferry-workspace                see the progress",
  "guideferry retry ./guideferry-workspace                 load what failed",
  "guideferry convert page.md --to wiki                    convert a text",
  "guideferry training check ./packages                    check packages",
];

/** What `guideferry --help` says below the list of commands. */
export function programEnd(page: Page): string {
  const notes = [
    "To continue a run that was stopped, run the same command again.",
    "guideferry COMMAND --help shows what a command does and its usual options, with --all every option. " +
      "`man guideferry` has all of it, if guideferry is installed with npm install --global.",
  ];
  return [examples(page, EXAMPLES), ...notes.map((note) => wrap(note, page.width))].join("\n");
}

/** What the help of a command says below its options. `all`: with every variable and exit code. */
export function commandEnd(command: Command, page: Page, all: boolean): string {
  const parts = [all ? environment(command, page) : signIn(command, page), examples(page, command.examples)];
  const codes = exitRows(command).map(([code, meaning]) => [String(code), meaning] as const);
  return [...parts, all ? section(page, "Exit codes:", rows(page, codes)) : moreOf(command, page)].join("");
}

function moreOf(command: Command, page: Page): string {
  const more = optionsOf(command).length - usualOptionsOf(command).length;
  const what = [...(more === 0 ? [] : [`${more} more options`]), "all variables", "the exit codes"];
  const list = `${what.slice(0, -1).join(", ")} and ${what.at(-1)}`;
  return `\n${wrap(`guideferry ${command.name} --help --all shows ${list}.`, page.width)}`;
}

function signIn({ signsIn }: Command, page: Page): string {
  const tokens = signsIn.map((side) => [credentialVariable(side, "token"), CREDENTIALS.token.about] as const);
  return tokens.length === 0 ? "" : section(page, "Sign in, by environment variables:", rows(page, tokens));
}

function environment({ signsIn }: Command, page: Page): string {
  const variables = signsIn.flatMap((side) =>
    CREDENTIAL_NAMES.map((name) => [credentialVariable(side, name), CREDENTIALS[name].about] as const),
  );
  const everywhere = EVERYWHERE.map((text) => wrap(`  ${text}`, page.width, "  "));
  return section(page, "Environment:", [...rows(page, variables), ...everywhere]);
}

/** What holds for the variables of all commands. */
export const EVERYWHERE: readonly string[] = [
  "Each variable of a sign-in or key has two other forms: …_FILE names a file with the value. …_COMMAND is a command that prints it, such as a password manager.",
  "Every option has a variable and a key in guideferry.config.json (or .mjs): --max-failures has the variable GUIDEFERRY_MAX_FAILURES and the key maxFailures. A flag has priority over a variable, and a variable over the file.",
  "HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, NO_COLOR and FORCE_COLOR are supported.",
];

function section(page: Page, heading: string, lines: readonly string[]): string {
  return `\n${title(page, heading)}\n${lines.join("\n")}\n`;
}

function examples(page: Page, all: readonly string[]): string {
  return section(
    page,
    "Examples:",
    all.flatMap((example) => exampleLines(example, page.width - 2).map((line) => `  ${line}`)),
  );
}

/**
 * A command line and, after two spaces, what it is for. A command line that is too long continues
 * after a backslash, so that it can still be pasted into a shell.
 */
function exampleLines(example: string, width: number): readonly string[] {
  if (example.length <= width) return [example];
  const [line = "", note = ""] = example.split(/ {2,}/);
  const lines: string[] = [];
  // A flag and its value stay together.
  for (const word of line.match(/(?:--[a-z-]+ )?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length + " \\".length > width) {
      if (last !== undefined) lines.push(`${lines.pop()} \\`, `  ${word}`);
      else lines.push(word);
    } else lines.splice(-1, 1, `${last} ${word}`);
  }
  return note === "" ? lines : [...lines, ...wrap(`    ${note}`, width, "    ").split("\n")];
}

function rows(page: Page, all: readonly (readonly [term: string, text: string])[]): readonly string[] {
  const width = termWidth(
    page,
    all.map(([term]) => term),
    0.36,
  );
  return all.map((row) => item(page, row, width));
}

/** The columns for the terms of a list: at most this share of the page. */
function termWidth({ width }: Page, terms: readonly string[], share = 0.28): number {
  return Math.min(Math.floor(width * share), Math.max(0, ...terms.map(({ length }) => length)));
}

/** A term and its text, which begins on the next line if the term is too long. */
function item(page: Page, [term, text]: readonly [term: string, text: string], width: number): string {
  const indent = " ".repeat(width + 4);
  const gap = term.length > width ? `\n${indent}` : " ".repeat(width + 2 - term.length);
  const lines = wrap(text, page.width - indent.length).replaceAll("\n", `\n${indent}`);
  return `  ${paint(page, "cyan", term)}${gap}${lines}`;
}

/** Joins the lines of each paragraph, and divides them at the width; indented lines stay lines. */
function paragraphs(text: string, width: number): string {
  return text
    .replace(/(?<=[^\n])\n(?=[^\s])/g, " ")
    .split("\n")
    .map((line) => wrap(line, width, " ".repeat(/^ +\S+ {2,}/.exec(line)?.[0].length ?? 0)))
    .join("\n");
}

/** Divides a line at blanks; a word that is longer than the width stays whole. */
function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const chunk of text.match(/ *[^ ]+/g) ?? []) {
    if (line.trim() !== "" && line.length + chunk.length > width) {
      lines.push(line);
      line = indent + chunk.trimStart();
    } else line += chunk;
  }
  return [...lines, line].join("\n");
}

function title(page: Page, text: string): string {
  return paint(page, "bold", text);
}

function paint({ colours }: Page, style: "bold" | "cyan", text: string): string {
  return colours ? styleText(style, text, { validateStream: false }) : text;
}

/** The words of a command behind the program's name. */
function pathOf(command: CommanderCommand): readonly string[] {
  const { parent } = command;
  return parent === null ? [] : [...pathOf(parent), command.name()];
}
