import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as publicFace from "../src/index.js";
import { REPLACING, SLOWEST } from "../vitest.config.js";
import { type SourceFile, sourceFiles } from "./helpers/source-files.js";
import { folderCycles, structureOf } from "./helpers/structure.js";

const code = sourceFiles("src", "transforms");

/** From the bottom up. A file imports from its own layer's folder and from lower layers only. */
const LAYERS: readonly (readonly string[])[] = [
  ["src/core/"],
  ["transforms/"],
  ["src/service/", "src/storage/", "src/sandbox/"],
  ["src/sync/"],
  ["src/backup/", "src/documents/"],
  ["src/web/"],
  ["src/training/"],
  ["src/fleet/"],
  ["src/commands/"],
  ["src/library/"],
  ["src/index.ts", "src/cli.ts"],
];

/** The layer's number and the folder of a file. */
function placeOf(path: string): { readonly layer: number; readonly folder: string } {
  const layer = LAYERS.findIndex((folders) => folders.some((folder) => path.startsWith(folder)));
  const folder = LAYERS[layer]?.find((name) => path.startsWith(name));
  if (folder === undefined) throw new Error(`${path} lies in no layer that architecture.test.ts knows.`);
  return { layer, folder };
}

/** `a.ts imports b.ts` for each import that breaks a rule. */
function breaches(files: readonly SourceFile[], allowed: (from: string, to: string) => boolean): readonly string[] {
  return files.flatMap(({ path, imports, lazyImports }) =>
    [...imports, ...lazyImports].filter((to) => !allowed(path, to)).map((to) => `${path} imports ${to}`),
  );
}

function offenders(files: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

describe("the architecture", () => {
  it("has imports that run downward only", () => {
    const wrong = breaches(code, (from, to) => {
      const [upper, lower] = [placeOf(from), placeOf(to)];
      return lower.layer < upper.layer || lower.folder === upper.folder;
    });
    expect(wrong).toEqual([]);
  });

  it("has no import cycle, between files or between folders at any level", () => {
    expect(cycles(code)).toEqual([]);
    expect(folderCycles(code)).toEqual([]);
  });

  it("keeps its modules deep: no figure gets worse", () => {
    const now = structureOf(code);
    const worse = Object.entries(LIMITS).filter(([name, limit]) => now[name as keyof typeof LIMITS] > limit);
    expect(worse.map(([name, limit]) => `${name}: ${now[name as keyof typeof LIMITS]}, ${limit} at most`)).toEqual([]);
    expect(now.medianLines).toBeGreaterThanOrEqual(120);
  });

  it("keeps the sandbox apart from the client: no rule is shared by import", () => {
    const sandbox = code.filter(({ path }) => path.startsWith("src/sandbox/"));
    const own = /^src\/(?:sandbox\/|core\/(?:errors\.ts|util\/))/;
    expect(breaches(sandbox, (_from, to) => own.test(to))).toEqual([]);
  });

  it("keeps transforms pure: no disk, network, clock or environment", () => {
    const pure = code.filter(({ path }) => path.startsWith("transforms/"));
    expect(pure.filter(({ packages }) => packages.some((name) => IMPURE.has(name))).map(({ path }) => path)).toEqual(
      [],
    );
    expect(
      offenders(pure, /\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bfetch\(|\bMath\.random\(|\bsetTimeout\(/),
    ).toEqual([]);
  });

  it("has no file over 500 lines", () => {
    const files = [...code, ...sourceFiles("test")];
    expect(files.filter(({ text }) => lines(text) > 500).map(({ path }) => path)).toEqual([]);
  });

  it("uses no any, no non-null assertion, and silences no checker", () => {
    const files = [...code, ...sourceFiles("test")].filter(({ path }) => path !== "test/architecture.test.ts");
    expect(offenders(files, /(?::|\bas|<|\|)\s*any\b(?!\w)(?=\s*[;,)>=\]|[]|$)/m)).toEqual([]);
    expect(offenders(files, /@ts-(?:ignore|nocheck|expect-error)/)).toEqual([]);
    expect(offenders(files, /catch\s*(?:\([^)]*\))?\s*\{\s*\}/)).toEqual([]);
  });

  it("sets up no test from the top of a helper: files share their modules, so that only the first would get it", () => {
    const helpers = sourceFiles("test").filter(({ path }) => !path.endsWith(".test.ts"));
    expect(offenders(helpers, /^(?:before|after)(?:Each|All)\(/m)).toEqual([]);
  });

  it("ends the process in one place", () => {
    expect(offenders(code, /\bprocess\.exit\(/)).toEqual(["src/cli.ts"]);
    // The library for completions answers by console.log alone, which is caught there.
    expect(offenders(code, /\bconsole\./)).toEqual(["src/commands/shell-completion.ts"]);
  });

  it("shows these names to users of the library", () => {
    expect(Object.keys(publicFace).sort()).toEqual(PUBLIC);
  });
});

/** Ratchets: lower one whenever a change makes it possible. */
const LIMITS = {
  modules: 702,
  medianLines: 220,
  ninthDecileLines: 400,
  longestModule: 500,
  oneImporter: 22,
  exportsUsedOnce: 45.5,
  longestChain: 23,
  wideComments: 0,
} as const;

const IMPURE: ReadonlySet<string> = new Set(
  ["fs", "fs/promises", "http", "https", "net", "child_process", "os", "process", "timers", "timers/promises"].map(
    (name) => `node:${name}`,
  ),
);

const PUBLIC: readonly string[] = [
  "ArchiveError",
  "ConflictError",
  "ConnectionError",
  "EXIT",
  "FerryError",
  "SafetyLimitError",
  "SignInError",
  "StatusError",
  "StoppedError",
  "UsageError",
  "WorkspaceError",
  "backup",
  "configSchema",
  "convert",
  "extract",
  "importTraining",
  "itemSchema",
  "load",
  "migrate",
  "plan",
  "restore",
  "startSandbox",
  "undo",
  "verify",
];

function lines(text: string): number {
  return text.split("\n").length - 1;
}

/** Each cycle once, as a path; found by walking depth first. */
function cycles(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const finished = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push([...trail.slice(at), path].join(" > "));
    if (at >= 0 || finished.has(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of files) walk(path, []);
  return found;
}

it("names tests in vitest.config.ts that exist", () => {
  expect([...SLOWEST, ...REPLACING].filter((path) => !existsSync(path))).toEqual([]);
});
