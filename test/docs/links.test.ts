import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { deadLinks } from "../helpers/markdown-links.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = execFileSync(
  "find",
  [
    ".",
    "-name",
    "node_modules",
    "-prune",
    "-o",
    "-name",
    "dist",
    "-prune",
    "-o",
    "-name",
    "lib",
    "-prune",
    "-o",
    "-name",
    "*.md",
    "-print",
  ],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("./samples/texts/"))
  .map((path) => path.slice(2));

it("finds the pages", () => {
  expect(PAGES).toContain("README.md");
  expect(PAGES.length).toBeGreaterThan(40);
});

it.each(PAGES)("every link and picture of %s leads somewhere", (name) => {
  expect(deadLinks(ROOT, name)).toEqual([]);
});

/** Of the examples in CONTRIBUTING.md, and a word that stands for any. */
const NO_MODULES = /titles\.ts|prefix-titles\.ts|GROUP\.ts/;

it.each(PAGES)("every module that %s names exists", (name) => {
  const page = readFileSync(join(ROOT, name), "utf8");
  const paths = [...page.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.tsx?)`/g)].map(([, path = ""]) => path);
  const places = [dirname(name), ".", "src", "transforms"];
  const missing = paths.filter(
    (path) => !NO_MODULES.test(path) && !places.some((place) => existsSync(join(ROOT, place, path))),
  );
  expect(missing).toEqual([]);
});

it.each(PAGES)("every row of a table of %s has as many cells as its header", (name) => {
  expect(brokenRows(readFileSync(join(ROOT, name), "utf8"))).toEqual([]);
});

it("finds a row with too many or too few cells", () => {
  const table = "| a | b |\n|---|---|\n| `x\\|y` | 2 |\n| 1 | 2 | 3 |\n| 1 |\n\n| 1 |\n";
  expect(brokenRows(table)).toEqual(["| 1 | 2 | 3 |", "| 1 |"]);
});

function brokenRows(page: string): readonly string[] {
  const broken: string[] = [];
  let cells = 0;
  for (const line of page.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "").split("\n")) {
    const row = line.trim();
    if (!/^\|.*\|$/.test(row)) {
      cells = 0;
      continue;
    }
    const count = row.replaceAll("\\|", "").split("|").length;
    if (cells === 0) cells = count;
    if (count !== cells) broken.push(row);
  }
  return broken;
}
