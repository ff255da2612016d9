import fc from "fast-check";
import { expect, it } from "vitest";
import { withProfileIn } from "../../../src/commands/tools/config-edit.js";

const PROFILE = { source: "https://a.example", exclude: ["a"] };

it.each([
  ["an empty object", "{}", '{\n  "profiles": {\n    "acme": {'],
  [
    "keys",
    '{\n\t"rate": 5,\n\t"only": ["guide"]\n}\n',
    '{\n\t"rate": 5,\n\t"only": ["guide"],\n\t"profiles": {\n\t\t"acme": {',
  ],
  ["an empty list of profiles", '{"profiles": {}, "rate": 5}', '{"profiles": {\n    "acme": {'],
  [
    "profiles",
    '{\r\n  "profiles": {\r\n    "b": { "fit": "}" }\r\n  },\r\n  "rate": 5\r\n}',
    '{\r\n  "profiles": {\r\n    "b": { "fit": "}" },\r\n    "acme": {\r\n',
  ],
])("a profile is added to %s, and the text before it stays", (_what, text, beginning) => {
  const edited = withProfileIn(text, "acme", PROFILE);
  expect(edited.slice(0, beginning.length)).toBe(beginning);
  const before = JSON.parse(text);
  expect(JSON.parse(edited)).toEqual({ ...before, profiles: { ...before.profiles, acme: PROFILE } });
});

it("any object keeps its keys and their order, however it is written", () => {
  const name = fc.string().filter((key) => key !== "acme" && !/^\d+$/.test(key) && key !== "__proto__");
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue()),
      fc.dictionary(name, fc.dictionary(name, fc.jsonValue())),
      fc.constantFrom(undefined, 0, 2, 4, "\t"),
      (top, profiles, space) => {
        const content = { ...top, profiles };
        const edited = withProfileIn(JSON.stringify(content, null, space), "acme", PROFILE);
        const expected = {
          ...JSON.parse(JSON.stringify(content)),
          profiles: { ...JSON.parse(JSON.stringify(profiles)), acme: PROFILE },
        };
        expect(JSON.stringify(JSON.parse(edited))).toBe(JSON.stringify(expected));
      },
    ),
  );
});
