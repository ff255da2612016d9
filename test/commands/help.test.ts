import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, test } from "vitest";
import { COMMAND_GROUPS } from "../../src/commands/command.js";
import { COMMAND_NAMES, loadCommands } from "../../src/commands/commands.js";
import { EXIT_MEANINGS } from "../../src/commands/exit-codes.js";
import { flagOf } from "../../src/commands/options/option.js";
import { OPTION_ROWS, OPTIONS, optionsOf, usualOptionsOf } from "../../src/commands/options/table.js";
import { parseCommandLine } from "../../src/commands/program.js";

const COMMANDS = await loadCommands();

interface On {
  readonly columns?: number;
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the program prints on stdout. */
function printed(words: readonly string[], { environment = {}, ...screen }: On = { columns: 80 }): string {
  const texts: string[] = [];
  const stdout = { ...screen, write: (text: string | Uint8Array) => texts.push(String(text)) > 0 };
  // As the program does: it loads the other commands only where none is named.
  const named = COMMANDS.filter(({ name }) => [words[0], words.slice(0, 2).join(" ")].includes(name));
  const commands = named.length === 0 ? COMMANDS : named;
  expect(parseCommandLine(words, commands, { version: "1.2.3", stdout, environment })).toBeUndefined();
  return texts.join("");
}

const wordsOf = (name: string): readonly string[] => name.split(" ");
const linesOf = (text: string): readonly string[] => text.replace(/\n+$/, "").split("\n");

/** Every help: of the program, of the word for several commands, and both helps of each command. */
const HELPS: readonly (readonly string[])[] = [
  [],
  ["--help"],
  ["training"],
  ...COMMAND_NAMES.flatMap((name) => [
    [...wordsOf(name), "--help"],
    [...wordsOf(name), "--help", "--all"],
  ]),
];

describe("guideferry alone", () => {
  it("prints the groups of commands on at most 32 lines of 80 columns, and names every command or its word", () => {
    const text = printed([]);
    expect(linesOf(text).length).toBeLessThanOrEqual(32);
    for (const group of COMMAND_GROUPS) expect(text).toMatch(new RegExp(`^${group}:$`, "m"));
    for (const { name, main, about } of COMMANDS)
      expect(text).toMatch(
        main
          ? new RegExp(`^ {2}${name} +${about}$`, "m")
          : new RegExp(`Also: .*\\b(?:${name}|${name.replace(/^fleet .*/, "fleet")})\\b`),
      );
  });

  it("is also what the word of several commands does: it lists them", () => {
    expect(printed(["training"])).toBe(printed(["training", "--help"]));
    expect(printed(["training"])).toMatch(/^Training packages:\n {2}training check .*\n {2}training normalise /m);
  });
});

describe("guideferry --help", () => {
  it("lists each command on one line, in its group, in the order of the table", () => {
    const text = printed(["--help"]);
    const lines = linesOf(text.slice(0, text.indexOf("Examples:")));
    const listed = lines.flatMap((line) => (/^ {2}(\w+(?:[- ]\w+)*) {2,}\S/.exec(line) ?? []).slice(1));
    expect(listed).toEqual(COMMAND_NAMES);
    expect(lines.filter((line) => COMMAND_GROUPS.some((group) => line === `${group}:`))).toEqual(
      COMMAND_GROUPS.map((group) => `${group}:`),
    );
    expect([...new Set(COMMANDS.map(({ group }) => group))]).toEqual([...COMMAND_GROUPS]);
    expect(printed(["help"])).toBe(printed(["--help"]));
  });
});

describe("the help of a command", () => {
  it("of migrate shows the usual dozen on at most 70 lines of 80 columns, and names the way to the rest", () => {
    const text = printed(["migrate", "--help"]);
    expect(linesOf(text).length).toBeLessThanOrEqual(70);
    expect(text).toContain("guideferry migrate --help --all shows");
    for (const flag of ["--workspace", "--rate", "--only", "--include", "--dry-run", "--fit", "--on-conflict"])
      expect(text).toContain(` ${flag}`);
    expect(text).not.toContain(" --concurrency");
  });

  it.each(COMMANDS)("of $name shows its usual options, and with --all every option by group", (command) => {
    const short = printed([...wordsOf(command.name), "--help"]);
    const all = printed([...wordsOf(command.name), "--help", "--all"]);
    expect(printed(["help", ...wordsOf(command.name)])).toBe(short);
    expect(printed(["help", ...wordsOf(command.name), "--all"])).toBe(all);
    const usual = new Set(usualOptionsOf(command).map(([name]) => name));
    expect(usual.size).toBeGreaterThan(1);
    expect(usual.size).toBeLessThanOrEqual(17);
    for (const [name, row, group] of optionsOf(command)) {
      const line = new RegExp(`^ {2}(?:-\\w, )?${flagOf(name, row)}(?: |$)`, "m");
      expect([name, line.test(short), line.test(all)]).toEqual([name, usual.has(name), true]);
      if (!usual.has(name))
        expect(all).toMatch(new RegExp(`^${group}:\n(?: .*\n)* {2}(?:-\\w, )?${flagOf(name, row)}`, "m"));
    }
    const more = optionsOf(command).length - usual.size;
    expect(short.replace(/\s+/g, " ")).toContain(more === 0 ? "--help --all shows all" : `--all shows ${more} more`);
  });

  it.each(COMMANDS)("of $name has its sign-in; with --all also the variables and exit codes", (command) => {
    const short = printed([...wordsOf(command.name), "--help"]);
    const all = printed([...wordsOf(command.name), "--help", "--all"]).replace(/\s+/g, " ");
    for (const exit of command.exits) expect(all).toContain(EXIT_MEANINGS[exit]);
    expect(all).toContain(EXIT_MEANINGS.interrupted);
    for (const side of command.signsIn) {
      expect(short).toContain(`GUIDEFERRY_${side.toUpperCase()}_TOKEN`);
      expect(all).toContain(`GUIDEFERRY_${side.toUpperCase()}_PASSWORD`);
    }
  });
});

describe("the page of a help", () => {
  it.each([60, 80, 120, 200])("of %i columns holds every line, and no word is broken there", (columns) => {
    const width = Math.min(columns, 120);
    for (const words of HELPS) {
      const text = printed(words, { columns });
      const wide = linesOf(text).filter((line) => line.length > width && /\S\s+\S/.test(line));
      expect([words, wide]).toEqual([words, []]);
      // The same words in the same order as on the widest page, apart from ends of lines.
      const inOrder = (one: string): readonly string[] => one.split(/\s+/).filter((word) => word !== "\\");
      expect(inOrder(text)).toEqual(inOrder(printed(words, { columns: 120 })));
    }
  });

  it("is filled: no line ends before the next word would not fit", () => {
    for (const command of COMMANDS) {
      const lines = linesOf(printed([...wordsOf(command.name), "--help"], { columns: 100 }));
      const text = lines.slice(2, lines.indexOf("Options:"));
      const short = text.filter((line, at) => {
        const [next = ""] = (text[at + 1] ?? "").split(" ");
        return /^\S/.test(line) && next !== "" && line.length + 1 + next.length <= 100;
      });
      expect(short.filter((line) => line !== "Arguments:" && !line.endsWith(":"))).toEqual([]);
    }
  });

  it("is as wide as COLUMNS says, else 80 columns, where it is no terminal", () => {
    expect(printed(["migrate", "--help"], {})).toBe(printed(["migrate", "--help"], { columns: 80 }));
    const narrow = printed(["migrate", "--help"], { environment: { COLUMNS: "60" } });
    expect(narrow).toBe(printed(["migrate", "--help"], { columns: 60 }));
    expect(printed(["migrate", "--help"], { environment: { COLUMNS: "wide" } })).toBe(printed(["migrate", "--help"]));
  });

  it("has colours on a terminal and with FORCE_COLOR, not with NO_COLOR; the text stays the same", () => {
    for (const words of [[], ["--help"], ["migrate", "--help"]]) {
      const plain = printed(words);
      const coloured = printed(words, { columns: 80, isTTY: true });
      expect(coloured).toContain("\u001b[1m");
      expect(coloured).toContain("\u001b[36m");
      expect(stripVTControlCharacters(coloured)).toBe(plain);
      expect(plain).not.toContain("\u001b");
      expect(printed(words, { columns: 80, environment: { FORCE_COLOR: "1" } })).toBe(coloured);
      expect(printed(words, { columns: 80, isTTY: true, environment: { NO_COLOR: "1" } })).toBe(plain);
    }
  });

  it("has examples that can be pasted: a long one continues after a backslash", () => {
    const join = (text: string): string => text.replaceAll(/ \\\n +/g, " ");
    for (const command of COMMANDS)
      for (const example of command.examples) {
        const [line = ""] = example.split(/ {2,}/);
        expect(join(printed([...wordsOf(command.name), "--help"], { columns: 60 }))).toContain(`\n  ${line}`);
      }
  });
});

test("every option is in the table of groups once", () => {
  expect(OPTION_ROWS.map(([name]) => name)).toEqual(Object.keys(OPTIONS));
});
