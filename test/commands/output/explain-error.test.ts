import { describe, expect, it } from "vitest";
import { EXIT_MEANINGS, exitLines } from "../../../src/commands/exit-codes.js";
import { explainError } from "../../../src/commands/output/explain-error.js";
import { clockTime, count } from "../../../src/commands/output/words.js";
import { shellQuote } from "../../../src/commands/shell-quote.js";
import { BrakeError, EXIT, UsageError } from "../../../src/errors.js";

describe("the words for an error", () => {
  it("are its message, and its exit code, when guideferry made it", () => {
    expect(explainError(new UsageError("Wrong."), false)).toEqual({ text: "Wrong.", exitCode: EXIT.usage });
    expect(explainError(new BrakeError("Too many."), false).exitCode).toBe(EXIT.brake);
  });

  it("ask for a report, with exit code 1, when nobody foresaw it", () => {
    const { text, exitCode } = explainError(new TypeError("x is not a function"), false);
    expect(text).toMatch(/^Unexpected failure: x is not a function\n.*report it after running it again with --debug/);
    expect(exitCode).toBe(EXIT.unexpected);
    expect(explainError("thrown text", false).exitCode).toBe(EXIT.unexpected);
  });

  it("hold a stack trace, with its causes, only with --debug", () => {
    const error = new UsageError("Wrong.", { cause: new Error("the reason") });
    expect(explainError(error, false).text).not.toMatch(/\n\s+at |the reason/);
    expect(explainError(error, true).text).toMatch(/\n\s+at [\s\S]*the reason/);
  });
});

describe("the exit codes", () => {
  it("each have a meaning for the help", () => {
    expect(Object.keys(EXIT_MEANINGS).sort()).toEqual(Object.keys(EXIT).sort());
    expect(exitLines(["terminated", "ok"])[0]).toMatch(/^ {2}0 {2}done/);
  });
});

describe("words", () => {
  it("count things", () => {
    expect([count(1, "guide"), count(0, "guide"), count(2, "category"), count(12_345, "step")]).toEqual([
      "1 guide",
      "0 guides",
      "2 categories",
      "12,345 steps",
    ]);
  });

  it("show a time as on a clock", () => {
    expect([clockTime(5), clockTime(245), clockTime(3729)]).toEqual(["0:05", "4:05", "1:02:09"]);
  });

  it("are quoted for a shell where they must be", () => {
    expect(shellQuote(["guideferry", "plan", "https://a.example/api/2.0", "--include", "It's; *"])).toBe(
      "guideferry plan https://a.example/api/2.0 --include 'It'\\''s; *'",
    );
  });
});
