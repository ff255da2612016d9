import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CODES } from "../../../src/storage/archive/findings.js";
import { DEFAULT_LIMITS } from "../../../src/storage/archive/limits.js";

const FILE = new URL("../../../docs/design/archive.md", import.meta.url);
const UNITS = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;

/** `8 GiB`, `20,000`, `1,024`. */
function amount(name: string, value: number): string {
  const [unit, size] = UNITS.find(
    ([, bytes]) => /Bytes|From/.test(name) && value >= 16 * 1024 && value % bytes === 0,
  ) ?? ["", 1];
  return `${(value / size).toLocaleString("en")} ${unit}`.trim();
}

const LIMIT_MEANINGS: Readonly<Record<keyof typeof DEFAULT_LIMITS, string>> = {
  archiveBytes: "bytes of the file",
  entries: "entries, with folders",
  entryBytes: "unpacked bytes of one entry",
  totalBytes: "unpacked bytes of all entries",
  ratio: "unpacked bytes divided by packed bytes",
  ratioFrom: "the ratio applies to an entry of more unpacked bytes than this",
  totalRatioFrom: "the ratio applies to an archive of more unpacked bytes than this",
  pathBytes: "bytes of a path",
  segmentBytes: "bytes of one part of a path",
  strayBytes: "bytes that belong to no entry",
  findings: "findings kept for each level",
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

const TABLES = {
  limits: table(
    ["Limit", "Of what", "Default"],
    Object.entries(DEFAULT_LIMITS).map(([name, value]) => [
      `\`${name}\``,
      LIMIT_MEANINGS[name as keyof typeof DEFAULT_LIMITS],
      amount(name, value),
    ]),
  ),
};

it.each(Object.entries(TABLES))("the page has the table of %s as the code has it", (name, expected) => {
  const [, found] =
    new RegExp(`<!-- ${name} -->\\n\\n([\\s\\S]*?)\\n\\n<!-- end -->`).exec(readFileSync(FILE, "utf8")) ?? [];
  expect(found).toBe(expected);
});

it("each code says whether it refuses, and is one that the others don't begin with", () => {
  for (const code of Object.keys(CODES)) expect(code).toMatch(/^(?:E_NOT_ZIP|[EW]_ZIP_[A-Z0-9_]+)$/);
});
