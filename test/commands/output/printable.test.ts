import fc from "fast-check";
import { expect, it } from "vitest";
import type { Output } from "../../../src/commands/output/output.js";
import { printable } from "../../../src/commands/output/writer.js";
import { HOSTILE_TITLES } from "../../helpers/hostile-items.js";
import { EVENT, everything, printed } from "./helpers/printed.js";

it.each(HOSTILE_TITLES.map((title) => [title]))("shows nobody what a terminal would obey: %j", (title) => {
  const all = (output: Output) => {
    everything(output);
    output.say(title);
    output.warn(title);
    output.table([title], [[title]]);
  };
  const { out, error } = printed({ verbose: true }, all);
  expect(out + error).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const screen = printed(
    { verbose: true },
    (output) => {
      output.progress(EVENT);
      output.warn(`hostile ${title}`);
    },
    { terminal: true },
  );
  // A long title is on lines of its own.
  expect(screen.error.replaceAll("\n", " ")).toContain(`hostile ${printable(title)}`);
});

it("shows what it changes as JSON writes it, and leaves the joiners of words and emojis", () => {
  const words = "a\tb\nنمی\u200cخواهم 👩\u200d🚀 é 字";
  expect(printable(words)).toBe(words);
  expect(printable("\u001b[2J\u202e\r\u009b\u{e0001}")).toBe("\\u001b[2J\\u202e\\r\\u009b\\udb40\\udc01");
  const shown = fc.string({ unit: "binary" });
  const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  fc.assert(
    fc.property(shown, (text) => !unseen.test(printable(text)) && printable(printable(text)) === printable(text)),
  );
});

it("keeps the columns of a table below each other", () => {
  const { out } = printed({}, (output) =>
    output.table(
      ["title", "pages"],
      [
        ["\u001b[2JWarp", 1],
        ["Weft", 22],
      ],
    ),
  );
  expect(out.split("\n")).toEqual(["title          pages", "\\u001b[2JWarp      1", "Weft              22", ""]);
});
