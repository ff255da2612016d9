import { describe, expect, it } from "vitest";
import type { Output } from "../../../src/commands/output/output.js";
import { createDifferencePrinter } from "../../../src/commands/output/print-verify.js";

/** What a person and what a program is told of so many differences. */
function told(many: number): { readonly said: readonly string[]; readonly events: number } {
  const said: string[] = [];
  let events = 0;
  const ignore = () => undefined;
  const output: Output = {
    say: (text) => said.push(text),
    event: () => {
      events += 1;
    },
    table: ignore,
    note: ignore,
    warn: ignore,
    request: ignore,
    progress: ignore,
    watch: ignore,
    fail: ignore,
    stopped: ignore,
    close: ignore,
  };
  const differences = createDifferencePrinter(output);
  for (let at = 0; at < many; at += 1) {
    differences.print({ key: "guide/1", at: "7", path: `steps[${at}].title`, expected: "a".repeat(200), actual: null });
  }
  differences.end();
  return { said, events };
}

describe("differences", () => {
  it("are told one by one, with the place, both values, and no value longer than a line or two", () => {
    expect(told(1).said).toEqual([
      `different: guide/1 (there: 7), steps[0].title\n  should be "${"a".repeat(119)}…\n  but is    null`,
    ]);
  });

  it("beyond 50 are counted for a person, and all there for a program", () => {
    const { said, events } = told(62);
    expect([said.length, said.at(-1), events]).toEqual([51, "… and 12 more differences; all of them with --json", 62]);
  });
});
