import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXIT, type ExitCode } from "../../core/errors.js";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { Secret } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { migrateSite } from "../migration/migration.js";
import { defaultSettings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import { withWorkspace } from "../session/session.js";

// By the package's own name, since this file lies at another depth in src than in dist.
const PACKAGE = dirname(createRequire(import.meta.url).resolve("guideferry/package.json"));

export const SAMPLE_SITE: string = join(PACKAGE, "samples", "site");

interface Demo {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly directory: string;
}

export async function runDemo(call: CommandCall): Promise<ExitCode> {
  const [source, target] = await Promise.all([
    startSandbox({ site: SAMPLE_SITE }),
    startSandbox({ name: "The new site", people: SAMPLE_SITE }),
  ]);
  try {
    const directory = await mkdtemp(join(tmpdir(), "guideferry-demo-"));
    const demo: Demo = { source, target, directory };
    call.output.note(`Migrating ${source.url} into ${target.url} …`);
    const exitCode = await migrateBetween(call, demo);
    printDemo(demo, exitCode, call.output);
    return exitCode;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/**
 * Migrates between two embedded sites as `migrate` does, whatever variables and files say of other
 * sites.
 */
async function migrateBetween(call: CommandCall, { source, target, directory }: Demo): Promise<ExitCode> {
  const { json, quiet, verbose, debug, progress } = call.settings;
  const tokens = { source: new Secret(source.token), target: new Secret(target.token) };
  const own: CommandCall = {
    ...call,
    // Texts of the sample reach the limits, and longer ids make them longer.
    settings: { ...defaultSettings(), json, quiet, verbose, debug, progress, fit: "split" },
    credentials: (side) => ({ kind: "token", token: tokens[side], scheme: "api" }),
    environment: {},
  };
  const sites = { source: source.url, target: target.url };
  const plan = { command: "demo", task: "load", directory, create: true, sites, rehearsal: true } as const;
  return withWorkspace(own, plan, (session) => migrateSite(session, { site: source.url }, target.url));
}

/** Says in plain words what the demo did, counted at the sites themselves, and where to look. */
function printDemo({ source, target, directory }: Demo, exitCode: ExitCode, output: Output): void {
  const reads = source.recorded.length;
  const writes = target.recorded.filter(({ method }) => method !== "GET").length;
  const answered =
    exitCode === EXIT.ok ? "and every item is there" : "but not everything is as it should be, see above";
  output.say("");
  output.say("What happened:");
  output.say(
    "  1. Two sites were started on this machine: one with the sample content of samples/site, one with its people and nothing else.",
  );
  output.say(`  2. The first one was read with ${count(reads, "request")} into a workspace folder.`);
  output.say(
    `  3. The second one was filled from that folder with ${count(writes, "writing request")}, private first, published last.`,
  );
  output.say(`  4. Everything was read back from the second site and compared field by field, ${answered}.`);
  output.say("Where to look:");
  output.say(`  ${directory}  the workspace: items as JSON, media, ledger and reports`);
  output.say(`  npx guideferry status ${directory}  the same as a table`);
  output.say("  npx guideferry sandbox --site samples/site  such a site to try things with, until Ctrl-C");
  output.say("Both sites are gone now; the folder may be deleted.");
}
