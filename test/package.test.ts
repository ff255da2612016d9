import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { deadLinks } from "./helpers/markdown-links.js";
import { installPacked } from "./helpers/packed.js";
import { runHere } from "./helpers/run-here.js";
import { removeFolder, temporaryFolder } from "./helpers/temporary-folder.js";
import { twoSites } from "./helpers/two-sites.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SHIPPED =
  /^(?:(?:package|config\.schema)\.json|LICENSE|(?:README|CHANGELOG|CONTRIBUTING)\.md|(?:lib|docs|man|samples)\/.+|(?:src|transforms)\/.+\.md)$/;
/** Below lib/: modules, declarations of the entries, files of pages, licenses. */
const COMPILED =
  /\.js$|^lib\/(?:src\/index|transforms\/library)\.d\.ts$|\/components\/(?:style\.css|icon\.svg)$|^lib\/third-party-licenses\.txt$/;
/** Packages whose code the modules of the tarball contain. */
const BUNDLED = ["undici", "zod"];
const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
  /** Optional: the program names the command that installs one. */
  peerDependencies: z.record(z.string(), z.string()),
});
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);

let folder = "";
let installed = "";
/** Paths in the tarball. */
let files: readonly string[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "guideferry-test-")));
  installed = await installPacked(folder, ["@types/node"]);
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
});
afterAll(() => removeFolder(folder));

