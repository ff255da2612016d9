import type { Readable } from "node:stream";
import type { Redact } from "../service/secret.js";
import { type ExitCode, StoppedError } from "../core/errors.js";
import type { CommandCall } from "./command.js";
import { goesOn } from "./goes-on.js";
import type { ConfigFile } from "./options/config-file.js";
import { readCredentials } from "./options/credentials.js";
import type { Environment } from "./options/environment.js";
import { OPTIONS, type OptionName, type Settings } from "./options/table.js";
import { explainError } from "./output/explain-error.js";
import type { Output } from "./output/output.js";
import type { Invocation } from "./program.js";
import { shellQuote } from "./shell-quote.js";
import { type Interruption, listenToSignals, SIGNALS } from "./signals.js";
import { startTimeLimit, type TimeLimit } from "./time-limit.js";

/** Everything that a command line, the environment and the configuration came to. */
export interface PreparedRun {
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

const ALL_KEPT = "What was done so far is kept.";
const BEGINS_ANEW = "Nothing that it found so far is kept: given again, the same command begins anew.";
/** Errors that stop a run often say so themselves. */
const KEPT = /done so far is kept/;

/** Runs a command under the watch of signals, tells how it failed, and how to go on. */
export async function runCommand(run: PreparedRun): Promise<ExitCode> {
  const { output, invocation } = run;
  const signals = listenToSignals(
    (name) => {
      if (invocation.command.resumable)
        output.warn(`${name}: finishing what runs, 30 s at most. Once more ends it at once.`);
    },
    () => output.warn("Ending at once."),
  );
  const crash = listenToCrashes();
  const limit = startTimeLimit(invocation.command.name, run.settings, (why) => {
    output.warn(`${why} Nothing new is begun, and what runs is finished.`);
  });
  try {
    warnOfPort(run);
    if (limit.words !== undefined) output.note(`Stops at ${limit.words}, unless it is done before.`);
    return await Promise.race([invocation.command.run(callOf(run, signals, limit)), signals.over, crash.over]);
  } catch (error) {
    return tell(error, run, { signals, limit });
  } finally {
    output.close();
    limit.close();
    signals.close();
    crash.close();
  }
}

/** Of a flag only: a configuration may name the port for those that need one. */
function warnOfPort({ invocation, settings, output }: PreparedRun): void {
  const isOfPage = OPTIONS.ui.commands.includes(invocation.command.name);
  if (isOfPage && invocation.flags["port"] !== undefined && !settings.ui)
    output.warn("--port: without effect here, since only --ui shows a page.");
}

function callOf(run: PreparedRun, signals: Interruption, limit: TimeLimit): CommandCall {
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
    redact: run.redact,
    again: againOf(run),
    stop: AbortSignal.any([signals.stop, limit.stop]),
    abort: signals.abort,
  };
}

/** The command line that goes on; null: given again, it begins anew. */
function againOf({ invocation, words }: PreparedRun): string | null {
  return invocation.command.resumable ? shellQuote(["guideferry", ...words]) : null;
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

/** What may have ended a run that did not end by itself. */
interface Endings {
  readonly signals: Interruption;
  readonly limit: TimeLimit;
}

function tell(error: unknown, run: PreparedRun, { signals, limit }: Endings): ExitCode {
  const { text, trace, exitCode } = explainError(error, run.settings.debug);
  const name = signals.caught();
  const again = againOf(run);
  const goOn = again === null ? "" : `To go on:\n  ${again}`;
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
    run.output.stopped(`${why} ${goOn === "" ? BEGINS_ANEW : `${kept}${goOn}`}`, exitCode);
    return exitCode;
  }
  const ending = goesOn(error, exitCode) && goOn !== "" ? ` ${kept}${goOn}` : "";
  run.output.fail(`${text}${ending}${below}`, exitCode);
  return exitCode;
}
