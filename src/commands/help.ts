import type { Command } from "./command.js";
import { COMMON_EXITS, exitLines } from "./exit-codes.js";
import { CREDENTIAL_NAMES, CREDENTIALS, credentialVariable } from "./options/credential-names.js";

/** What follows the list of commands in `guideferry --help`. */
export const PROGRAM_HELP = `
Examples:
  guideferry demo                                       see it work, on two embedded sites
  guideferry plan https://a.example https://b.example   what would be moved, without one write
  guideferry migrate https://a.example https://b.example
  guideferry status ./guideferry-workspace              how far it is, also while it runs
  guideferry retry ./guideferry-workspace               only what failed last time
  guideferry convert page.md --to wiki                  a text into another format
  guideferry training check ./packages                  what is wrong with training packages

A run that was stopped, by whatever, goes on when the same command is given again.
guideferry COMMAND --help tells a command's options, exit codes and environment variables.`;

/** What follows the options in a command's help: examples, environment, exit codes. */
export function commandHelp(command: Command): string {
  return [
    section("Examples:", command.examples),
    section("Environment:", [...signIns(command), ...EVERYWHERE]),
    section("Exit codes:", exitLines([...COMMON_EXITS, ...command.exits], command.done)),
  ].join("\n");
}

const EVERYWHERE: readonly string[] = [
  "Every option has a variable, as --max-failures has GUIDEFERRY_MAX_FAILURES, and a key in guideferry.config.json (or",
  ".mjs): maxFailures. A flag wins over a variable, a variable over the file.",
  "HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS and NO_COLOR are honoured.",
];

function signIns(command: Command): readonly string[] {
  return command.signsIn.flatMap((side) =>
    CREDENTIAL_NAMES.map((name) => `${credentialVariable(side, name).padEnd(27)} ${CREDENTIALS[name].about}`),
  );
}

function section(title: string, lines: readonly string[]): string {
  return `\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
