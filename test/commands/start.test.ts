import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));
/** Of a value: types are gone in the program. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from "([^"]+)"|^import "([^"]+)"/gm;

/** The packages that a module of src loads before its first line runs. */
function packagesOf(module: string): readonly string[] {
  const packages = new Set<string>();
  const open = [join(SOURCES, module)];
  const seen = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const [, from, alone] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const name = from ?? alone ?? "";
      if (!name.startsWith(".")) packages.add(name);
      const path = resolve(dirname(file), name.replace(/\.js$/, ".ts"));
      if (!name.startsWith(".") || seen.has(path) || relative(SOURCES, path) === "") continue;
      seen.add(path);
      open.push(path);
    }
  }
  return [...packages].filter((name) => !name.startsWith("node:")).toSorted();
}

it("a migration asks its first question without the packages that only its end needs", () => {
  expect(packagesOf("commands/migration/operations.ts")).toEqual(["fastest-levenshtein", "p-queue", "undici", "zod"]);
});

it("the version is told without any package", () => {
  expect(packagesOf("cli.ts")).toEqual([]);
});
