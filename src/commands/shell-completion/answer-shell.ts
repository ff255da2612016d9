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
  const last = words.at(-1) ?? "";
  const root = rootOf(commands, {
    value: last.startsWith("--") ? last.slice(last.indexOf("=") + 1) : last,
    onFile: () => {
      wantsFiles = true;
    },
  });
  // To the library a single dash is no beginning of a flag.
  const asked = last === "-" ? [...words.slice(0, -1), "--"] : words;
  const lines = printedLines(() => root.parse([...asked]));
  const offered = lines.slice(0, -1).map((line) => line.replace(/\t$/, ""));
  // The library never lets a shell offer files by itself.
  const isFile = wantsFiles && offered.length === 0;
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: nothing } = ShellCompDirective;
  return [...offered, `:${isFile ? files : nothing}`, ""].join("\n");
}

/** Where the cursor stands. */
interface Cursor {
  /** What is there of a value so far. */
  readonly value: string;
  /** Called when something that lies on a disk stands there. */
  readonly onFile: () => void;
}

function rootOf(commands: readonly Command[], cursor: Cursor): RootCommand {
  const root = new RootCommand();
  // Not --version: to the library it would be a switch in every command, and some have a --version of their own that is none.
  root.option("help", "what there is");
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    // The library finds a command of two words below one of the first word only.
    if (second !== undefined && !root.commands.has(first)) root.command(first, `${first} …: several commands`);
    addCommand(root.command(command.name, command.about), command, cursor);
  }
  return root;
}

function addCommand(to: ShellCommand, { name, arguments: all }: Command, cursor: Cursor): void {
  for (const argument of all) addArgument(to, argument, cursor);
  for (const [key, row] of optionsOf(name)) addOption(to, key, row, cursor);
  to.option("help", "what this command does, its options and exit codes");
}

function addArgument(to: ShellCommand, { name, choices = [], many }: CommandArgument, { onFile }: Cursor): void {
  to.argument(
    name,
    (offer) => {
      for (const choice of choices) offer(choice, "");
      if (FILES.test(name)) onFile();
    },
    many === true,
  );
}

function addOption(to: ShellCommand, key: string, row: Option<unknown>, cursor: Cursor): void {
  const { value, about, short } = row;
  const flag = flagOf(key, row).slice("--".length);
  // To the library an option with a handler has a value, and any other one is a switch.
  if (value === undefined) {
    to.option(flag, about);
    return;
  }
  to.option(
    flag,
    about,
    (offer) => {
      for (const choice of choicesAt(row, cursor.value)) offer(choice, "");
      if (FILES.test(value)) cursor.onFile();
    },
    short?.slice("-".length),
  );
}

/** The values of an option; of a list each with what stands before the last comma, but what that names already. */
function choicesAt({ schema }: Option<unknown>, value: string): readonly string[] {
  const choices = choicesOf(schema) ?? [];
  const before = value.slice(0, value.lastIndexOf(",") + 1);
  const isList = before !== "" && choices.length > 1 && schema.safeParse(choices.slice(0, 2).join(",")).success;
  if (!isList) return choices;
  const named = before.split(",");
  return choices.filter((choice) => !named.includes(choice)).map((choice) => before + choice);
}
