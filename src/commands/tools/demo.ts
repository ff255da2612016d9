import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { EXIT, type ExitCode } from "../../core/errors.js";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { Secret } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { migrateSite } from "../migration/migration.js";
import { defaultSettings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { count, shellQuote } from "../output/words.js";
import { withWorkspace } from "../session/session.js";

// By the name of the package: src and dist have different depths.
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

/** Migrates between two embedded sites as `migrate` does, without the settings of other sites. */
async function migrateBetween(call: CommandCall, { source, target, directory }: Demo): Promise<ExitCode> {
  const { json, quiet, verbose, debug, progress } = call.settings;
  const tokens = { source: new Secret(source.token), target: new Secret(target.token) };
  const own: CommandCall = {
    ...call,
    // Texts of the sample are near the limits, and longer ids make them longer.
    settings: { ...defaultSettings(), json, quiet, verbose, debug, progress, fit: "split" },
    credentials: (side) => ({ kind: "token", token: tokens[side], scheme: "api" }),
    environment: {},
  };
  const sites = { source: source.url, target: target.url };
  const plan = { command: "demo", task: "load", directory, create: true, sites, rehearsal: true } as const;
  return (await withWorkspace(own, plan, (session) => migrateSite(session, { site: source.url }, target.url))).exitCode;
}

/** Prints what the demo did, with counts from the sites, and what to look at next. */
function printDemo({ source, target, directory }: Demo, exitCode: ExitCode, output: Output): void {
  const reads = source.recorded.length;
  const writes = target.recorded.filter(({ method }) => method !== "GET").length;
  const answered = exitCode === EXIT.ok ? "Every item is there" : "Some items are missing or different, see above";
  output.say("");
  output.say("What happened:");
  output.say(
    "  1. The demo started two sites on this machine: one with the sample content of samples/site, and one with only its people.",
  );
  output.say(`  2. It extracted the first site into a workspace folder, with ${count(reads, "request")}.`);
  output.say(
    `  3. It loaded that folder into the second site, with ${count(writes, "write request")}: private at first, published at the end.`,
  );
  output.say(`  4. It read everything back from the second site and compared it field by field. ${answered}.`);
  output.say("Next steps:");
  output.say(`  ${directory}  the workspace: items as JSON, media, ledger and reports`);
  output.say(`  npx guideferry status ${directory}  the results as a table`);
  const site = relative(process.cwd(), SAMPLE_SITE);
  output.say(
    `  npx guideferry sandbox --site ${shellQuote([site.startsWith("..") ? SAMPLE_SITE : site])}  a site for your own tests, until Ctrl-C`,
  );
  output.say("Both sites have ended. You can delete the folder.");
}
