import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";
import type { Tree } from "../../../transforms/wiki/tree.js";

const README = readFileSync(join(import.meta.dirname, "../../../transforms/wiki/README.md"), "utf8");

/** How a sample stands where its row says. */
const PLACES: Readonly<Record<string, (sample: string) => { readonly text: string; readonly context: Tree["type"] }>> =
  {
    anywhere: (text) => ({ text, context: "page" }),
    "after text": (sample) => ({ text: `text ${sample}`, context: "page" }),
    "without a partner": (text) => ({ text, context: "page" }),
    "in a quote": (sample) => ({ text: `[quote]\n${sample}\n[/quote]`, context: "page" }),
    "in a step line": (text) => ({ text, context: "line" }),
  };

const [, table = ""] = /### What stays opaque[^|]*((?:\|.*\n)+)/.exec(README) ?? [];
const rows = table
  .split("\n")
  .slice(2, -1)
  .flatMap((row) => {
    const [, samples = "", place = "", code = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return Array.from(samples.matchAll(/`([^`]+)`/g), ([, sample = ""]) => [
      place,
      sample.replaceAll("\\|", "|"),
      code.replaceAll("`", ""),
    ]);
  });

function opaqueIn(node: Node): readonly string[] {
  return node.type === "opaque" ? [node.value] : childrenOf(node).flatMap(opaqueIn);
}

describe("the table of what stays opaque", () => {
  it("has rows", () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)("says what becomes %s of %j: %s", (place, sample, code) => {
    const given = PLACES[place]?.(sample);
    if (given === undefined) throw new Error(`The table names an unknown place: ${place}`);
    const { tree, issues } =
      given.context === "line" ? parse(given.text, { context: "line" }) : parse(given.text, { context: "page" });
    expect(opaqueIn(tree)).toContain(sample);
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(print(tree)).toBe(given.text);
  });
});
