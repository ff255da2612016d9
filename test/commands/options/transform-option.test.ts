import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { transformsSchema } from "../../../src/commands/options/site-options.js";

describe("--transform", () => {
  it.each([
    ["normalise-syntax", { name: "normalise-syntax", options: {} }],
    ["a-b:", { name: "a-b", options: {} }],
    [
      "replace-host:from=a.example, to=b.example:80",
      { name: "replace-host", options: { from: "a.example", to: "b.example:80" } },
    ],
    ["rename-category:from=Hand Looms,to=A=B", { name: "rename-category", options: { from: "Hand Looms", to: "A=B" } }],
    ['x:{"titles":{"A, b":"C: d"},"count":2}', { name: "x", options: { titles: { "A, b": "C: d" }, count: 2 } }],
    ["./mine.mjs", { name: resolve("mine.mjs"), options: {} }],
    ["/there/of.mine.js:tag=a", { name: "/there/of.mine.js", options: { tag: "a" } }],
    ["C:/mine.cjs:tag=a:b", { name: resolve("C:/mine.cjs"), options: { tag: "a:b" } }],
    [
      { name: "x", options: { a: [1] } },
      { name: "x", options: { a: [1] } },
    ],
    [{ name: "./x.mjs" }, { name: resolve("x.mjs"), options: {} }],
  ])("reads %j", (given, choice) => {
    expect(transformsSchema.parse([given])).toEqual([choice]);
  });

  it("reads one text, a list, a variable's list, and what it wrote into the run log", () => {
    const choices = [
      { name: "a", options: {} },
      { name: "b", options: { c: "d" } },
    ];
    expect(transformsSchema.parse("b:c=d")).toEqual(choices.slice(1));
    expect(transformsSchema.parse(["a", "b:c=d"])).toEqual(choices);
    expect(transformsSchema.parse('["a", {"name":"b","options":{"c":"d"}}]')).toEqual(choices);
    expect(transformsSchema.parse(JSON.parse(JSON.stringify(choices)))).toEqual(choices);
  });

  it.each([
    "",
    "replace-host=from=a",
    "Replace-Host",
    "x:from",
    "x:from=a,from=b",
    "x:{from}",
    "x:[1]",
    "[a]",
    5,
    { name: "" },
    { name: "x", option: {} },
  ])("refuses %j, and says what it expected", (given) => {
    expect(transformsSchema.safeParse([given]).error?.issues[0]?.message).toMatch(
      /^expected NAME, NAME:OPTION=VALUE.* is none/,
    );
  });
});
