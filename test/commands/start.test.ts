import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url));
/** Of a value: types are gone in the program. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from "([^"]+)"|^import "([^"]+)"/gm;

/** The packages that modules of src load before their first line runs. */
function packagesOf(...modules: readonly string[]): readonly string[] {
  return loadedBy(modules)
    .filter((name) => !name.startsWith(".") && !name.startsWith("node:"))
    .toSorted();
}

/** Their packages, and paths of modules below src that begin with `./`. */
function loadedBy(modules: readonly string[]): readonly string[] {
  const packages = new Set<string>();
  const open = modules.map((module) => join(SOURCES, module));
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
  return [...packages, ...[...seen].map((file) => `./${relative(SOURCES, file).replaceAll("\\", "/")}`)];
}

/** All that a migration imports before it sends its first request. */
const MIGRATION = ["commands/migration/operations.ts", "commands/compose.ts", "storage/workspace/workspace.ts"];

it("a migration asks its first question without the packages that only its end needs", () => {
  expect(packagesOf("commands/migration/operations.ts")).toEqual(["fastest-levenshtein", "p-queue", "undici", "zod"]);
});

it("a migration asks its first question without what reads items, loads, verifies, plans and reports", () => {
  const loaded = loadedBy(MIGRATION);
  expect(loaded).toContain("./service/target/capabilities.ts");
  const later =
    /^\.\/(?:sync\/(?:extract\/(?:extract|listing|media)|load\/load|plan|verify|people)|web\/report\/(?:counts|report-page))/;
  expect(loaded.filter((name) => later.test(name))).toEqual([]);
});

it("a backup is read and restored into a folder without the parsers of texts, and without what asks a site", () => {
  // And yauzl, which is required and so not seen here.
  const packages = ["fastest-levenshtein", "zod"];
  expect(packagesOf("commands/backup/read-repository.ts")).toEqual(packages);
  expect(packagesOf("commands/backup/restore.ts", "storage/workspace/workspace.ts")).toEqual(packages);
});

it("a restore in place looks for what to restore without what loads and verifies it", () => {
  const loaded = loadedBy(["commands/backup/restore-in-place.ts"]);
  expect(loaded).toContain("./backup/in-place/run.ts");
  expect(loaded.filter((name) => /^hast-|^\.\/sync\/(?:load\/load|verify\/verify|plan\/plan)\.ts$/.test(name))).toEqual(
    [],
  );
});

it("the version is told without any package", () => {
  expect(packagesOf("cli.ts")).toEqual([]);
});
