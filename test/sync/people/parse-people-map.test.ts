import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePeopleMap } from "../../../src/sync/people/target-people.js";

function read(text: string, kind: "users" | "teams" = "users") {
  return parsePeopleMap(text, "users.csv", kind).map(({ old, new: to }) => [old, to]);
}

describe("a map of people", () => {
  it.each([
    [
      "plain",
      "old,new\nann,anna\n12,45\n",
      [
        ["ann", "anna"],
        ["12", "45"],
      ],
    ],
    ["of Windows, with a mark in front", "\uFEFFold,new\r\nann,anna\r\n", [["ann", "anna"]]],
    ["with quotes and a line break in them", '"old","new"\n"ann","a""b\nc"\n', [["ann", 'a"b\nc']]],
    ["of a spreadsheet that writes semicolons", "old;new\nann;anna\n", [["ann", "anna"]]],
    ["with columns in any order, and more of them", "Name,NEW, Old \nAnn A,anna,ann\n", [["ann", "anna"]]],
    ["that drops somebody", "old,new\nann,\n", [["ann", ""]]],
    ["with empty lines and no end of line", "old,new\n\nann,anna", [["ann", "anna"]]],
    [
      "with letter case and zeros that mean nothing",
      "old,new\nAnn@X.example,Anna\n0012,45\n",
      [
        ["ann@x.example", "Anna"],
        ["12", "45"],
      ],
    ],
    ["that is empty", "old,new\n", []],
  ])("%s is read", (_what, text, expected) => expect(read(text)).toEqual(expected));

  it("of teams keeps letter case, by which teams are told apart", () => {
    expect(read("old,new\nWeavers,weavers\nweavers,Weavers\n", "teams")).toEqual([
      ["Weavers", "weavers"],
      ["weavers", "Weavers"],
    ]);
  });

  it.each([
    ["without head", "ann,anna\n", /users\.csv:1: .*one column old and one column new; it has "ann", "anna"/],
    ["that lacks a column", "old,name\nann,Ann\n", /users\.csv:1: .*one column new/],
    ["with a column twice", "old,new,new\nann,a,b\n", /users\.csv:1: .*one column new/],
    ["of no byte", "", /users\.csv:1: .*it is empty/],
    [
      "with the same person twice",
      "old,new\nann,a\nbob,b\nANN,c\n",
      /users\.csv:4: it has the same "old" as users\.csv:2\. Remove one of the two rows\n.*Correct the file/,
    ],
    ["with a row about nobody", "old,new\n,anna\n", /users\.csv:2: "old" is empty/],
    ["with a row that is too short", "old,new\nann\n", /users\.csv:2: the row has 1 columns, the header has 2/],
    ["with a row that is too long", "old,new\nann,a,b\n", /users\.csv:2: the row has 3 columns/],
    ["with a quote that is never closed", 'old,new\n"ann,a\n', /users\.csv:2: a quote/],
  ])("%s is refused with file and line", (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(/Nothing was written/);
  });

  it("names every fault at once", () => {
    expect(() => read("old,new\nann\n,b\nc,d\nC,e\n")).toThrow(/:2: .*\n.*:3: .*\n.*:5: /);
  });

  it("gives back whatever is written as CSV", () => {
    const name = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/^\d+$/.test(text));
    const names = fc.uniqueArray(
      fc.tuple(
        name,
        fc.string().map((text) => text.trim()),
      ),
      { selector: ([old]) => old },
    );
    fc.assert(
      fc.property(names, (pairs) => {
        const lines = pairs.map((pair) => pair.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","));
        expect(read(["old,new", ...lines].join("\r\n"), "teams")).toEqual(pairs);
      }),
    );
  });
});
