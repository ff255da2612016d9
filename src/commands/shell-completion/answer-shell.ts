import { RootCommand, type Command as ShellCommand, ShellCompDirective } from "@bomb.sh/tab";
import type { Command, CommandArgument } from "../command.js";
import { choicesOf } from "../options/choices-of.js";
import { flagOf, type Option } from "../options/option.js";
import { optionsOf } from "../options/table.js";
import { printedLines } from "./printed-lines.js";

/** Placeholders and names of what lies on a disk. */
const FILES = /(?:FILE|DIR|REPO|WORKSPACE|INPUT|ARCHIVE|SOURCE|TARGET|PACKAGES?|PLACE)/;

/**
 * What a shell offers for a command line of which these words stand there, the last one up to the cursor, "" where it is yet to begin. A word a
 * line, behind a tab what it is, and last, behind a colon, the library's word for what the shell does besides.
 */
export function answerShell(words: readonly string[], commands: readonly Command[]): string {
  let wantsFiles = false;
  const root = rootOf(commands, () => {
    wantsFiles = true;
  });
  const lines = printedLines(() => root.parse([...words]));
  const offered = lines.slice(0, -1).map((line) => line.replace(/\t$/, ""));
  // The library never lets a shell offer files by itself.
  const isFile = wantsFiles && offered.length === 0;
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: nothing } = ShellCompDirective;
  return [...offered, `:${isFile ? files : nothing}`, ""].join("\n");
}

/** `onFile` is called when something that lies on a disk stands at the cursor. */
function rootOf(commands: readonly Command[], onFile: () => void): RootCommand {
  const root = new RootCommand();
  // Not --version: to the library it would be a switch in every command, and some have a --version of their own that is none.
  root.option("help", "what there is");
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    // The library finds a command of two words below one of the first word only.
    if (second !== undefined && !root.commands.has(first)) root.command(first, `${first} …: several commands`);
    addCommand(root.command(command.name, command.about), command, onFile);
  }
  return root;
}

function addCommand(to: ShellCommand, { name, arguments: all }: Command, onFile: () => void): void {
  for (const argument of all) addArgument(to, argument, onFile);
  for (const [key, row] of optionsOf(name)) addOption(to, key, row, onFile);
  to.option("help", "what this command does, its options and exit codes");
}

function addArgument(to: ShellCommand, { name, choices = [], many }: CommandArgument, onFile: () => void): void {
  to.argument(
    name,
    (offer) => {
      for (const choice of choices) offer(choice, "");
      if (FILES.test(name)) onFile();
    },
    many === true,
  );
}

function addOption(to: ShellCommand, key: string, row: Option<unknown>, onFile: () => void): void {
  const { value, about, short } = row;
  const flag = flagOf(key, row).slice("--".length);
  // To the library an option with a handler has a value, and any other one is a switch.
  if (value === undefined) {
    to.option(flag, about);
    return;
  }
  const choices = choicesOf(row.schema) ?? [];
  to.option(
    flag,
    about,
    (offer) => {
      for (const choice of choices) offer(choice, "");
      if (FILES.test(value)) onFile();
    },
    short?.slice("-".length),
  );
}
