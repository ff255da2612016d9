import type { Readable } from "node:stream";
import type { Redact } from "../api/secret.js";
import { EXIT, type ExitCode, StoppedError } from "../errors.js";
import type { CommandCall } from "./command.js";
import type { ConfigFile } from "./options/config-file.js";
import { readCredentials } from "./options/credentials.js";
import type { Environment } from "./options/environment.js";
import type { OptionName, Settings } from "./options/table.js";
import { explainError } from "./output/explain-error.js";
import type { Output } from "./output/output.js";
import type { Invocation } from "./program.js";
import { shellQuote } from "./shell-quote.js";
import { type Interruption, listenToSignals, SIGNALS } from "./signals.js";

/** Everything that a command line, the environment and the configuration came to. */
export interface PreparedRun {
  readonly invocation: Invocation;
  readonly settings: Settings;
  readonly given: ReadonlySet<OptionName>;
  readonly file: ConfigFile;
  readonly output: Output;
  readonly hide: (redact: Redact) => void;
  readonly words: readonly string[];
  readonly stdin: () => Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly environment: Environment;
  readonly version: string;
}

/** Ends after which the same command line goes on. */
const GOES_ON: ReadonlySet<ExitCode> = new Set([EXIT.stopped, EXIT.signInRefused, EXIT.brake, EXIT.unreachable]);

const ALL_KEPT = "What was done so far is kept.";
/** Errors that stop a run often say so themselves. */
const KEPT = /done so far is kept/;

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
  const crash = listenToCrashes();
  try {
    return await Promise.race([invocation.command.run(callOf(run, signals)), signals.over, crash.over]);
  } catch (error) {
    return tell(error, run, signals, commandLine);
  } finally {
    output.close();
    signals.close();
    crash.close();
  }
}

function callOf(run: PreparedRun, signals: Interruption): CommandCall {
  return {
    arguments: run.invocation.arguments,
    settings: run.settings,
    given: run.given,
    credentials: (side) => readCredentials(side, run.environment, run.file),
    output: run.output,
    stdin: run.stdin,
    stdout: run.stdout,
    environment: run.environment,
    version: run.version,
    hide: run.hide,
    stop: signals.stop,
    abort: signals.abort,
  };
}

/** Rejects with an error that no promise carries: thrown in an event, or by a promise that nobody waits for. */
function listenToCrashes(): { readonly over: Promise<never>; readonly close: () => void } {
  let end: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  process.once("uncaughtException", end);
  return { over, close: () => process.off("uncaughtException", end) };
}

function tell(error: unknown, run: PreparedRun, signals: Interruption, commandLine: string): ExitCode {
  const { text, trace, exitCode } = explainError(error, run.settings.debug);
  const name = signals.caught();
  const goOn = run.invocation.command.resumable ? `To go on:\n  ${commandLine}` : "";
  const below = trace === null ? "" : `\n${trace}`;
  run.output.close();
  if (name === undefined) {
    const ending = GOES_ON.has(exitCode) && goOn !== "" ? ` ${KEPT.test(text) ? "" : `${ALL_KEPT} `}${goOn}` : "";
    run.output.fail(`${text}${ending}${below}`, exitCode);
    return exitCode;
  }
  const other = error instanceof StoppedError || signals.abort.aborted ? "" : `\n${text}${below}`;
  run.output.stopped(`Stopped by ${name}.${goOn === "" ? "" : ` ${ALL_KEPT} ${goOn}`}${other}`, SIGNALS[name]);
  return SIGNALS[name];
}
