import type { Readable } from "node:stream";
import { EXIT, type ExitCode, StoppedError } from "../core/errors.js";
import { createRedactor, type Redact } from "../service/http/secret.js";
import type { Command, CommandCall } from "./command.js";
import { loadCommands, loadNamedCommand } from "./commands.js";
import { explainError, isResumable } from "./exit-codes.js";
import { type Interruption, listenToSignals, SIGNALS, startTimeLimit, type TimeLimit } from "./interruption.js";
import type { Environment } from "./options/credential-names.js";
import { resolveSecrets, secretsOf } from "./options/secrets.js";
import { type ConfigFile, readCredentials, readSecrets, readSettings } from "./options/settings.js";
import type { OptionName, Settings } from "./options/table.js";
import { createOutput, type Output, type OutputOptions } from "./output/output.js";
import { shellQuote } from "./output/words.js";
import { createWriter } from "./output/writer.js";
import { type Invocation, parseCommandLine } from "./program.js";

interface Surroundings {
  /** The command line without `node` and the script. */
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly directory: string;
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly version: string;
}

/**
 * Runs the command of a command line and returns its exit code. Never throws: every error is
 * printed and has a code.
 */
export async function run(around: Surroundings): Promise<ExitCode> {
  const { words } = around;
  if (asksForWords(words)) return offerWords(around);
  const { redact, hide } = hiding();
  hide(createRedactor(readSecrets(around.environment, null)).redact);
  const writer = (stream: Surroundings["stdout"]) => createWriter(stream, redact, around.environment);
  const [stdout, error] = [writer(around.stdout), writer(around.stderr)];
  const command = await loadNamedCommand(words);
  const isContent = command?.contentOnStdout ?? (() => false);
  const dated = isLong(command);
  const outputOf = (settings: Omit<OutputOptions, "dated"> & { readonly csv: boolean; readonly nginx: boolean }) =>
    createOutput({ ...settings, dated }, isContent(settings) ? error : stdout, error);
  // Until the settings are known, the words alone decide the form of the output.
  const [json, csv, nginx] = [words.includes("--json"), words.includes("--csv"), words.includes("--nginx")];
  let output = outputOf({ json, csv, nginx, quiet: false, verbose: false, progress: false });
  try {
    const invocation = parseCommandLine(words, command === undefined ? await unnamed(words) : [command], around);
    if (invocation === undefined) return EXIT.ok;
    const { settings, given, file } = await readSettings(invocation.flags, around.environment, around.directory, {
      findsFile: invocation.command.writesConfig !== true,
      warn: (text) => output.warn(text),
    });
    const environment = await resolveSecrets(around.environment, secretsOf(invocation.command));
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

/** Do its log lines carry the time? */
function isLong(command: Command | undefined): boolean {
  return command !== undefined && (command.resumable === true || command.long === true);
}

async function unnamed([first]: readonly string[]): Promise<readonly Command[]> {
  return first === "--version" || first === "-V" ? [] : loadCommands();
}

/** Is it a request of a shell's completion (`complete -- mig`)? */
function asksForWords([first, second]: readonly string[]): boolean {
  return first === "complete" && second === "--";
}

async function offerWords({ words, stdout }: Surroundings): Promise<ExitCode> {
  const { answerShell } = await import("./shell-completion.js");
  stdout.write(answerShell(words.slice(2), await loadCommands()));
  return EXIT.ok;
}

function hiding(): { readonly redact: Redact; readonly hide: (redact: Redact) => void } {
  const all: Redact[] = [];
  return {
    redact: (text) => all.reduce((safe, redact) => redact(safe), text),
    hide: (redact) => {
      all.push(redact);
    },
  };
}

interface PreparedRun {
  readonly invocation: Invocation;
  readonly settings: Settings;
  readonly given: ReadonlySet<OptionName>;
  readonly file: ConfigFile;
  readonly output: Output;
  readonly hide: (redact: Redact) => void;
  readonly redact: Redact;
  readonly words: readonly string[];
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly environment: Environment;
  readonly version: string;
}

const ALL_KEPT = "All results so far are kept.";
const STARTS_OVER = "No results are kept: the same command starts again from the beginning.";
const KEPT = /so far (?:is|are) kept/;

async function runCommand(run: PreparedRun): Promise<ExitCode> {
  const { output, invocation } = run;
  const signals = listenToSignals(
    (name) => {
      if (invocation.command.resumable)
        output.warn(`${name}: finishing running work, for at most 30 s. A second signal ends it at once.`);
    },
    () => output.warn("Ending now."),
  );
  const crash = listenToCrashes();
  const limit = startTimeLimit(invocation.command, run.settings, (why) => {
    output.warn(`${why} Nothing new is started; running work is finished.`);
  });
  try {
    warnOfPort(run);
    if (limit.words !== undefined) output.note(`Stops at ${limit.words}, unless it finishes earlier.`);
    return await Promise.race([invocation.command.run(callOf(run, signals, limit)), signals.over, crash.over]);
  } catch (error) {
    return reportError(error, run, { signals, limit });
  } finally {
    output.close();
    limit.close();
    signals.close();
    crash.close();
  }
}

function warnOfPort({ invocation, settings, output }: PreparedRun): void {
  const isOfPage = invocation.command.options.includes("ui");
  if (isOfPage && invocation.flags["port"] !== undefined && !settings.ui)
    output.warn("--port has no effect without --ui, which shows the live page.");
}

function callOf(run: PreparedRun, signals: Interruption, limit: TimeLimit): CommandCall {
  return {
    arguments: run.invocation.arguments,
    settings: run.settings,
    options: run.invocation.command.options,
    given: run.given,
    credentials: (side) => readCredentials(side, run.environment, run.file),
    output: run.output,
    stdin: run.stdin,
    stdout: run.stdout,
    environment: run.environment,
    version: run.version,
    hide: run.hide,
    redact: run.redact,
    again: againOf(run),
    stop: AbortSignal.any([signals.stop, limit.stop]),
    abort: signals.abort,
  };
}

function againOf({ invocation, words }: PreparedRun): string | null {
  return invocation.command.resumable ? shellQuote(["guideferry", ...words]) : null;
}

/** Rejects with an error that is thrown in an event, or by a promise that nothing awaits. */
function listenToCrashes(): { readonly over: Promise<never>; readonly close: () => void } {
  let end: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  process.once("uncaughtException", end);
  return { over, close: () => process.off("uncaughtException", end) };
}

interface Endings {
  readonly signals: Interruption;
  readonly limit: TimeLimit;
}

function reportError(error: unknown, run: PreparedRun, { signals, limit }: Endings): ExitCode {
  const { text, trace, exitCode } = explainError(error, run.settings.debug);
  const name = signals.caught();
  const again = againOf(run);
  const goOn = again === null ? "" : `To continue:\n  ${again}`;
  const below = trace === null ? "" : `\n${trace}`;
  const kept = KEPT.test(text) ? "" : `${ALL_KEPT} `;
  run.output.close();
  if (name !== undefined) {
    const other = error instanceof StoppedError || signals.abort.aborted ? "" : `\n${text}${below}`;
    run.output.stopped(`Stopped by ${name}.${goOn === "" ? "" : ` ${ALL_KEPT} ${goOn}`}${other}`, SIGNALS[name]);
    return SIGNALS[name];
  }
  if (error instanceof StoppedError && limit.stop.aborted) {
    const why = error === limit.stop.reason ? text : `${String(limit.stop.reason.message)} ${text}`;
    run.output.stopped(`${why} ${goOn === "" ? STARTS_OVER : `${kept}${goOn}`}`, exitCode);
    return exitCode;
  }
  const ending = isResumable(error, exitCode) && goOn !== "" ? ` ${kept}${goOn}` : "";
  run.output.fail(`${text}${ending}${below}`, exitCode);
  return exitCode;
}
