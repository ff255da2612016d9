import fc from "fast-check";
import { expect, test } from "vitest";
import { wordDiff } from "../../../src/web/components/two-columns.js";
import "../../helpers/seed.js";

const shown = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ what, text }) => (what === "same" ? text : what === "removed" ? `[-${text}-]` : `[+${text}+]`))
    .join("");

test.each([
  ["The quick fox.", "The slow fox.", "The [-quick-][+slow+] fox."],
  ["", "New.", "[+New.+]"],
  ["Old.", "", "[-Old.-]"],
  ["One.\nTwo.", "One.\nTwo.\nThree.", "One.\nTwo.[+\nThree.+]"],
])("%j to %j", (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

test("a long stretch that stays is cut short next to a change, and told", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`);
  const after = [...lines.slice(0, 20), "New.", ...lines.slice(20)].join("\n");
  const text = shown(lines.join("\n"), after);
  expect(text).toMatch(/^… \d+ unchanged lines …\nLine 18\./);
  expect(text).toContain("[+New.\n+]");
  expect(text).toMatch(/… \d+ unchanged lines …$/);
});

test("a change behind a long text is found, and one of a long line", () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `Line ${at} of many.`).join("\n");
  expect(shown(`${lines}\nTorque is 15 Nm.`, `${lines}\nTorque is 45 Nm.`)).toMatch(
    /^… \d+(?:,\d+)* unchanged lines …\n[\s\S]{0,100}Torque is \[-15-\]\[\+45\+\] Nm\.$/,
  );
  const line = "word ".repeat(50_000);
  expect(shown(`${line}15`, `${line}45`)).toContain("[-15-][+45+]");
  expect(shown(`a${lines}`, `a${lines}`)).toBe(`a${lines}`);
});

const texts = fc.string({ maxLength: 40, unit: fc.constantFrom("a", "b", " ", "\n", ".", "é") });

test("what goes and what stays is the text before, what comes and what stays the text after", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const parts = wordDiff(before, after);
      if (parts.some(({ text }) => text.includes("as before"))) return;
      const of = (...kinds: readonly string[]): string =>
        parts
          .filter(({ what }) => kinds.includes(what))
          .map(({ text }) => text)
          .join("");
      expect(of("same", "removed")).toBe(before);
      expect(of("same", "added")).toBe(after);
    }),
  );
});
