import { describe, expect, it } from "vitest";
import { loadCommands } from "../../src/commands/commands.js";
import { flagOf } from "../../src/commands/options/option.js";
import { optionsOf } from "../../src/commands/options/table.js";
import { choicesOf } from "../../src/commands/options/values.js";
import { answerShell } from "../../src/commands/shell-completion.js";

const COMMANDS = await loadCommands();

/** What is offered, and whether the shell offers files. */
function offered(...words: readonly string[]): { readonly words: readonly string[]; readonly files: boolean } {
  const lines = answerShell(words, COMMANDS).trimEnd().split("\n");
  return { words: lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), files: lines.at(-1) === ":0" };
}

describe("what a shell offers", () => {
  it("is every command, by its first word, and every second word behind it", () => {
    const first = [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0]))];
    expect(offered("").words).toEqual(["help", ...first]);
    expect(offered("help", "").words).toEqual(first);
    expect(offered("help", "training", "c").words).toEqual(["check"]);
    const training = COMMANDS.filter(({ name }) => name.startsWith("training ")).map(({ name }) => name.split(" ")[1]);
    expect(offered("training", "").words).toEqual(training);
    expect(offered("mig").words).toEqual(["migrate"]);
  });

  it.each(COMMANDS)("is every flag of $name, and no other", (command) => {
    const flags = optionsOf(command).map(([key, row]) => flagOf(key, row));
    expect(offered(...command.name.split(" "), "--").words.toSorted()).toEqual([...flags, "--help"].toSorted());
  });

  it.each([
    ["migrate", "--help", "--"],
    ["migrate", "https://a.example", "-h", "-"],
    ["training", "check", "--help", "--a"],
    ["help", "migrate", "--"],
  ])("is --all and nothing else behind --help: %s %s %s %s", (...words) => {
    expect(offered(...words)).toEqual({ words: ["--all"], files: false });
  });

  it.each(COMMANDS)("is what an option of $name can be", (command) => {
    for (const [key, row] of optionsOf(command)) {
      if (row.value === undefined) continue;
      const { words } = offered(...command.name.split(" "), flagOf(key, row), "");
      expect([key, words]).toEqual([key, choicesOf(row.schema) ?? []]);
    }
  });

  it("is the rest of a list, behind its last comma, and every flag behind a dash", () => {
    expect(offered("extract", "--only", "category,w").words).toEqual(["category,wiki"]);
    expect(offered("extract", "--only=category,w").words).toEqual(["category,wiki"]);
    expect(offered("extract", "--only", "category,").words).not.toContain("category,category");
    expect(offered("migrate", "--on-conflict", "skip,").words).toEqual([]);
    expect(offered("extract", "-").words).toEqual(offered("extract", "--").words);
  });

  it("is what begins as the word does", () => {
    expect(offered("migrate", "--on-conflict", "").words).toEqual(["skip", "update", "merge", "fail"]);
    expect(offered("migrate", "--on-conflict", "m").words).toEqual(["merge"]);
    expect(offered("completion", "").words).toEqual(["bash", "zsh", "fish"]);
    expect(offered("training", "check", "--strictness", "st").words).toEqual(["strict", "standard"]);
  });

  it.each([
    [["status", ""], true],
    [["undo", "./w"], true],
    [["migrate", "--workspace", ""], true],
    [["migrate", "--rate", ""], false],
    [["migrate", "--on-conflict", "x"], false],
    [["check", ""], false],
  ])("leaves files to the shell where one can stand: %j", (words, files) => {
    expect(offered(...words)).toEqual({ words: [], files });
  });
});