describe("the tarball", () => {
  it("has at most 700 files, and none that only development needs", () => {
    expect(files.length).toBeLessThanOrEqual(700);
    expect(files.filter((path) => !SHIPPED.test(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith("lib/") && !COMPILED.test(path))).toEqual([]);
  });

  it("names no path of the machine that built it, and no source map", () => {
    const traces = files.filter((path) => {
      const text = readFileSync(join(installed, path), "latin1");
      return text.includes(ROOT) || (path.startsWith("lib/") && text.includes("sourceMappingURL"));
    });
    expect(traces).toEqual([]);
  });

  it("has every file that its pages link to", () => {
    const pages = files.filter((path) => path.endsWith(".md") && !path.startsWith("samples/texts/"));
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap((page) => deadLinks(installed, page).map((link) => `${page}: ${link}`))).toEqual([]);
  });

  it("imports its own modules and packages that npm installs with it, and nothing else", () => {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")));
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const missing = files.filter(isModule).flatMap((path) => {
      const text = readFileSync(join(installed, path), "utf8");
      const names = [...text.matchAll(/^(?:import|export)\b[^"\n]*"([^"\n]+)";?$|\bimport\("([^"\n]+)"\)/gm)];
      return names.map(([, fixed, late]) => fixed ?? late ?? "").filter((name) => !isThere(path, name, packages));
    });
    expect(missing).toEqual([]);
  });

  it("contains the bundled packages in the version that npm installs, audits and locks, with their licenses", () => {
    const { dependencies } = manifestSchema.parse(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")));
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
    const [, ...texts] = readFileSync(join(installed, "lib/third-party-licenses.txt"), "utf8").split(
      /^(?=\S+ \d\S+$)/m,
    );
    expect(texts.map((text) => text.split("\n")[0])).toEqual(
      BUNDLED.map((name) => `${name} ${packages[`node_modules/${name}`]?.version}`),
    );
    for (const name of BUNDLED) expect(dependencies[name]).toBe(packages[`node_modules/${name}`]?.version);
    for (const text of texts) expect(text).toMatch(/Permission is hereby granted[\s\S]+WITHOUT WARRANTY OF ANY KIND/);
  });
});

describe("the package, installed in an empty folder", () => {
  it("runs by npx: the version", async () => {
    expect(await npx("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("migrates in its demo, which leaves its workspace only, converts, and exports pages with style and scripts", async () => {
    const temporary = join(folder, "temporary");
    await mkdir(temporary);
    // Of other sites, which it does not heed.
    const other = { GUIDEFERRY_ONLY: "record", GUIDEFERRY_DRY_RUN: "true", GUIDEFERRY_SOURCE_TOKEN: "of another site" };
    const proxy = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
    const demo = await guideferry(["demo"], { TMPDIR: temporary, ...other, ...proxy });
    expect(demo).toMatch(/no differences, apart from \d+ in the loss ledger\./);
    expect(demo).toMatch(/What happened:\n {2}1\. [\s\S]*Every item is there\.\n/);
    const [, workspace = ""] = /npx guideferry status (\S+)/.exec(demo) ?? [];
    expect((await readdir(temporary)).map((name) => join(temporary, name))).toEqual([workspace]);
    expect((await runHere(["status", workspace])).stdout).toMatch(/guide +20 +0 +0 +20\n/);
    const [report = ""] = (await readdir(join(workspace, "reports"), { recursive: true })).filter((name) =>
      name.endsWith("report.html"),
    );
    expect(await readFile(join(workspace, "reports", report), "utf8")).toMatch(/<style>[^<]{5000}/);
    await guideferry(["export-html", workspace, "-o", "./pages"]);
    expect(await readdir(join(folder, "pages/assets"))).toEqual(expect.arrayContaining(["style.css", "search.js"]));
    await writeFile(join(folder, "text.wiki"), "Wind '''thirty''' turns");
    expect(await guideferry(["convert", "text.wiki", "--to", "markdown"])).toBe("Wind **thirty** turns\n");
  });

  it("is a library", async () => {
    const program = `
      import { convert } from "guideferry";
      import { parseWiki, printWiki } from "guideferry/transforms";
      console.log(convert("''a''", { from: "wiki", to: "html", context: "line" }).text, printWiki(parseWiki("''b''", { context: "line" }).tree));`;
    await writeFile(join(folder, "program.mjs"), program);
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: folder });
    expect(stdout).toBe("<em>a</em> ''b''\n");
  });

  it("has schemas that work with the zod of its user, although they are made by its own", async () => {
    const program = `
      import { z } from "zod";
      import { configSchema, itemSchema } from "guideferry";
      const own = z.object({ config: configSchema, items: z.array(itemSchema) });
      const { error } = own.safeParse({ config: { rate: "x" }, items: [{}] });
      z.config(z.locales.de());
      console.log(JSON.stringify({
        paths: error.issues.map(({ path }) => path.join(".")),
        isType: configSchema instanceof z.ZodType,
        isError: itemSchema.safeParse({}).error instanceof z.ZodError,
        locale: itemSchema.safeParse({}).error.issues[0].message,
        described: "rate" in z.toJSONSchema(configSchema, { io: "input" }).properties,
      }));`;
    await writeFile(join(folder, "schemas.mjs"), program);
    const { stdout } = await run(process.execPath, ["schemas.mjs"], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      ...{ paths: ["config.rate", "items.0.kind"], isType: true, isError: true },
      ...{ locale: "Ungültige Eingabe", described: true },
    });
  });

  it("compiles the program of the guide with strict types, and runs it to its end, twice", async () => {
    const { source, target } = await twoSites();
    const program = (await programOfGuide())
      .replace("https://old.example", source.origin)
      .replace("https://new.example", target.origin);
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "program.ts"), program);
    const flags = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--module", "nodenext"];
    await run(process.execPath, [COMPILER, ...flags, "--target", "es2022", "--types", "node", "program.ts"], {
      cwd: folder,
    });
    const environment = { ...process.env, HOME: folder, OLD_TOKEN: source.token, NEW_TOKEN: target.token };
    const writes = () => target.recorded.filter(({ method }) => method !== "GET").length;
    const call = () => run(process.execPath, ["program.js"], { cwd: folder, env: environment });
    const first = await call();
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(/^extract \d+ \d+$/m);
    expect(first.stdout.trimEnd().split("\n").at(-1)).toMatch(/^ok [1-9]\d* \S+report\.html$/);
    const written = writes();
    expect((await call()).stdout.trimEnd().split("\n").at(-1)).toMatch(/^ok 0 /);
    expect(writes()).toBe(written);
  });

  it.each([["--help"], ["complete", "--", "mig"], ["snapshots", "missing"], ["check", "http://site.example"]])(
    "loads for %s no package that the modules of the build do not load, and none that is bundled",
    async (...words) => {
      const [built, bundled] = [join(ROOT, "dist/src/cli.js"), join(installed, "lib/src/cli.js")];
      const packages = (await loadedPackages(built, words)).filter((name) => !BUNDLED.includes(name));
      expect(await loadedPackages(bundled, words)).toEqual(packages);
    },
  );
});

function isModule(path: string): boolean {
  return path.startsWith("lib/") && path.endsWith(".js") && !path.includes("/browser/");
}

/** Is what a module imports a part of Node, a file of the tarball, or one of the packages? */
function isThere(module: string, name: string, packages: readonly string[]): boolean {
  if (isBuiltin(name)) return true;
  if (name.startsWith(".")) return existsSync(join(installed, dirname(module), name));
  return packages.some((known) => name === known || name.startsWith(`${known}/`));
}

async function npx(...words: readonly string[]): Promise<string> {
  return started("npx", ["--no", "--", "guideferry", ...words], { shell: process.platform === "win32" });
}

/** What npx starts, without the half second of npm. */
async function guideferry(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  return started(process.execPath, [join(installed, "lib/src/cli.js"), ...words], { environment });
}

async function started(
  program: string,
  words: readonly string[],
  { shell = false, environment = {} }: { readonly shell?: boolean; readonly environment?: NodeJS.ProcessEnv },
): Promise<string> {
  const { stdout } = await run(program, words, {
    cwd: folder,
    env: { ...outsideOfNpm(), TMPDIR: folder, XDG_STATE_HOME: folder, ...environment },
    shell,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** The first program of the page, which is short. */
async function programOfGuide(): Promise<string> {
  const page = await readFile(join(ROOT, "docs/guide/use-as-a-library.md"), "utf8");
  const program = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(program.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(18);
  return program;
}

/** npm tells what it starts about its own command: another npx would take that for its settings. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

/** The names of the packages from which a command line loads modules, by V8's list of scripts. */
async function loadedPackages(program: string, words: readonly string[]): Promise<readonly string[]> {
  const coverage = await temporaryFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  await run(process.execPath, [program, ...words], { cwd: folder, env }).catch(() => undefined);
  const [file = ""] = await readdir(coverage);
  const names = [...(await readFile(join(coverage, file), "utf8")).matchAll(/"url":"[^"]*\/node_modules\/([^"]+)"/g)];
  const packages = names.map(([, path = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "");
  return [...new Set(packages)].filter((name) => name !== "guideferry").toSorted();
}
