import { expect, it } from "vitest";
import { FIT_RULES } from "../../transforms/fit/fit.js";
import { CODE_AREAS } from "../helpers/issue-code-tables.js";
import { sourceFiles } from "../helpers/source-files.js";

const SOURCES = sourceFiles("src", "transforms").filter(({ path }) => !/^src\/core\/model\/.*-codes\.ts$/.test(path));
const ROWS = Object.entries(CODE_AREAS).flatMap(([area, { codes }]) =>
  Object.entries(codes).map(([code, [levels, meaning, remedy]]) => ({ area, code, levels, meaning, remedy })),
);

/** `code: "x", level: "y"` and `report("x", "y"`, at most a path between both. */
const REPORTED =
  /(?:\bcode: (?<code>"[a-z0-9-]+")(?: as const)?,(?:\s*key,)?(?:\s*path: (?:"[^"]*"|`[^`]*`|\w+),)?\s*level: |(?:\b(?:report|tell)|\)|Here)\(\s*(?:[\w.]+(?:\([^()]*\))?,\s*)?(?<told>"[a-z0-9-]+"),\s*)"(?<level>note|loss|error)"/g;

it("has no code that nothing reports", () => {
  const texts = SOURCES.map(({ text }) => text).join("\n");
  const built = /^(?:category-(?:parts|tools)|element-(?:too-deep|unknown)|(?:author|viewer)-dropped)$/;
  const unused = ROWS.filter(
    ({ code, area }) =>
      area !== "wiki" && !built.test(code) && !texts.includes(`"${code}"`) && !texts.includes(`\n  ${code}: {`),
  );
  expect(unused.map(({ code }) => code)).toEqual([]);
});

it("has each code at the levels at which it is reported", () => {
  const levelsOf = (code: string) => ROWS.filter((row) => row.code === code).map(({ levels }) => levels as string);
  const reported = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(REPORTED)].map(({ groups = {} }) => {
      const code = (groups["code"] ?? groups["told"] ?? "").slice(1, -1);
      return { path, code, level: groups["level"] ?? "" };
    }),
  );
  expect(reported.length).toBeGreaterThan(200);
  const fit = new Set<string>(FIT_RULES.map(({ code }) => code));
  const wrong = reported.filter(
    ({ code, level }) => !fit.has(code) && !levelsOf(code).some((levels) => levels.includes(level)),
  );
  expect(wrong).toEqual([]);
});

it("says what each code means in whole sentences", () => {
  const texts = ROWS.flatMap(({ meaning, remedy = "Nothing." }) => [meaning, remedy]);
  expect(texts.filter((text) => !/^(?:[A-Z]|oManual|guideferry).*\.$/.test(text))).toEqual([]);
});
