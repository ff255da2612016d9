import { describe, expect, it } from "vitest";
import { createDifferencePrinter } from "../../../src/commands/output/describe.js";
import type { Output } from "../../../src/commands/output/output.js";

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
      `different: guide/1 (on the target: 7), steps[0].title\n  should be "${"a".repeat(119)}…\n  but is    null`,
    ]);
  });

  it("are shown around the place where both sides part, however far that is", () => {
    const said: string[] = [];
    const output = { say: (text: string) => said.push(text), event: () => undefined } as unknown as Output;
    const text = "A long introduction. ".repeat(30);
    const [expected, actual] = [`${text}the red wire and more, ${text}`, `${text}the blue wire and more, ${text}`];
    createDifferencePrinter(output).print({ key: "guide/1", at: "7", path: "introduction", expected, actual });
    const [, wanted = "", got = ""] = said.join("\n").split("\n");
    expect(wanted).toMatch(/^ {2}should be ….{30,}the red wire and more, A long.*…$/);
    expect(got).toMatch(/^ {2}but is {4}….{30,}the blue wire and more, A long.*…$/);
    expect(wanted.length).toBeLessThan(140);
  });

  it("are counted apart from notes, which a person is shown ten of", () => {
    const said: string[] = [];
    const events: string[] = [];
    const output = { say: (text: string) => said.push(text), event: (type: string) => events.push(type) };
    const printer = createDifferencePrinter(output as unknown as Output);
    const note = { key: "guide/1", at: "7", path: "introduction.rendered", expected: "a", actual: "b" } as const;
    for (let at = 0; at < 12; at += 1) printer.printNote(note);
    printer.end();
    expect(said[0]).toBe('note: guide/1 (on the target: 7), introduction.rendered\n  should be "a"\n  but is    "b"');
    expect([said.length, said.at(-1), new Set(events)]).toEqual([
      11,
      "… and 2 more notes; --json prints all",
      new Set(["note"]),
    ]);
  });

  it("beyond 50 are counted for a person, and all there for a program", () => {
    const { said, events } = told(62);
    expect([said.length, said.at(-1), events]).toEqual([51, "… and 12 more differences; --json prints all", 62]);
  });
});
