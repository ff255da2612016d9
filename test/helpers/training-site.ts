import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { type Shelf, scorm, shelfIn } from "../training/import/helpers/packages.js";
import { type CliResult, type RunningCli, runCli, startCli } from "./run-cli.js";
import { type RunHere, runHere } from "./run-here.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A site, guideferry signed in there, and a folder `packages` for it. */
export interface TrainingSite {
  readonly sandbox: Sandbox;
  /** Where guideferry runs; its workspace is `work` in there. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly shelf: Shelf;
  /** `import-training` of the folder, with more flags. */
  import(...flags: readonly string[]): Promise<CliResult>;
  startImport(...flags: readonly string[]): RunningCli;
  /** In this process, which takes a tenth of the time. */
  importHere(...flags: readonly string[]): Promise<RunHere>;
  run(...words: readonly string[]): Promise<CliResult>;
  /** Any command in this process; paths must be absolute. */
  runHere(...words: readonly string[]): Promise<RunHere>;
  /** `status` of the workspace, in this process. */
  status(...flags: readonly string[]): Promise<string>;
  /** Requests that wrote to the site so far. */
  writes(): number;
  /** `title: version status, …` for each module, sorted; a `*` marks what learners see. */
  modules(): readonly string[];
}

export interface TrainingSiteOptions extends SandboxOptions {
  /** Titles of packages of one page, `NAME.zip` by name. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** Jobs of the site are done at the first look where nothing else is said. */
export async function trainingSite({ packages = {}, ...options }: TrainingSiteOptions = {}): Promise<TrainingSite> {
  const sandbox = await startSandbox({ ...options, training: { looks: 0, ...options.training } });
  onTestFinished(() => sandbox.close());
  const directory = await temporaryFolder();
  await mkdir(join(directory, "packages"));
  await mkdir(join(directory, "home"));
  const shelf = shelfIn(join(directory, "packages"));
  for (const [name, title] of Object.entries(packages)) await shelf.put(`${name}.zip`, scorm(title));
  const environment = {
    GUIDEFERRY_TARGET_TOKEN: sandbox.token,
    GUIDEFERRY_WORKSPACE: "work",
    XDG_STATE_HOME: join(directory, "home"),
  };
  const cli = { directory, environment };
  const here = { ...environment, GUIDEFERRY_WORKSPACE: join(directory, "work") };
  const words = ["import-training", shelf.folder, sandbox.url];
  return {
    sandbox,
    directory,
    environment,
    shelf,
    import: (...flags) => runCli([...words, ...flags], cli),
    startImport: (...flags) => startCli([...words, ...flags], cli),
    run: (...given) => runCli(given, cli),
    importHere: (...flags) => runHere([...words, ...flags], { environment: here }),
    runHere: (...given) => runHere(given, { environment: here }),
    status: async (...flags) => (await runHere(["status", join(directory, "work"), ...flags])).stdout,
    writes: () => sandbox.recorded.filter(({ method }) => method !== "GET").length,
    modules: () => modulesOf(sandbox),
  };
}

interface NamedModule {
  readonly title: string;
  readonly versions: readonly { readonly version: number; readonly status: string; readonly isCurrent: boolean }[];
}

function modulesOf(sandbox: Sandbox): readonly string[] {
  const modules = JSON.parse(JSON.stringify(sandbox.namedState()["modules"])) as readonly NamedModule[];
  return modules.map(({ title, versions }) => {
    const told = versions.map(({ version, status, isCurrent }) => `${version} ${status}${isCurrent ? "*" : ""}`);
    return `${title}: ${told.join(", ")}`;
  });
}

/** The JSON objects that were printed, one a line. */
export function objectsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The files below a folder, by their paths there. */
export async function textsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, "latin1")] as const)));
}
