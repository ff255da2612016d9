import { EXIT, type ExitCode } from "../../core/errors.js";
import type { Sandbox } from "../../sandbox/index.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

export interface DemoFacts {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly directory: string;
  readonly exitCode: ExitCode;
}

/** Says in plain words what the demo did, counted at the sites themselves, and where to look. */
export function printDemo({ source, target, directory, exitCode }: DemoFacts, output: Output): void {
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
