import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.js";
import { loadNamedCommand } from "../../src/commands/commands.js";
import { parseCommandLine } from "../../src/commands/program.js";
import { EXIT, UsageError } from "../../src/core/errors.js";

const optionsOf = async (name: string) => (await loadNamedCommand(name.split(" ")))?.options ?? [];

const migrate: Command = {
  name: "migrate",
  group: "Move content",
  about: "moves",
  arguments: [
    { name: "SOURCE", about: "from" },
    { name: "TARGET", about: "to", optional: true },
  ],
  description: "Moves things.",
  examples: [],
  options: await optionsOf("migrate"),
  signsIn: [],
  exits: [],
  run: async () => EXIT.ok,
};
const sandbox: Command = {
  ...migrate,
  name: "sandbox",
  arguments: [],
  options: await optionsOf("sandbox"),
};
const check: Command = {
  ...migrate,
  name: "training check",
  options: await optionsOf("training check"),
  arguments: [{ name: "PATH", about: "a folder or a file", many: true }],
};
const probe: Command = { ...migrate, name: "training probe", arguments: [{ name: "SITE", about: "the site" }] };
const importTraining: Command = {
  ...migrate,
  name: "import-training",
  options: await optionsOf("import-training"),
  arguments: [
    { name: "PACKAGE", about: "a package", many: true },
    { name: "SITE", about: "the site" },
  ],
};
const COMMANDS = [migrate, sandbox, check, probe, importTraining];

/** What the command line printed last. */
let printed: string[] = [];
const stream = { write: (text: string | Uint8Array) => printed.push(String(text)) > 0 };
const parse = (...words: readonly string[]) => {
  printed = [];
  return parseCommandLine(words, COMMANDS, { version: "1.2.3", stdout: stream, environment: {} });
};

describe("the command line", () => {
  it("gives the command, its arguments and the flags that were there", () => {
    const found = parse("migrate", "a", "b", "--rate", "5/s", "--strict", "--no-include-private");
    expect(found?.command.name).toBe("migrate");
    expect(found?.arguments).toEqual(["a", "b"]);
    expect(found?.flags).toEqual({ rate: "5/s", strict: true, includePrivate: false });
  });

  it("takes a switch both ways, so that a flag can undo what a file says", () => {
    expect(parse("migrate", "a", "--no-strict", "--include-private", "--progress")?.flags).toEqual({
      strict: false,
      includePrivate: true,
      progress: true,
    });
    expect(parse("migrate", "a")?.flags).toEqual({});
  });

  it("collects flags that may be repeated", () => {
    expect(parse("migrate", "a", "--include", "guide/1*", "--include", "Looms")?.flags).toEqual({
      include: "guide/1*,Looms",
    });
  });

  it.each([
    [["migrte", "a"], "Unknown command 'migrte'. Did you mean migrate?"],
    [["migrate", "a", "--rte", "5"], "Unknown option '--rte'. Did you mean --rate?"],
    [["migrate"], "Missing required argument 'SOURCE'."],
    [["migrate", "a", "b", "c"], "Too many arguments for 'migrate'."],
    [["migrate", "a", "--rate"], "argument missing"],
    [["sandbox", "--strict"], "Unknown option '--strict'."],
  ])("refuses %j", (words, message) => {
    expect(() => parse(...words)).toThrow(message);
    expect(() => parse(...words)).toThrow(UsageError);
  });

  it.each([
    [["migrate", "a", "--source-token=f00dfeed"]],
    [["migrate", "a", "--target-token", "f00dfeed"]],
    [["migrate", "a", "--token", "f00dfeed"]],
    [["migrate", "a", "--targetPassword=f00dfeed"]],
    [["--api-key=f00dfeed", "migrate"]],
  ])("refuses a secret among the flags without repeating it: %j", (words) => {
    expect(() => parse(...words)).toThrow(/is refused: everybody on this machine can read a command line/);
    expect(() => parse(...words)).not.toThrow(/f00dfeed/);
  });

  it("does not repeat what a misspelt flag was given", () => {
    expect(() => parse("migrate", "a", "--sorce-tokn=f00dfeed")).toThrow(/Unknown option '--sorce-tokn'/);
    expect(() => parse("migrate", "a", "--sorce-tokn=f00dfeed")).not.toThrow(/f00dfeed/);
  });

  it("lets the sandbox have a token of its own", () => {
    expect(parse("sandbox", "--token", "rehearsal")?.flags).toEqual({ token: "rehearsal" });
  });
});

