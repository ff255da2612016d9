import { existsSync, statSync } from "node:fs";
import { access, constants, link, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { intro, note, outro } from "@clack/prompts";
import { EXIT, type ExitCode, messageOf, StoppedError, UsageError } from "../../core/errors.js";
import { syncFolder } from "../../core/util/sync-folder.js";
import { createRedactor } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { explainError } from "../exit-codes.js";
import { credentialVariable, type Side } from "../options/credential-names.js";
import { CONFIG_FILES, type Config, configSchema, readCredentials, readSecrets } from "../options/settings.js";
import { runCheck } from "./check.js";
import {
  type Answers,
  askAll,
  askChoice,
  askYes,
  configOf,
  FIRST_ANSWERS,
  LeftError,
  nextCommands,
  type SignIn,
  sitesIn,
  type Terminal,
} from "./init-questions.js";

const NOTHING = "Nothing was written.";

/** Asks, tries and writes a configuration. */
export async function runInit(call: CommandCall): Promise<ExitCode> {
  const [named] = call.arguments;
  const file = resolve(named ?? CONFIG_FILES[0]);
  const terminal = terminalOf(call, file);
  refuseSecondFile(file, named);
  await refusePlace(file);
  try {
    intro("guideferry init", terminal);
    const replaces = existsSync(file);
    if (replaces) await agree(terminal, `${file} is there already. Replace it at the end?`, false);
    const answers = await triedAnswers(call, terminal);
    const config = configOf(answers);
    note(JSON.stringify(config, null, 2), file, terminal);
    await agree(terminal, "Write this file?", true);
    await writeConfig(file, config, replaces);
    tellNext(call, answers, named);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof LeftError)) throw error;
    outro(NOTHING, terminal);
    return error.exitCode;
  }
}

/** Who does not agree leaves: a command behind `&&` must not run without the file. */
async function agree(terminal: Terminal, question: string, initial: boolean): Promise<void> {
  if (!(await askYes(terminal, question, initial))) throw new LeftError("left by an answer", EXIT.stopped);
}

/**
 * Before the first question: who answered all of them must not lose the answers. Throws UsageError.
 */
async function refusePlace(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new UsageError(`${file} is a folder. Name the file that is to be written: guideferry init FILE.`);
    }
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `No file can be written in ${folder}: ${messageOf(cause)}. Make the folder, or name another file: guideferry init FILE.`,
      { cause, exitCode: EXIT.notFound },
    );
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

/** Asks until the sites pass, or what does not is kept. Throws LeftError. */
async function triedAnswers(call: CommandCall, terminal: Terminal): Promise<Answers> {
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
    if (next === "leave") throw new LeftError("left by an answer", EXIT.stopped);
    isAsked = next === "back";
  }
}

function tellNext({ output, environment }: CommandCall, answers: Answers, named: string | undefined): void {
  const isSet = (name: string): boolean => (environment[name] ?? "").trim() !== "";
  const missing = variablesOf(answers).filter((name) => !isSet(name));
  if (missing.length > 0) output.say(`Set ${missing.join(", ")} before the run; a secret belongs into no file.`);
  const disturbing = sidesOf(answers).flatMap((side) => otherVariables(side, answers.signIn[side]).filter(isSet));
  if (disturbing.length > 0)
    output.warn(
      `Unset ${disturbing.join(", ")} before the run: a run signs in with it, and what was chosen here is another way.`,
    );
  output.say("Written. Next:");
  for (const command of nextCommands(answers, named ?? null)) output.say(`  ${command}`);
}

/** The variables that the run will read the sign-ins from. */
function variablesOf(answers: Answers): readonly string[] {
  return sidesOf(answers).flatMap((side) => signInVariables(side, answers.signIn[side]));
}

function sidesOf({ target }: Answers): readonly Side[] {
  return target === null ? ["source"] : ["source", "target"];
}

/**
 * Checks each site, as `guideferry check` does with this configuration; how many did not pass.
 * Throws StoppedError.
 */
async function trySites(call: CommandCall, answers: Answers): Promise<number> {
  const config = configSchema.parse(configOf(answers));
  call.hide(createRedactor(readSecrets(call.environment, { path: null, config })).redact);
  let failed = 0;
  for (const [side, site] of sitesIn(answers)) {
    call.output.say(`\n${site}`);
    // One after the other, each with its table.
    if (!(await passes({ ...call, arguments: [site] }, side, answers, config))) failed += 1;
  }
  return failed;
}

async function passes(
  call: CommandCall,
  side: "source" | "target",
  answers: Answers,
  config: Config,
): Promise<boolean> {
  const chosen = answers.signIn[side];
  const others = new Set(otherVariables(side, chosen));
  // As it will be once they are unset, which is asked for at the end.
  const environment = Object.fromEntries(Object.entries(call.environment).filter(([name]) => !others.has(name)));
  try {
    const exitCode = await runCheck({
      ...call,
      settings: { ...call.settings, ...config, signInAs: side },
      credentials: (of) => readCredentials(of, of === side ? environment : call.environment, { path: null, config }),
    });
    return exitCode === EXIT.ok;
  } catch (error) {
    if (error instanceof StoppedError || call.stop.aborted) throw error;
    call.output.warn(explainError(error, false).text);
    return false;
  }
}

/** The variables that a chosen sign-in is read from; their names alone are known here. */
export function signInVariables(side: Side, signIn: SignIn): readonly string[] {
  if (signIn.by === "variable") return [signIn.variable];
  if (signIn.by === "nobody") return [];
  const names = signIn.by === "token" ? (["token"] as const) : (["email", "password"] as const);
  return names.map((name) => credentialVariable(side, name));
}

/**
 * The variables of other sign-ins that a run would take before the chosen one: a token goes before
 * e-mail and password, and any of them before nobody.
 */
export function otherVariables(side: Side, signIn: SignIn): readonly string[] {
  const own = signInVariables(side, signIn);
  const before = signIn.by === "nobody" ? (["token", "email", "password"] as const) : (["token"] as const);
  return before.map((name) => credentialVariable(side, name)).filter((variable) => !own.includes(variable));
}

/**
 * Writes a configuration whole or not at all. Throws UsageError: the file is there and `replaces`
 * is false, also when it came in between; or the folder can't be written to.
 */
async function writeConfig(file: string, config: object, replaces: boolean): Promise<void> {
  const fresh = `${file}.${process.pid}.new`;
  try {
    await writeFresh(fresh, `${JSON.stringify(config, null, 2)}\n`);
    // A link is refused where a file is, a renaming is not.
    await (replaces ? rename(fresh, file) : link(fresh, file));
    await syncFolder(dirname(file));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError(`The configuration ${file} could not be written: ${reason}. Nothing was changed.`, { cause });
  } finally {
    await rm(fresh, { force: true });
  }
}

async function writeFresh(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
