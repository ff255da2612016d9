import type { Readable } from "node:stream";
import { createRedactor, type Redact } from "../service/secret.js";
import { EXIT, type ExitCode } from "../core/errors.js";
import type { Command } from "./command.js";
import { loadCommands, loadNamedCommand } from "./commands.js";
import { readSecrets } from "./options/credentials.js";
import type { Environment } from "./options/environment.js";
import { readSettings } from "./options/settings.js";
import { createOutput } from "./output/create-output.js";
import { explainError } from "./output/explain-error.js";
import type { OutputOptions } from "./output/output.js";
import { createWriter } from "./output/writer.js";
import { parseCommandLine } from "./program.js";
import { runCommand } from "./run-command.js";

/** What a run needs of the process around it. */
export interface Surroundings {
  /** The command line without `node` and the script. */
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly directory: string;
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly version: string;
}

/** Runs the command that a command line asks for, to its exit code. Never throws: every error is told and has a code. */
export async function run(around: Surroundings): Promise<ExitCode> {
  const { words, environment } = around;
  if (asksForWords(words)) return offerWords(around);
  const { redact, hide } = hiding();
  hide(createRedactor(readSecrets(environment, null)).redact);
  const writer = (stream: Surroundings["stdout"]) => createWriter(stream, redact, environment);
  const [stdout, error] = [writer(around.stdout), writer(around.stderr)];
  const command = await loadNamedCommand(words);
  const isContent = command?.contentOnStdout ?? (() => false);
  const dated = isLong(command);
  const outputOf = (settings: Omit<OutputOptions, "dated"> & { readonly csv: boolean; readonly nginx: boolean }) =>
    createOutput({ ...settings, dated }, isContent(settings) ? error : stdout, error);
  // Until the settings are known, the words alone say how to talk.
  const [json, csv, nginx] = [words.includes("--json"), words.includes("--csv"), words.includes("--nginx")];
  let output = outputOf({ json, csv, nginx, quiet: false, verbose: false, progress: false });
  try {
    const invocation = parseCommandLine(words, command === undefined ? await unnamed(words) : [command], around);
    if (invocation === undefined) return EXIT.ok;
    const { settings, given, file } = await readSettings(
      invocation.flags,
      environment,
      around.directory,
      invocation.command.writesConfig !== true,
    );
    hide(createRedactor(readSecrets(environment, file)).redact);
    output = outputOf(settings);
    const streams = { stdin: around.stdin, stdout: around.stdout };
    return await runCommand({
      invocation,
      settings,
      given,
      file,
      output,
      hide,
      redact,
      words,
      environment,
      version: around.version,
      ...streams,
    });
  } catch (reason) {
    const { text, trace, exitCode } = explainError(reason, words.includes("--debug"));
    output.fail(trace === null ? text : `${text}\n${trace}`, exitCode);
    return exitCode;
  }
}

/** Beside those that can be gone on with. */
const LONG: ReadonlySet<string> = new Set(["drill", "repair", "export"]);

/** May it take a night, whose log somebody reads in the morning? */
function isLong(command: Command | undefined): boolean {
  return command !== undefined && (command.resumable === true || LONG.has(command.name));
}

/** The commands for a command line that names none: all, for the help or for the name that was meant, but none for the version. */
async function unnamed([first]: readonly string[]): Promise<readonly Command[]> {
  return first === "--version" || first === "-V" ? [] : loadCommands();
}

/** The question of a shell in which TAB was pressed: `complete -- mig`. Nobody types it, so it is no command. */
function asksForWords([first, second]: readonly string[]): boolean {
  return first === "complete" && second === "--";
}

async function offerWords({ words, stdout }: Surroundings): Promise<ExitCode> {
  const { answerShell } = await import("./shell-completion/answer-shell.js");
  stdout.write(answerShell(words.slice(2), await loadCommands()));
  return EXIT.ok;
}

/** One function that takes out everything that was ever to be hidden. */
function hiding(): { readonly redact: Redact; readonly hide: (redact: Redact) => void } {
  const all: Redact[] = [];
  return {
    redact: (text) => all.reduce((safe, redact) => redact(safe), text),
    hide: (redact) => {
      all.push(redact);
    },
  };
}
