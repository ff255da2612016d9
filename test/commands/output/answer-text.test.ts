import { expect, it } from "vitest";
import { answerText } from "../../../src/commands/tools/api.js";

const json = { text: '{"a":"\u0085\u202e"}', json: { a: "" }, headers: { "content-type": "application/json" } };

it("leaves a body as it came where no terminal shows it", () => {
  expect(answerText(json, false, false)).toBe(json.text);
  expect(answerText(json, true, false)).toBe('{\n  "a": "\u0085\u202e"\n}\n');
});

it("shows a terminal nothing that it would obey, and ends the line", () => {
  expect(answerText(json, false, true)).toBe('{"a":"\\u0085\\u202e"}\n');
  const page = { text: "a\tb\u001b[2J", json: undefined, headers: { "content-type": "text/html" } };
  expect(answerText(page, true, true)).toBe("a\tb\\u001b[2J\n");
});

it("is nothing for what is no text, and empty for an empty body", () => {
  const of = (text: string, type: string) =>
    answerText({ text, json: undefined, headers: { "content-type": type } }, true, true);
  expect([of("PNG", "image/png"), of("a\0b", "text/plain"), of("", "image/png")]).toEqual([undefined, undefined, ""]);
});
