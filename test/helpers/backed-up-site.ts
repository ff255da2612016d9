import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { fillLooms } from "../backup/helpers/looms.js";

import { type CliResult, type RunningCli, runCli, startCli } from "./run-cli.js";
import { runHere } from "./run-here.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A site that was backed up into `repo` once, and guideferry signed in there. */
export interface BackedUpSite {
  readonly sandbox: Sandbox;
  /** Where guideferry runs. */
  readonly directory: string;
  readonly repository: string;
  run(...words: readonly string[]): Promise<CliResult>;
  start(...words: readonly string[]): RunningCli;
  /** As somebody who is signed in at another site as the target. */
  runAt(target: Sandbox, ...words: readonly string[]): Promise<CliResult>;
  /** Requests that wrote to the site, since it was backed up. */
  writes(): readonly string[];
}

/** Default: the site of `fillLooms`. `fill` makes another one. */
export async function backedUpSite(
  options: SandboxOptions = {},
  fill: (sandbox: Sandbox) => unknown = fillLooms,
): Promise<BackedUpSite> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  if (options.site === undefined) await fill(sandbox);
  const directory = await temporaryFolder();
  await mkdir(join(directory, "home"));
  const environmentFor = ({ token }: Sandbox) => ({
    GUIDEFERRY_SOURCE_TOKEN: sandbox.token,
    GUIDEFERRY_TARGET_TOKEN: token,
    XDG_STATE_HOME: join(directory, "home"),
  });
  const cli = { directory, environment: environmentFor(sandbox) };
  const repository = join(directory, "repo");
  // In this process: what is tested comes after it.
  const first = await runHere(["backup", sandbox.url, "--to", repository], { environment: cli.environment });
  if (first.code !== 0) throw new Error(`The backup ended with ${first.code}: ${first.stdout}${first.stderr}`);
  const before = sandbox.recorded.length;
  return {
    sandbox,
    directory,
    repository,
    run: (...words) => runCli(words, cli),
    start: (...words) => startCli(words, cli),
    runAt: (target, ...words) => runCli(words, { directory, environment: environmentFor(target) }),
    writes: () =>
      sandbox.recorded
        .slice(before)
        // A list that is asked for with POST (api-facts 6.4).
        .filter(({ method, path }) => method !== "GET" && path !== "/quizzes/getQuizzes")
        .map(({ method, path }) => `${method} ${path}`),
  };
}

/** The last object that `--json` printed. */
export function summaryOf({ stdout }: CliResult): Readonly<Record<string, unknown>> {
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
