import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { intro, note, outro } from "@clack/prompts";
import { EXIT, type ExitCode, UsageError } from "../../../errors.js";
import type { CommandCall } from "../../command.js";
import { CONFIG_FILES } from "../../options/config-file.js";
import { type Answers, configOf, nextCommands } from "./answers.js";
import { askChoice, askYes, LeftError, type Terminal } from "./ask.js";
import { askAll, FIRST_ANSWERS } from "./questions.js";
import { trySites } from "./try-sites.js";
import { writeConfig } from "./write-config.js";

const NOTHING = "Nothing was written.";

/** Asks, tries and writes a configuration. */
export async function runInit(call: CommandCall): Promise<ExitCode> {
  const [named] = call.arguments;
  const file = resolve(named ?? CONFIG_FILES[0]);
  const terminal = terminalOf(call, file);
  refuseSecondFile(file, named);
  try {
    intro("guideferry init", terminal);
    const replaces = existsSync(file);
    if (replaces && !(await askYes(terminal, `${file} is there already. Replace it at the end?`, false))) {
      outro(NOTHING, terminal);
      return EXIT.ok;
    }
    const answers = await triedAnswers(call, terminal);
    if (answers === undefined) {
      outro(NOTHING, terminal);
      return EXIT.ok;
    }
    const config = configOf(answers);
    note(JSON.stringify(config, null, 2), file, terminal);
    if (!(await askYes(terminal, "Write this file?", true))) {
      outro(NOTHING, terminal);
      return EXIT.ok;
    }
    await writeConfig(file, config, replaces);
    tellNext(call, answers, named);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof LeftError)) throw error;
    outro(NOTHING, terminal);
    return EXIT.interrupted;
  }
}

/** Throws UsageError where nobody could answer. */
function terminalOf({ stdin, stdout, settings }: CommandCall, file: string): Terminal {
  const input = stdin();
  if (isTerminal(input) && isTerminal(stdout) && !settings.json && !settings.quiet) {
    return { input, output: stdout as Writable };
  }
  throw new UsageError(
    `\`guideferry init\` asks questions, and nobody can answer them here: this is no terminal. Write ${file} by hand, such as\n` +
      '  { "workspace": "./guideferry-workspace", "rate": "10/s", "sourceTokenVariable": "OLD_SITE_TOKEN" }\n' +
      "Every option of a command can stand there; `guideferry COMMAND --help` names them. Then `guideferry check SITE` tries a site.",
  );
}

function isTerminal(stream: (Readable | NodeJS.WritableStream) & { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

/** Two files in one folder would be refused by every command. */
function refuseSecondFile(file: string, named: string | undefined): void {
  const other = join(dirname(file), CONFIG_FILES[1]);
  if (named !== undefined || !existsSync(other)) return;
  throw new UsageError(
    `${other} is there already, and only one configuration can be. Remove it, or name another file: guideferry init FILE.`,
  );
}

/** Asks until the sites pass, or what does not is kept; undefined: neither. */
async function triedAnswers(call: CommandCall, terminal: Terminal): Promise<Answers | undefined> {
  let answers = FIRST_ANSWERS;
  for (let isAsked = true; ; ) {
    if (isAsked) answers = await askAll(terminal, call.environment, answers);
    const failed = await trySites(call, answers);
    if (failed === 0) return answers;
    const next = await askChoice(
      terminal,
      "What is failed above stands in the way. What to do about each stands beside it.",
      {
        initial: "back",
        choices: [
          { value: "back", label: "Go back to the questions" },
          { value: "again", label: "Check once more", hint: "when it is mended at the site" },
          { value: "keep", label: "Keep it anyway" },
          { value: "leave", label: "Leave; nothing is written" },
        ],
      },
    );
    if (next === "keep") return answers;
    if (next === "leave") return undefined;
    isAsked = next === "back";
  }
}

function tellNext({ output, environment }: CommandCall, answers: Answers, named: string | undefined): void {
  const missing = variablesOf(answers).filter((name) => (environment[name] ?? "") === "");
  if (missing.length > 0) output.say(`Set ${missing.join(", ")} before the run; a secret belongs into no file.`);
  output.say("Written. Next:");
  for (const command of nextCommands(answers, named ?? null)) output.say(`  ${command}`);
}

/** The variables that the run will read the sign-ins from. */
function variablesOf({ signIn, target }: Answers): readonly string[] {
  const sides = target === null ? (["source"] as const) : (["source", "target"] as const);
  return sides.flatMap((side) => {
    const chosen = signIn[side];
    if (chosen.by === "variable") return [chosen.variable];
    if (chosen.by === "nobody") return [];
    const prefix = `GUIDEFERRY_${side.toUpperCase()}_`;
    return chosen.by === "token" ? [`${prefix}TOKEN`] : [`${prefix}EMAIL`, `${prefix}PASSWORD`];
  });
}
