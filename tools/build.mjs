// `npm run build`: compiles src/ and transforms/ into dist/, which the tests run, and bundles that into lib/, which npm publishes.
//
// lib/ has one module for each entry of package.json ("bin" and "exports") and one for each part that entries share or load late. It
// is written anew each time, from what the entries import: a module that was deleted since can't get into it. Nothing is shortened,
// so that the lines of a stack trace can be read.
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
import { basename, dirname, join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const { bin, exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** `src/cli`, `src/index`, `transforms/wiki/parse` ...: paths below dist/ and lib/. */
const ENTRIES = [...Object.values(bin), ...Object.values(exports)]
  .map((path) => /^(?:\.\/)?lib\/(.+)\.js$/.exec(path)?.[1])
  .filter((entry) => entry !== undefined);

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
  return [...inputs, ...settings, "tools/build.mjs"].every((path) => statSync(path).mtimeMs < built);
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
    // Packages stay packages, which npm installs and users can update.
    external: (name, _importer, isResolved) => !isResolved && !/^\.{0,2}\//.test(name),
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await bundler.write({ dir: "lib", format: "esm", entryFileNames: "[name].js", chunkFileNames: "src/[name].js" });
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