describe("a command of two words", () => {
  it("gives its command, its arguments and its flags", () => {
    const found = parse("training", "check", "a", "b.zip", "--profile", "strict", "--report", "out", "c");
    expect(found?.command).toBe(check);
    expect(found?.arguments).toEqual(["a", "b.zip", "c"]);
    expect(found?.flags).toEqual({ profile: "strict", reportFolder: "out" });
    expect(parse("training", "probe", "https://site.example")?.command).toBe(probe);
  });

  it.each([
    [["help", "chek"], "There is no command chek. guideferry --help lists the commands."],
    [["chek", "--help"], "There is no command chek."],
    [["training", "chek", "--help"], 'There is no command training chek. Did you mean "training check"?'],
    [["migrate", "a", "--all"], "Unknown option '--all'."],
    [["training", "chek", "a"], "Unknown command 'chek'. Did you mean check?"],
    [["training", "migrate", "a"], "Unknown command 'migrate'."],
    [["check", "a"], "Unknown command 'check'."],
    [["training check", "a"], "Unknown command 'training check'."],
    [["training", "check"], "Missing required argument 'PATH'. guideferry training check --help"],
    [["training", "probe", "a", "b"], "Too many arguments for 'probe'."],
    [
      ["training", "check", "a", "--publish"],
      "Unknown option '--publish'. guideferry training check --help --all lists",
    ],
  ])("is refused as %j", (words, message) => {
    expect(() => parse(...words)).toThrow(message);
    expect(() => parse(...words)).toThrow(UsageError);
  });

  it("stands in the help of the program and of its group", () => {
    expect(parse("--help")).toBeUndefined();
    const [whole] = printed;
    expect(whole).toMatch(/^ {2}migrate +moves$/m);
    expect(whole).toMatch(/^ {2}training check +moves$/m);
    for (const words of [
      ["training", "--help"],
      ["help", "training"],
    ]) {
      expect(parse(...words)).toBeUndefined();
      expect(printed.join("")).toMatch(/^Usage: [\s\S]*^ {2}training check .*\n {2}training probe /m);
      expect(printed.join("")).not.toMatch(/^ {2}migrate/m);
    }
  });

  it("is known by its words before anything is read", async () => {
    const nameIn = async (...words: readonly string[]) => (await loadNamedCommand(words))?.name;
    expect(await nameIn("training", "check", "--json")).toBe("training check");
    expect(await nameIn("migrate", "check")).toBe("migrate");
    for (const words of [[], ["training"], ["training", "--json", "check"], ["--json", "check"]])
      expect(await nameIn(...words)).toBeUndefined();
  });
});

describe("many arguments followed by one", () => {
  it("are given in their order, the one last, wherever the flags stand", () => {
    const found = parse("import-training", "a", "--publish", "b", "https://site.example", "--concurrency", "3");
    expect(found?.command).toBe(importTraining);
    expect(found?.arguments).toEqual(["a", "b", "https://site.example"]);
    expect(found?.flags).toEqual({ publishModules: true, importConcurrency: "3" });
  });

  it("are shown in the usage as they are given, and are required", () => {
    expect(parse("import-training", "--help")).toBeUndefined();
    const text = printed.join("");
    expect(text).toMatch(/^Usage: guideferry import-training \[options\] <PACKAGE\.\.\.> <SITE>$/m);
    expect(text).toContain("a package; the last one is SITE: the site");
    expect(() => parse("import-training")).toThrow("Missing required argument 'PACKAGE'.");
  });
});
