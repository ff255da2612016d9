import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { type CliOptions, type CliResult, type RunningCli, runCli, startCli } from "./run-cli.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A small site with content, an empty one, and guideferry signed in at both. */
export interface TwoSites {
  readonly source: Sandbox;
  readonly target: Sandbox;
  /** Where guideferry runs; its workspace is `work` in there. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  run(...words: readonly string[]): Promise<CliResult>;
  start(...words: readonly string[]): RunningCli;
  /** `migrate` from one to the other, with more flags. */
  migrate(...flags: readonly string[]): Promise<CliResult>;
  startMigration(...flags: readonly string[]): RunningCli;
  /** Requests that wrote to the target so far. */
  writes(): number;
}

export interface TwoSitesOptions {
  readonly source?: SandboxOptions;
  readonly target?: SandboxOptions;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function twoSites(options: TwoSitesOptions = {}): Promise<TwoSites> {
  const [source, target] = await Promise.all([startSandbox(options.source), startSandbox(options.target)]);
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => undefined));
  if (options.source?.site === undefined) fill(source);
  const directory = await temporaryFolder();
  await mkdir(join(directory, "home"));
  const environment = {
    GUIDEFERRY_SOURCE_TOKEN: source.token,
    GUIDEFERRY_TARGET_TOKEN: target.token,
    GUIDEFERRY_WORKSPACE: "work",
    XDG_STATE_HOME: join(directory, "home"),
    ...options.environment,
  };
  const cli: CliOptions = { directory, environment };
  return {
    source,
    target,
    directory,
    environment,
    run: (...words) => runCli(words, cli),
    start: (...words) => startCli(words, cli),
    migrate: (...flags) => runCli(["migrate", source.url, target.url, ...flags], cli),
    startMigration: (...flags) => startCli(["migrate", source.url, target.url, ...flags], cli),
    writes: () => target.recorded.filter(({ method }) => method !== "GET").length,
  };
}

/** Guides 1 to 3 in the category Looms; 3 needs 1 and is private. */
function fill(site: Sandbox): void {
  site.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All of them." });
  for (const title of ["Warp the Wren", "Oil the Siskin", "Fold the Heron"]) {
    const guide = site.edit.createGuide({
      category: "Looms",
      type: "how-to",
      title,
      introduction: "See [guide|1|the first].",
    });
    site.edit.addStep(guide, {
      orderby: 1,
      title: "Begin",
      lines: [{ text: `Do it: ${title}.`, bullet: "black", level: 0 }],
    });
    site.edit.setPublic(guide, title !== "Fold the Heron");
  }
  site.edit.guide(3, { prerequisites: [1] });
  site.edit.setGuideTags(2, ["oil"]);
}
