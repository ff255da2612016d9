import type { Redact } from "../api/secret.js";
import { EXIT, type ExitCode, StoppedError } from "../errors.js";
import type { CommandCall } from "./command.js";
import type { ConfigFile } from "./options/config-file.js";
import { readCredentials } from "./options/credentials.js";
import type { Environment } from "./options/environment.js";
import type { Settings } from "./options/table.js";
import { explainError } from "./output/explain-error.js";
import type { Output } from "./output/output.js";
import type { Invocation } from "./program.js";
import { shellQuote } from "./shell-quote.js";
import { type Interruption, listenToSignals, SIGNALS } from "./signals.js";

/** Everything that a command line, the environment and the configuration came to. */
export interface PreparedRun {
  readonly invocation: Invocation;
  readonly settings: Settings;
  readonly file: ConfigFile;
  readonly output: Output;
  readonly hide: (redact: Redact) => void;
  readonly words: readonly string[];
  readonly environment: Environment;
}

/** Ends after which the same command line goes on. */
const GOES_ON: ReadonlySet<ExitCode> = new Set([EXIT.stopped, EXIT.signInRefused, EXIT.brake, EXIT.unreachable]);

/** Runs a command under the watch of signals, tells how it failed, and how to go on. */
export async function runCommand(run: PreparedRun): Promise<ExitCode> {
  const { output, invocation } = run;
  const commandLine = shellQuote(["guideferry", ...run.words]);
  const signals = listenToSignals(
    (name) => {
      if (invocation.command.resumable)
        output.warn(`${name}: finishing what runs, 30 s at most. Once more ends it at once.`);
    },
    () => output.warn("Ending at once."),
  );
  try {
    return await Promise.race([invocation.command.run(callOf(run, signals)), signals.over, crash()]);
  } catch (error) {
    return tell(error, run, signals, commandLine);
  } finally {
    output.close();
    signals.close();
  }
}

function callOf(run: PreparedRun, signals: Interruption): CommandCall {
  return {
    arguments: run.invocation.arguments,
    settings: run.settings,
    credentials: (side) => readCredentials(side, run.environment, run.file),
    output: run.output,
    environment: run.environment,
    hide: run.hide,
    stop: signals.stop,
    abort: signals.abort,
  };
}

/** Rejects with an error that no promise carries: thrown in an event, or by a promise that nobody waits for. */
function crash(): Promise<never> {
  return new Promise((_resolve, reject) => {
    process.once("uncaughtException", reject);
  });
}

function tell(error: unknown, run: PreparedRun, signals: Interruption, commandLine: string): ExitCode {
  const { text, exitCode } = explainError(error, run.settings.debug);
  const name = signals.caught();
  const goOn = run.invocation.command.resumable ? ` What was done so far is kept. To go on:\n  ${commandLine}` : "";
  run.output.close();
  if (name === undefined) {
    run.output.fail(GOES_ON.has(exitCode) ? `${text}${goOn}` : text, exitCode);
    return exitCode;
  }
  const other = error instanceof StoppedError || signals.abort.aborted ? "" : `\n${text}`;
  run.output.stopped(`Stopped by ${name}.${goOn}${other}`, SIGNALS[name]);
  return SIGNALS[name];
}
