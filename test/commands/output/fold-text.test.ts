import fc from "fast-check";
import { expect, it } from "vitest";
import { foldText } from "../../../src/commands/output/writer.js";

it("breaks lines between words, with the indentation of the first, and leaves commands whole", () => {
  const command = "guideferry retry 'a b' --user-map users.csv";
  expect(foldText(`  one two three four: ${command}`, 14).split("\n")).toEqual([
    "  one two",
    "  three four:",
    `  ${command}`,
  ]);
  expect(foldText("Run `guideferry undo w` again now.", 14).split("\n")).toEqual([
    "Run",
    "`guideferry undo w`",
    "again now.",
  ]);
  expect(foldText("short\na longer line", 8, 7)).toBe("short\na longer\nline");
});

it("loses no word and makes no line longer than it has to be", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 5, max: 60 }), (words, width) => {
      const lines = foldText(words.join(" "), width).split("\n");
      expect(lines.join(" ")).toBe(words.join(" "));
      for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true);
    }),
  );
});
