import { describe, expect, test } from "vitest";
import {
  type Candidate,
  EVERYTHING,
  isChosen,
  pathsOf,
  type Selection,
  takesEverything,
} from "../../src/sync/selection.js";

const PARENTS = new Map([
  ["Crafts", null],
  ["Looms", "Crafts"],
  ["Hand Looms", "Looms"],
  ["Yarn", null],
]);
const path = pathsOf(PARENTS);

function chosen(selection: Partial<Selection>, candidates: readonly Candidate[] = SITE): readonly string[] {
  return candidates.filter((one) => isChosen({ ...EVERYTHING, ...selection }, one, path)).map(({ key }) => key);
}

const row = (key: Candidate["key"], category: string | null = null, modified: number | null = null) => ({
  key,
  category,
  modified,
});

const SITE: readonly Candidate[] = [
  row("category/Crafts", null),
  row("category/Looms", "Crafts"),
  row("category/Hand Looms", "Looms"),
  row("category/Yarn", null),
  row("wiki/ITEM/Shuttle", null, 50),
  row("wiki/INFO/About", null, 100),
  row("guide/1", "Looms", 100),
  row("guide/12", "Hand Looms", 200),
  row("guide/120", "Yarn", 300),
  row("image/5"),
];

describe("without a choice", () => {
  test("everything is taken", () => {
    expect(takesEverything(EVERYTHING)).toBe(true);
    expect(chosen({})).toEqual(SITE.map(({ key }) => key));
  });
});

describe("a glob over keys", () => {
  test.each([
    ["guide/12*", ["guide/12", "guide/120"]],
    ["guide/12", ["guide/12"]],
    ["guide/1?", ["guide/12"]],
    ["wiki/ITEM/*", ["wiki/ITEM/Shuttle"]],
    ["wiki/*", []],
    ["wiki/**", ["wiki/ITEM/Shuttle", "wiki/INFO/About"]],
    ["image/*", ["image/5"]],
  ])("%s", (glob, keys) => expect(chosen({ include: [glob] })).toEqual(keys));
});

describe("a glob over categories", () => {
  test.each([
    ["category:Crafts/Looms", ["category/Looms", "guide/1"]],
    ["category:Crafts/Looms/**", ["category/Looms", "category/Hand Looms", "guide/1", "guide/12"]],
    ["category:**/Hand*", ["category/Hand Looms", "guide/12"]],
    ["Yarn*", ["category/Yarn", "guide/120"]],
    ["category:*", ["category/Crafts", "category/Yarn", "guide/120"]],
    ["category:looms", []],
    ["category:**/Yarn", ["category/Yarn", "guide/120"]],
    ["category:**/Looms/**", ["category/Looms", "category/Hand Looms", "guide/1", "guide/12"]],
  ])("%s", (glob, keys) => expect(chosen({ include: [glob] })).toEqual(keys));

  test("characters of other pattern languages are only characters", () => {
    const odd = row('category/A+ (old) [x] "12" .$^|\\');
    expect(chosen({ include: ['category/A+ (old) [x] "12" .$^|\\'] }, [odd])).toEqual([odd.key]);
  });
});

test("exclude goes before include", () => {
  expect(chosen({ include: ["guide/*"], exclude: ["category:Yarn", "guide/1"] })).toEqual(["guide/12"]);
});

test("only takes kinds", () => {
  expect(chosen({ only: new Set(["wiki", "image"]) })).toEqual(["wiki/ITEM/Shuttle", "wiki/INFO/About", "image/5"]);
});

test("since is inclusive, takes what has no date, but media only where a glob names them", () => {
  expect(chosen({ since: 200, only: new Set(["guide", "image", "category"]) })).toEqual([
    "category/Crafts",
    "category/Looms",
    "category/Hand Looms",
    "category/Yarn",
    "guide/12",
    "guide/120",
  ]);
});

test("a tree that turns back on itself has paths that end", () => {
  const circle = pathsOf(
    new Map([
      ["A", "B"],
      ["B", "A"],
    ]),
  );
  expect(circle("A")).toEqual(["B", "A"]);
  expect(pathsOf(new Map())("Unknown")).toEqual(["Unknown"]);
});
