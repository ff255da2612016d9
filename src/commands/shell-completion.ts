import { RootCommand, type Command as ShellCommand, ShellCompDirective, script } from "@bomb.sh/tab";
import type { Command, CommandArgument } from "./command.js";
import type { Shell } from "./definitions/tools.js";
import { flagOf, type Option } from "./options/option.js";
import { optionsOf } from "./options/table.js";
import { choicesOf } from "./options/values.js";

const FILES = /(?:FILE|DIR|REPO|WORKSPACE|INPUT|ARCHIVE|SOURCE|TARGET|PACKAGES?|PLACE)/;

/**
 * What a shell offers after these words; the last one ends at the cursor, and may be "". One word a
 * line, with a description after a tab; the last line has the library's directive after a colon.
 */
export function answerShell(words: readonly string[], commands: readonly Command[]): string {
  let wantsFiles = false;
  const last = words.at(-1) ?? "";
  // `help migrate` has the words of `migrate --help`.
  const before = words[0] === "help" && words.length > 1 ? ["--help", ...words.slice(1, -1)] : words.slice(0, -1);
  const isHelp = before.includes("--help") || before.includes("-h");
  const root = rootOf(commands, isHelp, {
    value: last.startsWith("--") ? last.slice(last.indexOf("=") + 1) : last,
    onFile: () => {
      wantsFiles = true;
    },
  });
  // The library does not take a single dash as the start of a flag.
  const asked = [...before.filter((word) => !["--help", "-h"].includes(word)), last === "-" ? "--" : last];
  const lines = printedLines(() => root.parse([...asked]));
  const offered = lines.slice(0, -1).map((line) => line.replace(/\t$/, ""));
  // The library never lets a shell offer files by itself.
  const isFile = wantsFiles && offered.length === 0;
  const { ShellCompDirectiveDefault: files, ShellCompDirectiveNoFileComp: nothing } = ShellCompDirective;
  return [...offered, `:${isFile ? files : nothing}`, ""].join("\n");
}

interface Cursor {
  readonly value: string;
  /** Called when the word is the name of a file or folder. */
  readonly onFile: () => void;
}

function rootOf(commands: readonly Command[], isHelp: boolean, cursor: Cursor): RootCommand {
  const root = new RootCommand();
  if (!isHelp) root.command("help", "show what a command does, its options and exit codes");
  // Not --version: the library would offer it in every command.
  root.option("help", "list the commands");
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    // The library finds a command of two words only below one of the first word.
    if (second !== undefined && !root.commands.has(first)) root.command(first, `${first} …: several commands`);
    const to = root.command(command.name, command.about);
    if (isHelp) to.option("all", "show every option, variable and exit code");
    else addCommand(to, command, cursor);
  }
  return root;
}

function addCommand(to: ShellCommand, command: Command, cursor: Cursor): void {
  for (const argument of command.arguments) addArgument(to, argument, cursor);
  for (const [key, row] of optionsOf(command)) addOption(to, key, row, cursor);
  to.option("help", "show what this command does, its options and exit codes");
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
  // For the library, an option with a handler has a value, and any other is a switch.
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

/** The values of an option; in a list, those not given yet, after the last comma. */
function choicesAt({ schema }: Option<unknown>, value: string): readonly string[] {
  const choices = choicesOf(schema) ?? [];
  const before = value.slice(0, value.lastIndexOf(",") + 1);
  const isList = before !== "" && choices.length > 1 && schema.safeParse(choices.slice(0, 2).join(",")).success;
  if (!isList) return choices;
  const named = before.split(",");
  return choices.filter((choice) => !named.includes(choice)).map((choice) => before + choice);
}

const PROGRAM = "guideferry";

export function shellScript(shell: Shell): string {
  const text = printedLines(() => script(shell, PROGRAM, PROGRAM)).join("\n");
  return `${shell === "bash" ? corrected(text) : text}\n`;
}

/** For bash. Each `from` occurs in the script. */
const CORRECTIONS: readonly (readonly [from: string, to: string])[] = [
  // Errors if sourced twice, or with the script of another program.
  ["readonly ShellCompDirective", "ShellCompDirective"],
  // Part of the package bash-completion, which may be missing.
  ['_get_comp_words_by_ref -n "=:" cur prev words cword', "__guideferry_words"],
  // Up to the cursor, and quoted: TAB must not run typed text.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash.
  ["-- ${words[@]:1}", '-- $(printf "%q " "${words[@]:1:cword}")'],
  // Files if nothing else is offered, unless the answer forbids them.
  ["complete -F __guideferry_complete", "complete -o default -F __guideferry_complete"],
  ['if [[ -z "$cur" ]]; then', "if false; then"],
  // After a flag's "=", bash replaces only the value.
  ['[*]}" -- "$cur"', '[*]}" -- "$(__guideferry_value "$cur")"'],
];

const WORDS = `
# The words of the line up to the cursor.
__guideferry_words() {
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n "=:" cur prev words cword
        return
    fi
    # bash divides words at "=" and ":"; what no blank divides is one word.
    local rest=$COMP_LINE word at=-1 i blanks
    words=()
    cword=0
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=\${COMP_WORDS[i]}
        blanks=\${rest%%[![:space:]]*}
        rest=\${rest#"$blanks"}
        rest=\${rest#"$word"}
        if [[ $at -ge 0 && -z $blanks ]]; then words[at]+=$word; else words[++at]=$word; fi
    done
    cword=$at
    cur=\${words[cword]}
    prev=\${words[cword-1]}
}

# Of a flag with its value the value.
__guideferry_value() {
    case $1 in
        --*=*) printf '%s' "\${1#*=}" ;;
        *) printf '%s' "$1" ;;
    esac
}
`;

function corrected(text: string): string {
  const script = CORRECTIONS.reduce((before, [from, to]) => {
    if (!before.includes(from))
      throw new Error(`The library's script for bash no longer contains ${JSON.stringify(from)}.`);
    return before.replaceAll(from, () => to);
  }, text);
  return `${script}${WORDS}`;
}

/** The lines that the library prints with `console.log`, its only form of answer. */
function printedLines(work: () => void): readonly string[] {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: unknown) => void lines.push(String(line));
  try {
    work();
  } finally {
    console.log = log;
  }
  return lines;
}
