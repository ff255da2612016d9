import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PROFILE_CHANGES, PROFILES } from "../../../transforms/training/profile.js";
import { TRAINING_CODES } from "../../../transforms/training/training-codes.js";

const FILE = new URL("../../../transforms/training/README.md", import.meta.url);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

const CHANGED = [...new Set(PROFILES.flatMap((profile) => Object.keys(PROFILE_CHANGES[profile])))];

const TABLES = {
  codes: table(
    ["Code", "Meaning", "What to change"],
    Object.entries(TRAINING_CODES).map(([code, { meaning, remedy }]) => [`\`${code}\``, meaning, remedy]),
  ),
  profiles: table(
    ["Code", ...PROFILES],
    CHANGED.map((code) => [`\`${code}\``, ...PROFILES.map((profile) => PROFILE_CHANGES[profile][code] ?? "warning")]),
  ),
};

it.each(Object.entries(TABLES))("the README has the table of %s as the code has it", (name, expected) => {
  const [, found] =
    new RegExp(`<!-- ${name} -->\\n\\n([\\s\\S]*?)\\n\\n<!-- end -->`).exec(readFileSync(FILE, "utf8")) ?? [];
  expect(found).toBe(expected);
});

it("each code says by its first letter whether it refuses, and its remedy is one sentence", () => {
  for (const [code, { level, remedy, meaning }] of Object.entries(TRAINING_CODES)) {
    expect(code).toMatch(/^[EW]_(?:PKG|XML|MAN|CMI5|TINCAN|AICC)_[A-Z0-9_]+$/);
    expect(level).toBe(code.startsWith("E_") ? "error" : "warning");
    expect(remedy).toMatch(/^[A-Z][^\n]*\.$/);
    expect(meaning).not.toMatch(/\.$/);
  }
});
