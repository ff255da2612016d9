import { Command as CommanderCommand, CommanderError, Option as CommanderOption } from "commander";
import { UsageError } from "../core/errors.js";
import type { Command } from "./command.js";
import { commandEnd, layout, overview, PROGRAM, pageOf, programEnd } from "./help.js";
import { asksForSecret, type Environment } from "./options/credential-names.js";
import { oldFlagOf } from "./options/old-names.js";
import { flagOf, kebab, type Option } from "./options/option.js";
import type { Flags } from "./options/settings.js";
import { type OptionName, optionsOf, usualOptionsOf } from "./options/table.js";
import { suggest } from "./options/values.js";

export interface Invocation {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly flags: Flags;
}

interface HelpPrinter {
  readonly version: string;
  readonly stdout: Pick<NodeJS.WritableStream, "write"> & { readonly isTTY?: boolean; readonly columns?: number };
  /** Decides about colours and, without a terminal, about the width. */
  readonly environment: Environment;
}

/**
 * Reads a command line (without `node` and the script). undefined: the help or the version was
 * printed. Throws UsageError for an unknown word, and for a secret in a flag.
 */
export function parseCommandLine(
  words: readonly string[],
  commands: readonly Command[],
  { version, stdout, environment }: HelpPrinter,
): Invocation | undefined {
  refuseSecretFlags(words);
  const page = pageOf(stdout, environment);
  if (words.length === 0) {
    stdout.write(overview(commands, page));
    return undefined;
  }
  const asked = askedHelp(words, commands);
  let invocation: Invocation | undefined;
  const program = new CommanderCommand("guideferry")
    .description(PROGRAM)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp(layout(page))
    .usage("COMMAND [options]")
    .addHelpOption(new CommanderOption("-h, --help").hideHelp())
    .addHelpText("after", programEnd(page))
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      getOutHasColors: () => page.colours,
      outputError: () => undefined,
    });
  const groups = new Map<string, CommanderCommand>();
  const printVersion = (): never => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, "commander.version", version);
  };
  addVersion(program, [], printVersion);
  for (const command of commands) {
    const sub = addCommand(parentOf(command, program, groups), command, asked.help);
    sub.action(() => {
      invocation = { command, arguments: sub.args, flags: underKeys(command, sub.opts()) };
    });
    sub.addHelpText("after", commandEnd(command, page, asked.help === "all"));
    addVersion(sub, command.options, printVersion);
  }
  try {
    program.parse([...asked.words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    // No `cause`: commander's message repeats the text after the `=`, which may be the secret of a
    // misspelt flag.
    throw new UsageError(errorText(error, namedIn(words, commands)));
  }
  return invocation;
}

/** none: the command is to run; usual: with its usual options; all: with every option. */
type HelpAsked = "none" | "usual" | "all";

/**
 * Also takes `help COMMAND` and the word of several commands alone. Throws UsageError if no command
 * has the name.
 */
function askedHelp(
  words: readonly string[],
  commands: readonly Command[],
): { readonly words: readonly string[]; readonly help: HelpAsked } {
  const names = commands.map(({ name }) => name);
  const isGroup = words.length === 1 && names.some((name) => name.startsWith(`${words[0]} `));
  const flagged = words[0] === "help" ? [...words.slice(1), "--help"] : isGroup ? [...words, "--help"] : words;
  if (!flagged.includes("--help") && !flagged.includes("-h")) return { words, help: "none" };
  const topic = flagged.slice(
    0,
    flagged.findIndex((word) => word.startsWith("-")),
  );
  const [first = "", second] = topic;
  const isKnown = names.some((name) => [first, `${first} ${second}`].includes(name));
  if (first !== "" && !isKnown && (second !== undefined || !names.some((name) => name.startsWith(`${first} `)))) {
    const name = topic.join(" ");
    throw new UsageError(`There is no command ${name}.${suggest(name, names)} guideferry --help lists the commands.`);
  }
  return {
    words: flagged.filter((word) => word !== "--all"),
    help: flagged.includes("--all") ? "all" : "usual",
  };
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

function addCommand(parent: CommanderCommand, command: Command, help: HelpAsked): CommanderCommand {
  const sub = parent
    .command(command.name.slice(command.name.indexOf(" ") + 1))
    .helpGroup(`${command.group}:`)
    .summary(command.about)
    .description(command.description);
  addArguments(sub, command);
  sub.optionsGroup("Options:");
  const usual = usualOptionsOf(command);
  for (const [name, row] of usual) for (const option of commanderOptions(name, row)) sub.addOption(option);
  for (const [name, row, group] of optionsOf(command)) {
    if (usual.some(([one]) => one === name)) continue;
    sub.optionsGroup(`${group}:`);
    // Not hidden while a command line is read: commander suggests only what is shown.
    for (const option of commanderOptions(name, row)) sub.addOption(help === "usual" ? option.hideHelp() : option);
  }
  sub.optionsGroup("Options:");
  return sub.helpOption("-h, --help", "show this help, with --all every option");
}

/**
 * The program's version, also behind a command. With a word behind it, it is the old name of
 * `--content-version`.
 */
function addVersion(to: CommanderCommand, options: readonly OptionName[], print: () => never): void {
  const isOldName = options.some((name) => oldFlagOf(name) === "version");
  to.addOption(new CommanderOption(`-V, --version${isOldName ? " [WORD]" : ""}`).hideHelp());
  to.on("option:version", (word: unknown) => {
    if (typeof word !== "string") print();
  });
}

/** commander takes several words only for the last argument: a later argument is its last word. */
function addArguments(sub: CommanderCommand, { arguments: all }: Command): void {
  const written = all.map((one) =>
    one.optional || one.from ? `[${one.name}]` : `<${one.name}${one.many ? "..." : ""}>`,
  );
  const manyAt = all.findIndex(({ many }) => many);
  const taken = manyAt === -1 ? all.length : manyAt + 1;
  const behind = all.slice(taken).map(({ name, about }) => `; the last one is ${name}: ${about}`);
  // The configuration may give one of them: fillArguments tells what is missing then.
  const isFilled = all.some(({ from }) => from !== undefined);
  for (const [at, { about, name, many }] of all.slice(0, taken).entries())
    sub.argument(
      isFilled ? `[${name}${many ? "..." : ""}]` : (written[at] ?? ""),
      at === taken - 1 ? `${about}${behind.join("")}` : about,
    );
  sub.usage(["[options]", ...written].join(" "));
}

function underKeys(command: Command, flags: Flags): Flags {
  const named = new Map(optionsOf(command).flatMap(([key, { flag }]) => (flag === undefined ? [] : [[flag, key]])));
  return Object.fromEntries(Object.entries(flags).map(([flag, value]) => [named.get(flag) ?? flag, value]));
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

/** A fleet takes references in place of secrets: the value stays on the machine of the worker. */
export const REFERENCE = /^(?:env|file|command):./s;

function refuseSecretFlags(words: readonly string[]): void {
  const isFleet = words[0] === "fleet";
  const isReference = (word: string, at: number): boolean =>
    isFleet && REFERENCE.test(word.includes("=") ? word.slice(word.indexOf("=") + 1) : (words[at + 1] ?? ""));
  const flag = words
    .filter((word, at) => word.startsWith("--") && !isReference(word, at))
    .map((word) => word.replace(/=.*$/s, ""))
    .find((word) => asksForSecret(word));
  if (flag === undefined || (flag === "--token" && words.includes("sandbox"))) return;
  if (isFleet) {
    throw new UsageError(
      `${flag} takes no secret, but where a worker finds it: env:NAME (a variable), file:PATH (a file) or command:LINE (a command that ` +
        "prints it). The value was not used, but others may have read it on this command line: replace it.",
    );
  }
  throw new UsageError(
    `${flag} is refused: everybody on this machine can read a command line. Put the value into the variable ` +
      "GUIDEFERRY_SOURCE_TOKEN or GUIDEFERRY_TARGET_TOKEN. The value was not used, but others may have read it: replace it.",
  );
}

function namedIn([first = "", second = ""]: readonly string[], commands: readonly Command[]): string | undefined {
  return commands.find(({ name }) => name === first || name === `${first} ${second}`)?.name;
}

function errorText({ message, code }: CommanderError, command: string | undefined): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/'(--[^'=]*)=.*'/s, "'$1'")
    .replace(/\n\((.*)\)$/s, ". $1");
  const help = command === undefined ? "guideferry --help" : `guideferry ${command} --help`;
  const lists = `${help}${code === "commander.unknownOption" && command !== undefined ? " --all" : ""}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."} ${lists} lists what you can use.`;
}
