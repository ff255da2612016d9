import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { MAP_OPTIONS } from "../../../src/commands/options/site-options.js";

describe("--type-map and --category-map", () => {
  const { schema } = MAP_OPTIONS.typeMap;

  it.each([
    ["a=b", { a: "b" }],
    [" Old looms = New looms , c=d", { "Old looms": "New looms", c: "d" }],
    ["a=b=c", { a: "b=c" }],
    ['{"A, b": "C=d"}', { "A, b": "C=d" }],
    [{ a: " b " }, { a: "b" }],
    [{}, {}],
  ])("%j is read", (given, expected) => expect(schema.parse(given)).toEqual(expected));

  it.each([
    ["a"],
    ["=b"],
    ["a="],
    [" = "],
    ["a=b,a=c"],
    ["a=b,c"],
    ['{"a": 1}'],
    ['{"a":'],
    ['["a"]'],
    [["a=b"]],
    [7],
    [null],
  ])("%j is refused", (given) => expect(schema.safeParse(given).success).toBe(false));

  it("keeps names that objects have by themselves", () => {
    expect(Object.entries(schema.parse("__proto__=x,constructor=y"))).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });
});

describe("--user-map", () => {
  const { schema } = MAP_OPTIONS.userMap;

  it.each([
    ["users.csv", resolve("users.csv")],
    ["/maps/users.csv", "/maps/users.csv"],
    ["none", ""],
    ["", ""],
  ])("%j is read", (given, expected) => expect(schema.parse(given)).toBe(expected));

  it.each([[" "], [7], [null]])("%j is refused", (given) => expect(schema.safeParse(given).success).toBe(false));
});
