import { describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/command.js";
import { parseCommandLine } from "../../src/commands/program.js";
import { EXIT, UsageError } from "../../src/errors.js";

const migrate: Command = {
  name: "migrate",
  about: "moves",
  arguments: [
    { name: "SOURCE", about: "from" },
    { name: "TARGET", about: "to", optional: true },
  ],
  description: "Moves things.",
  examples: [],
  signsIn: [],
  exits: [],
  run: async () => EXIT.ok,
};
const sandbox: Command = { ...migrate, name: "sandbox", arguments: [] };

const parse = (...words: readonly string[]) => parseCommandLine(words, [migrate, sandbox], "1.2.3");

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
    expect(() => parse(...words)).toThrow(/is refused: what stands on a command line can be read/);
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
