import { expect, test } from "vitest";
import { readBullet } from "../../../src/service/wire/guide.js";
import { readWithIssues } from "./read-with-issues.js";

const style = (fields: object) => ({
  bullet_styleid: 40,
  bullet_style: { bullet_styleid: 40, label: null, type: "dot", ...fields },
});

test.each([
  ["a named bullet of every site", { bullet: "light_blue", bullet_styleid: 6 }, "light_blue", null],
  ["a named bullet without style", { bullet: "icon_note" }, "icon_note", null],
  ["a colour near red", { bullet: "custom", ...style({ bullet_color: "#d03010" }) }, "red", { id: 40, label: null }],
  ["a colour near violet", { bullet: null, ...style({ bullet_color: "#9933cc" }) }, "violet", { id: 40, label: null }],
  [
    "the word caution in the type",
    { bullet: "x", ...style({ type: "caution" }) },
    "icon_caution",
    { id: 40, label: null },
  ],
  [
    "the word in the label",
    { bullet: "x", ...style({ type: "char", label: "Reminder" }) },
    "icon_reminder",
    { id: 40, label: "Reminder" },
  ],
  [
    "a sign without a word",
    { bullet: "x", ...style({ type: "char", label: "Quality" }) },
    "icon_note",
    { id: 40, label: "Quality" },
  ],
  ["no colour at all", { bullet: "blue", ...style({ bullet_color: null }) }, "blue", { id: 40, label: null }],
])("%s is read as the nearest named bullet", (_what, line, bullet, bulletStyle) => {
  const { value, issues } = readWithIssues(line, readBullet);
  expect({ value, issues }).toEqual({ value: { bullet, bulletStyle }, issues: [] });
});

test("a bullet that nobody knows is black, with a note", () => {
  const { value, issues } = readWithIssues({ bullet: "sparkle" }, readBullet);
  expect(value).toEqual({ bullet: "black", bulletStyle: null });
  expect(issues).toMatchObject([{ code: "unknown-bullet", level: "note", path: "bullet" }]);
});
