import { expect, test } from "vitest";
import { describeUnusedPairs } from "../../../src/commands/migration/finish.js";

const THERE = { types: new Set(["repair", "how-to"]), categories: new Set(["Looms"]) };

test("only the pairs that name nothing are told, each map by itself, and of many the first ten", () => {
  expect(describeUnusedPairs({ typeMap: { repair: "x" }, categoryMap: { Looms: "Weaving" } }, THERE)).toEqual([]);
  expect(describeUnusedPairs({ typeMap: { Repair: "x", repair: "y" }, categoryMap: {} }, THERE)).toEqual([
    '--type-map has no effect for "Repair": no guide in the workspace has this type. The types are: "how-to", "repair".',
  ]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`C${index}`, "Looms"]));
  expect(describeUnusedPairs({ typeMap: {}, categoryMap: { ...many, Looms: "Weaving" } }, THERE)).toEqual([
    expect.stringMatching(
      /^--category-map has no effect for "C0", .*"C9", 2 more: the workspace has no such category\.$/,
    ),
  ]);
});
