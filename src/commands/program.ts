import { Command as CommanderCommand, CommanderError, Option as CommanderOption } from "commander";
import { UsageError } from "../core/errors.js";
import type { Command } from "./command.js";
import { COMMON_EXITS, exitLines } from "./exit-codes.js";
import { asksForSecret, CREDENTIAL_NAMES, CREDENTIALS, credentialVariable } from "./options/credential-names.js";
import { oldFlagOf } from "./options/old-names.js";
import { flagOf, kebab, type Option } from "./options/option.js";
import type { Flags } from "./options/settings.js";
import { type OptionName, optionsOf } from "./options/table.js";
import { suggest } from "./options/values.js";

export interface Invocation {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly flags: Flags;
}

interface HelpPrinter {
  readonly version: string;
  /** Its columns, on a terminal, are the width of the help. */
  readonly stdout: Pick<NodeJS.WritableStream, "write"> & { readonly columns?: number };
  readonly stderr: Pick<NodeJS.WritableStream, "write">;
}

/**
 * Reads a command line (without `node` and the script). undefined: the help or the version was
 * printed. Throws UsageError for an unknown word, and for a secret in a flag.
 */
export function parseCommandLine(
  words: readonly string[],
  commands: readonly Command[],
  { version, stdout, stderr }: HelpPrinter,
): Invocation | undefined {
  refuseSecretFlags(words);
  let invocation: Invocation | undefined;
  const program = new CommanderCommand("guideferry")
    .description(
      "Migrates, backs up, restores and converts the content of sites of the Documentation and Guides Service, and imports training packages.",
    )
    .version(version)
    .enablePositionalOptions()
    .usage("COMMAND [options]")
    .addHelpText("after", PROGRAM_HELP)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => undefined,
    });
  const width = Math.min(WIDEST, Math.max(NARROWEST, stdout.columns ?? WIDEST));
  configureHelp(program, width);
  const groups = new Map<string, CommanderCommand>();
  const printVersion = (): never => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, "commander.version", version);
  };
  for (const command of commands) {
    const sub = addCommand(parentOf(command, program, groups), command, (found) => {
      invocation = found;
    });
    sub.addHelpText("after", commandHelp(command, width));
    addVersion(sub, command, printVersion);
  }
  try {
    program.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    if (error.code === "commander.help")
      throw new UsageError(`${unknownTopic(words, commands)} The list of commands is above.`);
    // No `cause`: commander's message repeats the text after the `=`, which may be the secret of a
    // misspelt flag.
    throw new UsageError(errorText(error.message, namedIn(words, commands)));
  }
  return invocation;
}

function parentOf(
  { name }: Command,
  program: CommanderCommand,
  groups: Map<string, CommanderCommand>,
): CommanderCommand {
  if (!name.includes(" ")) return program;
  const word = name.slice(0, name.indexOf(" "));
  const known = groups.get(word);
  if (known !== undefined) return known;
  const group = program.command(word).usage("COMMAND [options]");
  groups.set(word, group);
  return group;
}

function addCommand(
  parent: CommanderCommand,
  command: Command,
  found: (invocation: Invocation) => void,
): CommanderCommand {
  const name = command.name.slice(command.name.indexOf(" ") + 1);
  const sub = parent.command(name).summary(command.about).description(flowing(command.description));
  addArguments(sub, command);
  for (const [name, row] of optionsOf(command)) {
    for (const option of commanderOptions(name, row)) sub.addOption(option);
  }
  sub.action(() => found({ command, arguments: sub.args, flags: underKeys(command, sub.opts()) }));
  return sub;
}

/**
 * The program's version, also behind a command. With a word behind it, it is the old name of
 * `--content-version`.
 */
function addVersion(sub: CommanderCommand, { options }: Command, print: () => never): void {
  const isOldName = options.some((name) => oldFlagOf(name) === "version");
  sub.addOption(new CommanderOption(`-V, --version${isOldName ? " [WORD]" : ""}`).hideHelp());
  sub.on("option:version", (word: unknown) => {
    if (typeof word !== "string") print();
  });
}

/** Joins the lines of a paragraph, so that the terminal's width breaks them; other lines stay. */
function flowing(description: string): string {
  return description.replace(/(?<=[^\n])\n(?=[^\s])/g, " ");
}

/** commander takes several words only for the last argument: a later argument is its last word. */
function addArguments(sub: CommanderCommand, { arguments: all }: Command): void {
  const written = all.map((one) => (one.optional ? `[${one.name}]` : `<${one.name}${one.many ? "..." : ""}>`));
  const manyAt = all.findIndex(({ many }) => many);
  const taken = manyAt === -1 ? all.length : manyAt + 1;
  const behind = all.slice(taken).map(({ name, about }) => `; the last one is ${name}: ${about}`);
  for (const [at, { about }] of all.slice(0, taken).entries())
    sub.argument(written[at] ?? "", at === taken - 1 ? `${about}${behind.join("")}` : about);
  sub.usage(["[options]", ...written].join(" "));
}

function underKeys(command: Command, flags: Flags): Flags {
  const named = new Map(optionsOf(command).flatMap(([key, { flag }]) => (flag === undefined ? [] : [[flag, key]])));
  return Object.fromEntries(Object.entries(flags).map(([flag, value]) => [named.get(flag) ?? flag, value]));
}

/** Columns of the help. */
const WIDEST = 120;
const NARROWEST = 60;

