import { describe, expect, it } from "vitest";
import { EXIT_MEANINGS, exitCodeOf, exitRows, explainError, meaningOf } from "../../../src/commands/exit-codes.js";
import { clockTime, count, shellQuote } from "../../../src/commands/output/words.js";
import { EXIT, SafetyLimitError, StatusError, UsageError } from "../../../src/core/errors.js";

describe("the words for an error", () => {
  it("are its message, and its exit code, when guideferry made it", () => {
    expect(explainError(new UsageError("Wrong."), false)).toEqual({
      text: "Wrong.",
      trace: null,
      exitCode: EXIT.usage,
    });
    expect(explainError(new SafetyLimitError("Too many."), false).exitCode).toBe(EXIT.safetyLimit);
  });

  it("ask for a report, with exit code 1, when nobody foresaw it", () => {
    const { text, exitCode } = explainError(new TypeError("x is not a function"), false);
    expect(text).toMatch(
      /^Unexpected failure: x is not a function\n.*report it with the output of the same command with --debug/,
    );
    expect(exitCode).toBe(EXIT.unexpected);
    expect(explainError("thrown text", false).exitCode).toBe(EXIT.unexpected);
  });

  it("hold a stack trace, with its causes, only with --debug", () => {
    const error = new UsageError("Wrong.", { cause: new Error("the reason") });
    expect(explainError(error, false)).toMatchObject({ text: "Wrong.", trace: null });
    expect(explainError(error, true).trace).toMatch(/\n\s+at [\s\S]*the reason/);
  });

  it("that would be one item's fault say that the run was stopped, or that the site is down, when it ends the run", () => {
    const codes = [403, 404, 429, 502].map((status) => exitCodeOf(new StatusError("Answered.", { status })));
    expect(codes).toEqual([EXIT.stopped, EXIT.stopped, EXIT.unreachable, EXIT.unreachable]);
    expect(exitCodeOf(new StatusError("Answered.", { status: 401 }))).toBe(EXIT.signInRefused);
  });
});

describe("the exit codes", () => {
  it("each have a meaning for the help", () => {
    expect(Object.keys(EXIT_MEANINGS).sort()).toEqual(Object.keys(EXIT).sort());
    expect(exitRows({ exits: ["losses"] }).map(([code]) => code)).toEqual([0, 1, 2, 12, 129, 130, 143]);
    expect(exitRows({ exits: [], done: "listed" })[0]).toEqual([0, "listed"]);
    expect([meaningOf(11), meaningOf(99)]).toEqual(["another run uses the workspace or the repository", "unknown"]);
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
