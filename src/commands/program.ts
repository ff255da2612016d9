import { Command as CommanderCommand, CommanderError, Option as CommanderOption } from "commander";
import { UsageError } from "../errors.js";
import type { Command } from "./command.js";
import { commandHelp, PROGRAM_HELP } from "./help.js";
import { asksForSecret } from "./options/credential-names.js";
import { flagOf, kebab, type Option } from "./options/option.js";
import type { Flags } from "./options/settings.js";
import { optionsOf } from "./options/table.js";

/** Which command was asked for, with what. */
export interface Invocation {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly flags: Flags;
}

/**
 * Reads a command line (without `node` and the script). undefined: help or the version was asked for and printed. Throws
 * UsageError for what nobody understands, and for a secret among the flags.
 */
export function parseCommandLine(
  words: readonly string[],
  commands: readonly Command[],
  version: string,
): Invocation | undefined {
  refuseSecretFlags(words);
  let invocation: Invocation | undefined;
  const program = new CommanderCommand("guideferry")
    .description(
      "Moves guides, wikis, categories, tags and media between sites of the Documentation and Guides Service.",
    )
    .version(version)
    .usage("COMMAND [options]")
    .addHelpText("after", PROGRAM_HELP);
  quiet(program);
  for (const command of commands) {
    addCommand(program, command, (found) => {
      invocation = found;
    });
  }
  try {
    program.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    if (error.code === "commander.help") throw new UsageError("No command was given. The commands stand above.");
    // No `cause`: commander's own words repeat what followed the `=`, which may be a secret under a misspelt flag.
    throw new UsageError(
      tidy(
        error.message,
        commands.find(({ name }) => name === words[0]),
      ),
    );
  }
  return invocation;
}

function addCommand(program: CommanderCommand, command: Command, found: (invocation: Invocation) => void): void {
  const sub = program.command(command.name).summary(command.about).description(command.description);
  quiet(sub);
  for (const argument of command.arguments) {
    sub.argument(argument.optional ? `[${argument.name}]` : `<${argument.name}>`, argument.about);
  }
  for (const [name, row] of optionsOf(command.name)) {
    for (const option of commanderOptions(name, row)) sub.addOption(option);
  }
  sub.addHelpText("after", commandHelp(command));
  sub.action(() => found({ command, arguments: sub.args, flags: underKeys(command, sub.opts()) }));
}

/** Flags with a name of their own, under the keys of their options. */
function underKeys({ name }: Command, flags: Flags): Flags {
  const named = new Map(optionsOf(name).flatMap(([key, { flag }]) => (flag === undefined ? [] : [[flag, key]])));
  return Object.fromEntries(Object.entries(flags).map(([flag, value]) => [named.get(flag) ?? flag, value]));
}

function quiet(command: CommanderCommand): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  command.configureHelp({ helpWidth: 120, showGlobalOptions: false });
}

/** A switch can be given both ways, so that a flag can undo what a file says; the help shows the way that changes something. */
function commanderOptions(key: string, row: Option<unknown>): readonly CommanderOption[] {
  const text = row.fallbackText ?? (row.value === undefined ? undefined : String(row.fallback));
  const about = text === undefined ? row.about : `${row.about} (default: ${text})`;
  const flag = flagOf(key, row);
  if (row.value === undefined) {
    // The positive one comes first, or commander makes it true where neither is given.
    return [`--${kebab(key)}`, `--no-${kebab(key)}`].map((name) =>
      new CommanderOption(name, about).hideHelp(name !== flag),
    );
  }
  const flags = row.short === undefined ? flag : `${row.short}, ${flag}`;
  const option = new CommanderOption(`${flags} <${row.value}>`, about);
  if (row.repeatable) option.argParser((value, before) => (before === undefined ? value : `${before},${value}`));
  if (row.single) option.argParser((value, before: readonly string[] = []) => [...before, value]);
  return [option];
}

function refuseSecretFlags(words: readonly string[]): void {
  const flag = words
    .map((word) => word.replace(/=.*$/s, ""))
    .find((word) => word.startsWith("--") && asksForSecret(word));
  if (flag === undefined || (flag === "--token" && words.includes("sandbox"))) return;
  throw new UsageError(
    `${flag} is refused: what stands on a command line can be read by everybody on this machine. Put the value into ` +
      "GUIDEFERRY_SOURCE_TOKEN or GUIDEFERRY_TARGET_TOKEN. It was not used; take it as known to others.",
  );
}

function tidy(message: string, command: Command | undefined): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/'(--[^'=]*)=.*'/s, "'$1'")
    .replace(/\n\((.*)\)$/s, ". $1");
  const help = command === undefined ? "guideferry --help" : `guideferry ${command.name} --help`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."} ${help} shows what there is.`;
}
