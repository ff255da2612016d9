// `npm run build`: compiles src/ and transforms/ into dist/, which the tests run, and bundles that into lib/, which npm publishes.
//
// lib/ has one module for each entry of package.json ("bin" and "exports") and one for each part that entries share or load late. What
// many commands load together is one part, because Node takes 0.8 ms of processor time for each file of a start. Each build writes all
// of lib/ from what the entries import: a module that was deleted since can't get into it. Nothing is shortened, so that the lines of
// a stack trace can be read.
//
// Without --clean, nothing is done if no input is newer than the last build.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const { bin, exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** `src/cli`, `src/index`, `transforms/wiki/parse` ...: paths below dist/ and lib/. */
const ENTRIES = [...Object.values(bin), ...Object.values(exports)]
  .map((path) => /^(?:\.\/)?lib\/(.+)\.js$/.exec(path)?.[1])
  .filter((entry) => entry !== undefined);

/** Modules that a command loads before it does its work, and some that load much. See `createParts`. */
const STARTS = {
  version: ["core/util/lean-memory"],
  start: ["commands/run"],
  help: readdirSync(join(ROOT, "src/commands/definitions")).map(
    (name) => `commands/definitions/${basename(name, ".ts")}`,
  ),
  status: ["commands/workspace/status"],
  report: ["commands/session/run-report"],
  read: ["commands/backup/read-repository", "storage/repository/files/local-folder"],
  backup: ["commands/backup/backup", "storage/workspace/workspace"],
  restore: ["commands/backup/restore", "storage/workspace/workspace", "storage/repository/files/local-folder"],
  migrate: ["commands/migration/operations", "commands/compose", "storage/workspace/workspace"],
};

/**
 * Packages whose code lib/ contains, as far as it is used (docs/decisions/command-modules.md). All others stay packages, which npm
 * installs and users can update.
 */
const BUNDLED = ["undici", "zod"];
const BUNDLED_OR_OWN = new RegExp(`^(?:\\.{0,2}/|(?:${BUNDLED.join("|")})(?:/|$))`);
/** What the package contains of undici. */
const UNDICI = join("tools", "undici.mjs");
/** Files of undici that are for HTTP/2 and for forms as bodies: nothing here asks for these. They and what they load take time. */
const LEFT_OUT = ["dispatcher/client-h2.js", "web/fetch/body.js"].map((file) => join("undici", "lib", file));
/** Has the exports of each file that is left out. */
const NOT_THERE = `
  module.exports = () => { throw new Error("The package does not contain this part of undici."); };
  module.exports.extractBody = module.exports;
`;

/** The module that requires a package, which counts as the package itself. */
const REQUIRES = /[\\/]storage[\\/]archive[\\/]archive-file\.js$/;

/** Its time is the begin of the last build that ended well. */
const STAMP = "dist/built";

process.chdir(ROOT);
// `npm pack` and `npm publish` start from nothing. Otherwise the compiler works on what changed.
if (process.argv.includes("--clean")) rmSync("dist", { recursive: true, force: true });
if (!isBuilt()) {
  const began = new Date();
  compile();
  await bundle();
  bundleDeclarations();
  copyFilesOfPages("lib");
  for (const folder of ["dist", "lib"]) chmodSync(join(folder, "src/cli.js"), 0o755);
  writeFileSync(STAMP, "");
  utimesSync(STAMP, began, began);
}

/** Every entry is there, and no input is newer. A file that came or went makes its folder newer. */
function isBuilt() {
  if (![STAMP, ...ENTRIES.map((entry) => `lib/${entry}.js`)].every((path) => existsSync(path))) return false;
  const built = statSync(STAMP).mtimeMs;
  const inputs = ["src", "transforms"].flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  ]);
  const settings = readdirSync(".").filter((name) => /^(?:package.*|tsconfig.*)\.json$/.test(name));
  return [...inputs, ...settings, "tools/build.mjs", UNDICI].every((path) => statSync(path).mtimeMs < built);
}

function compile() {
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  for (const project of ["tsconfig.build.json", "src/web/reader/browser", "src/web/report/browser"])
    execFileSync(process.execPath, [compiler, "-p", project], { stdio: "inherit" });
  for (const name of ["style.css", "icon.svg"]) copy(`src/web/components/${name}`, `dist/src/web/components/${name}`);
}

