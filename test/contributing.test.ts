import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as Commands from "../src/commands/commands.js";
import type * as Run from "../src/commands/run.js";
import { startSandbox } from "../src/sandbox/index.js";
import { fillWorkspace } from "./helpers/fill-workspace.js";
import { referenceTables, withTables } from "./helpers/reference-tables.js";
import { type RunHere, runHere } from "./helpers/run-here.js";
import { removeFolder } from "./helpers/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GUIDE = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
const run = promisify(execFile);

/** The sources and the built program of a copy that has what CONTRIBUTING.md adds. */
let copy = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "guideferry-test-"));
  for (const name of ["src", "transforms", "dist", "package.json", "tsconfig.json", "tsconfig.build.json"])
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith("tsbuildinfo") });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await addCommand();
  await addOperation();
  await addTransform();
  await compile();
});
afterAll(() => removeFolder(copy));

/** The blocks of code of a section, without the indentation of lists, and the paths that it names. */
function section(heading: string): { readonly blocks: readonly string[]; readonly paths: readonly string[] } {
  const [, text = ""] = new RegExp(`\n## ${heading}\n([\\s\\S]*?)(?=\n## |$)`).exec(GUIDE) ?? [];
  const blocks = [...text.matchAll(/^( *)```ts\n([\s\S]*?)^\1```$/gm)].map(([, indent = "", block = ""]) =>
    block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
  return { blocks, paths: [...text.matchAll(/`((?:src|transforms)\/[\w/-]+\.ts)`/g)].map(([, path = ""]) => path) };
}

async function addCommand(): Promise<void> {
  const { blocks, paths } = section("Add a command");
  const [module = "", line = ""] = blocks;
  await writeFile(join(copy, pathOf(paths, /titles/)), module);
  await change("src/commands/commands.ts", /\n {2}retry:/, (found) => `\n${line.trimEnd()}${found}`);
}

/** The modules that an operation takes; in each, what CONTRIBUTING.md adds stands before or behind a place. */
const OPERATION = [
  "src/core/model/call.ts",
  "src/service/target/tags-and-viewers.ts",
  "src/service/target/operations.ts",
  "src/service/target/plan.ts",
] as const;

async function addOperation(): Promise<void> {
  const { blocks, paths } = section("Add a write operation");
  expect(paths).toEqual(OPERATION);
  const [row = "", handler = "", entry = "", planned = ""] = blocks;
  await change(OPERATION[0], /\n {2}"remove-tag": row/, (found) => `\n${row.trimEnd()}${found}`);
  await change(OPERATION[1], /\n*$/, () => `\n\n${handler}`);
  await change(OPERATION[2], /\n {2}"remove-tag":/, (found) => `\n${entry.trimEnd()}${found}`);
  await change(OPERATION[2], /addTag, /, (found) => `${found}markOrigin, `);
  await change(
    OPERATION[3],
    /\n {4}\.\.\.planTags\(item\.key, label, guide/,
    (found) => `\n${planned.trimEnd()}${found}`,
  );
}

async function addTransform(): Promise<void> {
  const { blocks, paths } = section("Add a transform");
  await writeFile(join(copy, pathOf(paths, /prefix-titles/)), blocks[0] ?? "");
  await change("transforms/index.ts", /\n {2}replaceHost,/, (found) => `\n  prefixTitles,${found}`);
  await change("transforms/index.ts", /^/, () => 'import { prefixTitles } from "./steps/prefix-titles.js";\n');
}

function pathOf(paths: readonly string[], pattern: RegExp): string {
  const path = paths.find((one) => pattern.test(one));
  if (path === undefined) throw new Error(`CONTRIBUTING.md names no module ${pattern}.`);
  return path;
}

async function change(path: string, place: RegExp, to: (found: string) => string): Promise<void> {
  const text = await readFile(join(copy, path), "utf8");
  if (!place.test(text)) throw new Error(`${path} has no ${place}.`);
  await writeFile(join(copy, path), text.replace(place, to));
}

/** Checks the types of the new modules, and builds them and the two tables. */
async function compile(): Promise<void> {
  const added = ["src/commands/workspace/titles.ts", "transforms/steps/prefix-titles.ts", ...OPERATION];
  const once = { incremental: false, tsBuildInfoFile: null, declaration: false };
  await tsc({ ...once, noEmit: true }, added);
  await tsc({ ...once, noCheck: true, noResolve: true }, [...added, "src/commands/commands.ts", "transforms/index.ts"]);
}

async function tsc(compilerOptions: object, files: readonly string[]): Promise<void> {
  const project = join(copy, "tsconfig.added.json");
  await writeFile(project, JSON.stringify({ extends: "./tsconfig.build.json", compilerOptions, include: [], files }));
  const program = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
  try {
    await run(process.execPath, [program, "-p", project]);
  } catch (error) {
    throw new Error(`The modules of CONTRIBUTING.md do not compile:\n${(error as { stdout?: string }).stdout}`);
  }
}

/** Runs a command line with the program of the copy, in this process. */
async function runCopy(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<RunHere> {
  const { run: program }: typeof Run = await import(pathToFileURL(join(copy, "dist/src/commands/run.js")).href);
  return runHere(words, { environment, directory: copy, program });
}

async function cli(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCopy(words);
  expect([words, code], stderr).toEqual([words, 0]);
  return stdout;
}

it("a command takes its module and its line: help and completion know it", async () => {
  expect(await cli("--help")).toMatch(/^ {2}titles +list the items of a workspace/m);
  const help = await cli("titles", "--help");
  expect(help).toMatch(/^ {2}--only <KIND,…>/m);
  expect(help).toMatch(/^ {2}--json /m);
  expect(help).not.toContain("--rate");
  expect(await cli("complete", "--", "tit")).toMatch(/^titles\t/);
  expect(await cli("complete", "--", "titles", "--only", "gu")).toMatch(/^guide$/m);
});

it.each([
  ["README.md", ["| `guideferry titles WORKSPACE` | list the items of a workspace by key and title |"]],
  ["docs/reference/commands.md", expect.arrayContaining(["### titles"])],
  ["docs/reference/options.md", [expect.stringMatching(/^\| `--only KIND,….*\| migrate, plan, .*titles/)]],
])("and the check of %s demands its rows", async (page, rows) => {
  const path = pathToFileURL(join(copy, "dist/src/commands/commands.js")).href;
  const { loadCommands }: typeof Commands = await import(path);
  const before = readFileSync(join(ROOT, page), "utf8");
  const after = withTables(before, referenceTables(await loadCommands())[page] ?? {});
  expect(after).not.toBe(before);
  expect(after.split("\n").filter((line) => !before.includes(`${line}\n`))).toEqual(rows);
});

it("a transform takes its module and its entry: a load sends what it makes, and the command lists it", async () => {
  const [workspace, bundle, read] = ["work", "out.omanual", "read"].map((name) => join(copy, name)) as [
    string,
    string,
    string,
  ];
  await fillWorkspace(workspace, 2);
  await cli("load", workspace, bundle, "--transform", "prefix-titles:prefix=Old:");
  await cli("extract", bundle, "--workspace", read);
  const titles = (await cli("titles", read, "--only", "guide")).trimEnd().split("\n");
  expect(titles).toHaveLength(2);
  for (const line of titles) expect(line).toMatch(/^guide\/\d+ {2}Old:Guide /);
  const wrong = await runCopy(["load", workspace, bundle, "--transform", "prefix-titles:prefx=Old"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('no option "prefx"') });
});

it("a write operation takes four modules: it is planned, sent once, and taken back", async () => {
  const site = await startSandbox();
  try {
    const as = { GUIDEFERRY_TARGET_TOKEN: site.token };
    const workspace = join(copy, "marked");
    const marks = () => site.state().guides.map(({ tags }) => tags);
    const writes = () => site.recorded.filter(({ method }) => method !== "GET").length;
    await fillWorkspace(workspace, 2);
    // Made before the operation was there, so that only it is new in the run that is taken back.
    expect((await runHere(["load", workspace, site.url], { environment: as, directory: copy })).code).toBe(0);
    expect(marks()).toEqual([[], []]);
    const before = writes();
    const planned = await runCopy(["load", workspace, site.url, "--dry-run", "--json"], as);
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining("the mark of its origin") });
    expect(writes()).toBe(before);
    for (const _time of ["first", "again"]) {
      expect((await runCopy(["load", workspace, site.url], as)).code).toBe(0);
      expect(marks()).toEqual([["origin-1"], ["origin-2"]]);
      expect(writes()).toBe(before + 2);
    }
    expect((await runCopy(["undo", workspace, site.url], as)).code).toBe(0);
    expect(marks()).toEqual([[], []]);
  } finally {
    await site.close();
  }
});
