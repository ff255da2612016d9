import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createOutput } from "../../../src/commands/output/output.js";
import { createWriter } from "../../../src/commands/output/writer.js";
import { printIssues } from "../../../src/commands/tools/convert.js";
import type { ConvertIssue } from "../../../transforms/convert/formats.js";

const OPTIONS = { json: false, quiet: false, verbose: false, progress: false, dated: false };
const SOURCE = { name: "a.md", source: "x\n".repeat(200) };

/** Lines that are printed about issues, all of them on stderr as convert has it. */
function printed(issues: readonly ConvertIssue[], options: Partial<typeof OPTIONS> = {}): readonly string[] {
  const parts: string[] = [];
  const stream = new Writable({
    write: (part, _, done) => {
      parts.push(String(part));
      done();
    },
  });
  const writer = createWriter(stream, (text) => text, {});
  const output = createOutput({ ...OPTIONS, ...options }, writer, writer);
  printIssues(issues, SOURCE, output, { ...OPTIONS, ...options });
  output.close();
  return parts
    .join("")
    .split("\n")
    .filter((line) => line !== "");
}

function many(level: ConvertIssue["level"], number: number): readonly ConvertIssue[] {
  const at = (start: number): ConvertIssue => ({ code: "table", level, message: "m", start, end: start + 1 });
  return Array.from({ length: number }, (_, line) => at(2 * line));
}

describe("the issues of a text", () => {
  it("are told with their places", () => {
    expect(printed([...many("note", 1), ...many("loss", 2)])).toEqual([
      "a.md:1:1: m (note table)",
      "warning: a.md:1:1: m (loss table)",
      "warning: a.md:2:1: m (loss table)",
    ]);
    expect(printed(many("note", 1), { quiet: true })).toEqual([]);
  });

  it("are told to a person up to fifty notes and fifty warnings, and the others by their number", () => {
    const lines = printed([...many("note", 120), ...many("loss", 51), ...many("error", 1)]);
    expect(lines.filter((line) => line.endsWith("(note table)"))).toHaveLength(50);
    expect(lines.filter((line) => line.endsWith("(loss table)"))).toHaveLength(50);
    expect(lines.slice(-2)).toEqual([
      "warning: 2 further warnings about a.md: --json prints all.",
      "70 further notes about a.md: --json prints all.",
    ]);
    expect(printed(many("loss", 50))).toHaveLength(50);
  });

  it("are all told to a program", () => {
    expect(printed([...many("note", 120), ...many("loss", 51)], { json: true })).toHaveLength(171);
    expect(printed([...many("note", 120), ...many("loss", 51)], { json: true, quiet: true })).toHaveLength(51);
  });
});