async function bundle() {
  rmSync("lib", { recursive: true, force: true });
  const bundler = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `./dist/${entry}.js`])),
    platform: "node",
    // `includeDependenciesRecursively` needs it. No entry is in a part.
    preserveEntrySignatures: "allow-extension",
    // Some modules load a module late that others, which may be in the same part, import.
    checks: { ineffectiveDynamicImport: false },
    external: (name, _importer, isResolved) => !isResolved && !BUNDLED_OR_OWN.test(name),
    resolve: { alias: { undici$: join(ROOT, UNDICI) } },
    plugins: [{ name: "left-out", load: (id) => (LEFT_OUT.some((file) => id.endsWith(file)) ? NOT_THERE : null) }],
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await bundler.write({
    ...{ dir: "lib", format: "esm", entryFileNames: "[name].js", chunkFileNames: "src/[name].js" },
    codeSplitting: { groups: [{ name: createParts(), debugName: "parts" }], includeDependenciesRecursively: false },
  });
  for (const { fileName, code } of output)
    if (code !== undefined) writeFileSync(join("lib", fileName), withEscapes(code));
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const moved = LEFT_OUT.find((file) => !modules.some((id) => id.endsWith(file)));
  if (moved !== undefined) throw new Error(`There is no ${moved} to leave out.`);
  writeFileSync("lib/third-party-licenses.txt", licensesOf(modules));
}

/** A single character above U+00FF lets Node keep the whole file with two bytes for each character. */
function withEscapes(code) {
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Name, version and license of each package that has one of these modules. */
function licensesOf(modules) {
  const folders = modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  return ["The modules in this folder contain code of these packages.\n", ...texts].join("\n");
}

/**
 * Names the part of a module: those that the same ones of STARTS load, with the same packages, become one file. So a start loads no
 * package that it does not need. null: the bundler decides, by all entries and late imports.
 */
function createParts() {
  const numbers = new Map();
  let starts;
  return (module, graph) => {
    /** With all that they import, other than late. */
    const loadedBy = (modules) => {
      const loaded = new Set(modules);
      for (const one of loaded)
        for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) loaded.add(imported);
      return loaded;
    };
    starts ??= Object.entries(STARTS).map(([name, paths]) => {
      const modules = paths.map((path) => join(ROOT, "dist/src", `${path}.js`));
      const unknown = modules.find((one) => graph.getModuleInfo(one) === null);
      if (unknown !== undefined) throw new Error(`STARTS of tools/build.mjs names ${unknown}, which nothing loads.`);
      return { name, loaded: loadedBy(modules) };
    });
    const { importers, isEntry } = graph.getModuleInfo(module);
    const names = starts.filter(({ loaded }) => loaded.has(module)).map(({ name }) => name);
    if (isEntry || importers.length === 0 || names.length === 0) return null;
    if (names[0] === "start") return "start";
    const loaded = [...loadedBy([module])];
    // A late import may be of the time when the module is loaded.
    const late = loaded.flatMap((one) => graph.getModuleInfo(one)?.dynamicallyImportedIds ?? []);
    const packages = [loaded, late].map((all) => [...new Set(all.filter(isPackage))].toSorted());
    const part = JSON.stringify([names, ...packages]);
    if (!numbers.has(part)) numbers.set(part, numbers.size + 1);
    return `${names[0]}-${numbers.get(part)}`;
  };
}

function isPackage(id) {
  return (!isAbsolute(id) && !id.startsWith("node:")) || REQUIRES.test(id);
}

/** One file of declarations for each entry of the library, with all types that it mentions. */
function bundleDeclarations() {
  const entries = ENTRIES.filter((entry) => entry !== "src/cli");
  const paths = entries.map((entry) => join(ROOT, "dist", `${entry}.d.ts`));
  const [first] = entries.map(declarationsOf);
  const compilerState = CompilerState.create(first, { additionalEntryPoints: paths });
  for (const entry of entries) {
    const { succeeded } = Extractor.invoke(declarationsOf(entry), { localBuild: true, compilerState, messageCallback });
    if (!succeeded) throw new Error(`The declarations of ${entry} cannot be bundled.`);
  }
}

/** @param entry such as `src/index` */
function declarationsOf(entry) {
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2023"], module: "nodenext", moduleResolution: "nodenext" },
    ...{ types: ["node"], strict: true, skipLibCheck: true },
  };
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(ROOT, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: join(ROOT, "dist", `${entry}.d.ts`),
      compiler: { overrideTsconfig: { compilerOptions, files: [join(ROOT, "dist", `${entry}.d.ts`)] } },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: join(ROOT, "lib", `${entry}.d.ts`) },
    },
  });
}

/** Prints errors only: the rest is about comments, which the program that is bundled does not ask. */
function messageCallback(message) {
  message.handled = message.logLevel !== "error";
}

/** What pages of the reader and of the live view load, beside the modules that read it. */
function copyFilesOfPages(to) {
  for (const name of ["style.css", "icon.svg"]) copy(`src/web/components/${name}`, `${to}/src/web/components/${name}`);
  for (const folder of ["web/reader/browser", "web/report/browser"])
    for (const script of readdirSync(`src/${folder}`).filter((name) => name.endsWith(".ts")))
      copy(`dist/src/${folder}/${basename(script, ".ts")}.js`, `${to}/src/${folder}/${basename(script, ".ts")}.js`);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
