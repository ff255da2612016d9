import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";

const DATA = join(import.meta.dirname, "../../../../shared/data");

/** Every string in a JSON value under a name that holds wiki text. */
function rawTexts(value: unknown, name = ""): readonly string[] {
  if (typeof value === "string") return name === "raw" || name.endsWith("_raw") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => rawTexts(part, Array.isArray(value) ? name : key));
}

function textsIn(folder: string): readonly string[] {
  const files = readdirSync(join(DATA, folder)).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => rawTexts(JSON.parse(readFileSync(join(DATA, folder, file), "utf8"))));
}

function opaqueIn(node: Node): readonly string[] {
  return node.type === "opaque" ? [node.value] : childrenOf(node).flatMap(opaqueIn);
}

describe("real texts", { tags: ["shared"] }, () => {
  const texts = existsSync(DATA) ? [...textsIn("wiki"), ...textsIn("ose/guides")] : [];

  it.each(["page", "line"] as const)("are given back byte for byte when they are read as a %s", (context) => {
    expect(texts.length).toBeGreaterThan(2000);
    expect(texts.filter((text) => print(parse(text, { context }).tree) !== text)).toEqual([]);
  });

  it("hold nothing that the parser does not know", () => {
    expect(texts.flatMap((text) => opaqueIn(parse(text, { context: "page" }).tree))).toEqual([]);
  });
});
