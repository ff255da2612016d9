import { expect, test } from "vitest";
import { fieldDifferences } from "../../../src/service/target/existing.js";

test("the fields that would change are told in the model's words, and what is not spoken of is left out", () => {
  const before = { title: "Warp", introduction: "Old.", objectid: 7, documents: [1], summary: "Stays." };
  const after = { title: "Warp ", introduction: "New.", objectid: null, documents: [1, 2], difficulty: undefined };
  expect(fieldDifferences(before, after)).toEqual([
    { path: "introduction", before: "Old.", after: "New." },
    { path: "introductionVideo", before: "video 7", after: null },
    { path: "documents", before: "document 1", after: "document 1\ndocument 2" },
  ]);
});

test("where nothing stands all that is said is new", () => {
  expect(fieldDifferences(undefined, { title: "Warp", time_required_min: 60 })).toEqual([
    { path: "title", before: null, after: "Warp" },
    { path: "timeRequired", before: null, after: "1 min" },
  ]);
});