function configureHelp(program: CommanderCommand, helpWidth: number): void {
  program.exitOverride().configureHelp({
    helpWidth,
    minWidthToWrap: 20,
    showGlobalOptions: false,
    // The commands of a group instead of the group.
    visibleCommands: ({ commands }) => commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one])),
    subcommandTerm: wordsOf,
  });
}

function wordsOf(command: CommanderCommand): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

/** A switch has both flags, so that a flag can undo the file; the help shows one of them. */
function commanderOptions(key: OptionName, row: Option<unknown>): readonly CommanderOption[] {
  const text = row.fallbackText ?? (row.value === undefined ? undefined : String(row.fallback));
  const about = text === undefined ? row.about : `${row.about} (default: ${text})`;
  const flag = flagOf(key, row);
  const before = oldFlagOf(key);
  // addVersion takes the old --version.
  const oldFlags = before === undefined || before === "version" ? [] : [kebab(before)];
  if (row.value === undefined) {
    // The positive flag is first: otherwise commander sets true where neither is given.
    const name = kebab(row.flag ?? key);
    const names = [name, ...oldFlags].flatMap((one) => [`--${one}`, `--no-${one}`]);
    return names.map((way) => new CommanderOption(way, about).hideHelp(way !== flag));
  }
  const flags = row.short === undefined ? flag : `${row.short}, ${flag}`;
  const option = new CommanderOption(`${flags} <${row.value}>`, about);
  if (row.repeatable) option.argParser((value, before) => (before === undefined ? value : `${before},${value}`));
  if (row.single) option.argParser((value, before: readonly string[] = []) => [...before, value]);
  return [option, ...oldFlags.map((name) => new CommanderOption(`--${name} <${row.value}>`).hideHelp())];
}

function refuseSecretFlags(words: readonly string[]): void {
  const flag = words
    .map((word) => word.replace(/=.*$/s, ""))
    .find((word) => word.startsWith("--") && asksForSecret(word));
  if (flag === undefined || (flag === "--token" && words.includes("sandbox"))) return;
  throw new UsageError(
    `${flag} is refused: everybody on this machine can read a command line. Put the value into the variable ` +
      "GUIDEFERRY_SOURCE_TOKEN or GUIDEFERRY_TARGET_TOKEN. The value was not used, but others may have read it: replace it.",
  );
}

/** `guideferry help nothing`, or no command at all. */
function unknownTopic([first, ...topic]: readonly string[], commands: readonly Command[]): string {
  const name = topic.join(" ");
  if (first !== "help" || name === "") return "No command was given.";
  return `There is no command ${name}.${suggest(
    name,
    commands.map((command) => command.name),
  )}`;
}

function namedIn([first = "", second = ""]: readonly string[], commands: readonly Command[]): string | undefined {
  return commands.find(({ name }) => name === first || name === `${first} ${second}`)?.name;
}

function errorText(message: string, command: string | undefined): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/'(--[^'=]*)=.*'/s, "'$1'")
    .replace(/\n\((.*)\)$/s, ". $1");
  const help = command === undefined ? "guideferry --help" : `guideferry ${command} --help`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."} ${help} lists what you can use.`;
}

const PROGRAM_HELP = `
Examples:
  guideferry demo                                       see a migration, on two embedded sites
  guideferry plan https://a.example https://b.example   see the changes, without a write
  guideferry migrate https://a.example https://b.example
  guideferry status ./guideferry-workspace              see the progress, also during a run
  guideferry retry ./guideferry-workspace               load only what failed last time
  guideferry convert page.md --to wiki                  convert a text
  guideferry training check ./packages                  check training packages

To continue a run that was stopped, run the same command again.
guideferry COMMAND --help shows the options, exit codes and environment variables
of a command.`;

function commandHelp(command: Command, width: number): string {
  const signIn = signIns(command).flatMap((line) => wrapped(line, width, "GUIDEFERRY_SOURCE_PASSWORD  ".length));
  const exits = exitLines([...COMMON_EXITS, ...command.exits], command.done);
  return [
    section("Examples:", command.examples),
    section("Environment:", [...signIn, ...EVERYWHERE.flatMap((line) => wrapped(line, width, 0))]),
    section(
      "Exit codes:",
      exits.flatMap((line) => wrapped(line, width, "130  ".length)),
    ),
  ].join("\n");
}

/** The lines of a text; all but the first are indented by so many columns. */
function wrapped(text: string, width: number, indent: number): readonly string[] {
  const most = width - "  ".length;
  if (text.length <= most) return [text];
  const at = Math.max(text.lastIndexOf(" ", most), indent);
  return [text.slice(0, at), ...wrapped(" ".repeat(indent) + text.slice(at + 1), width, indent)];
}

const EVERYWHERE: readonly string[] = [
  "Each variable of a sign-in or key has two other forms: …_FILE names a file with the value. …_COMMAND is a command that prints it, such as a password manager.",
  "Every option has a variable and a key in guideferry.config.json (or .mjs): --max-failures has the variable GUIDEFERRY_MAX_FAILURES and the key maxFailures. A flag has priority over a variable, and a variable over the file.",
  "HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS and NO_COLOR are supported.",
];

function signIns(command: Command): readonly string[] {
  return command.signsIn.flatMap((side) =>
    CREDENTIAL_NAMES.map((name) => `${credentialVariable(side, name).padEnd(27)} ${CREDENTIALS[name].about}`),
  );
}

function section(title: string, lines: readonly string[]): string {
  return `\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
