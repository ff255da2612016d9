import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonCursor } from "../../../src/service/wire/json-cursor.js";
import { collecting, readWithIssues } from "./read-with-issues.js";

test("a wrong type names the endpoint and the path, and a default stands in", () => {
  const { value, issues } = readWithIssues({ steps: [{}, { lines: [{ text_raw: ["x"] }] }] }, (answer) =>
    answer.at("steps").items()[1]?.at("lines").items()[0]?.at("text_raw").text(),
  );
  expect(value).toBe("");
  expect(issues).toEqual([
    {
      code: "wrong-type",
      level: "loss",
      key: "guide/12",
      path: "steps[1].lines[0].text_raw",
      message: "GET guide/12: steps[1].lines[0].text_raw is a list instead of text; it is read as absent.",
    },
  ]);
});

test("what the service puts in place of nothing reads as nothing, without an issue", () => {
  const nothings = [undefined, null, [], {}, false, ""];
  for (const nothing of nothings) {
    const { value, issues } = readWithIssues({ field: nothing }, (answer) => {
      const place = answer.at("field");
      return [place.text(), place.textOrNull() || null, place.number(), place.items(), place.object()?.fields() ?? []];
    });
    expect(value).toEqual(["", null, null, [], []]);
    expect(issues).toEqual([]);
  }
});

test("digits in a text are taken as a number, and a number as a text, each with a note", () => {
  const { value, issues } = readWithIssues({ a: "12", b: 12 }, (answer) => [
    answer.at("a").number(),
    answer.at("b").text(),
  ]);
  expect(value).toEqual([12, "12"]);
  expect(issues.map(({ level, path }) => [level, path])).toEqual([
    ["note", "a"],
    ["note", "b"],
  ]);
});

test("0 and 1 are truth values, other numbers are not", () => {
  const { value, issues } = readWithIssues({ a: 1, b: 0, c: 2 }, (answer) =>
    ["a", "b", "c"].map((name) => answer.at(name).flag()),
  );
  expect(value).toEqual([true, false, null]);
  expect(issues.map(({ path }) => path)).toEqual(["c"]);
});

test("an answer that is no object at all is one issue", () => {
  const { value, issues } = readWithIssues("sorry", (answer) => answer.at("title").text());
  expect(value).toBe("");
  expect(issues.map(({ message }) => message)).toEqual([
    "GET guide/12: the answer is text instead of an object; all of it is read as absent.",
  ]);
});

test("no value whatever makes a reader throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const { reading } = collecting();
      const place = new JsonCursor(json, reading);
      place.text();
      place.number();
      place.integer();
      place.flag();
      place.texts();
      place.object();
      place.fields();
    }),
  );
});
