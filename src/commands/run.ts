import type { Readable } from "node:stream";
import { EXIT, type ExitCode, StoppedError } from "../core/errors.js";
import { bandwidthOf } from "../core/util/bandwidth.js";
import { createRedactor, type Redact } from "../service/http/secret.js";
import { newRunId } from "../storage/workspace/run-log.js";
import { type Filled, fillArguments } from "./arguments.js";
import type { Command, CommandCall } from "./command.js";
import { loadCommands, loadNamedCommand } from "./commands.js";
import { explainError, isResumable } from "./exit-codes.js";
import { type Interruption, listenToSignals, SIGNALS, startTimeLimit, type TimeLimit } from "./interruption.js";
import { createMonitor, type Monitor, type Places } from "./monitoring/monitor.js";
import type { ConfigFile } from "./options/config-file.js";
import { type Environment, NOTIFY_VARIABLE, TASK_VARIABLE } from "./options/credential-names.js";
import { flagValues, readReceivers, receiverSecrets, receiversInWords, withoutNotify } from "./options/receivers.js";
import { resolveSecrets, resolveVariables } from "./options/secrets.js";
import { readCredentials, readSecrets, readSettings } from "./options/settings.js";
import type { OptionName, Settings } from "./options/table.js";
import { createLog, type Log, logOutput } from "./output/json-log.js";
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
  const { words, version } = around;
  if (asksForWords(words)) return offerWords(around);
  const { redact, hide } = hiding();
  hide(
    createRedactor([...readSecrets(around.environment, null), ...receiverSecrets(words, around.environment)]).redact,
  );
  const command = await loadNamedCommand(words);
  const id = newRunId();
  const printer = createPrinter(around, { command, redact, run: id });
  const facts = { run: id, command: command?.name ?? "", version, environment: around.environment, redact };
  const monitor = createMonitor({ ...facts, warn: printer.warn, log: printer.log });
  let output = printer.outputOf(settingsInWords(around));
  try {
    const invocation = parseCommandLine(words, command === undefined ? await unnamed(words) : [command], around);
    if (invocation === undefined) return EXIT.ok;
    const { settings, given, file } = await readSettings(invocation.flags, around.environment, around.directory, {
      findsFile: invocation.command.writesConfig !== true,
      warn: (text) => output.warn(text),
    });
    const environment = await resolveSecrets(around.environment, invocation.command, file);
    const named = file.config.notifyVariable;
    hide(createRedactor([...readSecrets(environment, file), ...receiverSecrets(words, environment, named)]).redact);
    output = monitor.hear(printer.outputOf(settings));
    const filled = fillArguments(invocation.command, { ...around, words: invocation.arguments, settings, given, file });
    if (filled.note !== null) output.note(filled.note);
    const has = (name: OptionName): boolean => invocation.command.options.includes(name);
    const { notify, insecureHttp } = settings;
    const receivers = has("notify") ? readReceivers({ given: notify, environment, named, insecureHttp }) : [];
    const metrics = has("metrics") ? settings.metrics : null;
    await monitor.start({ ...invocation, ...filled, settings, receivers, metrics });
    const { stdin, stdout } = around;
    const prepared = {
      invocation,
      filled,
      settings,
      given,
      file,
      output,
      hide,
      redact,
      words,
      environment,
      version,
      monitor,
    };
    return await monitor.end(await runCommand({ ...prepared, stdin, stdout }));
  } catch (reason) {
    const { text, trace, exitCode } = explainError(reason, words.includes("--debug"));
    output.fail(trace === null ? text : `${text}\n${trace}`, exitCode, reason);
    if (isLong(command) || flagValues(words, "--notify").length > 0)
      monitor.startLate(await placesInWords(around, command, hide));
    return monitor.end(exitCode);
  } finally {
    printer.close();
  }
}

/** What decides the form of the output until the settings are known. */
function settingsInWords({ words, environment }: Surroundings): PrintedSettings {
  const [json, csv, nginx] = [words.includes("--json"), words.includes("--csv"), words.includes("--nginx")];
  const format = flagValues(words, "--log-format").at(-1) ?? environment["GUIDEFERRY_LOG_FORMAT"];
  const logFormat = format === "json" ? "json" : "text";
  return { json, csv, nginx, logFormat, quiet: false, verbose: false, progress: false };
}

/** The receivers of a run whose command line cannot be read, as far as its words name them. */
async function placesInWords(
  { words, environment }: Surroundings,
  command: Command | undefined,
  hide: (redact: Redact) => void,
): Promise<Places> {
  // An error here is the one that ended the run, or hidden by it.
  const resolved = await resolveVariables(environment, [NOTIFY_VARIABLE]).catch(() => environment);
  hide(createRedactor(receiverSecrets(words, resolved)).redact);
  const metrics = flagValues(words, "--metrics").at(-1) ?? (environment["GUIDEFERRY_METRICS"] || null);
  return { receivers: receiversInWords(words, resolved), metrics: isLong(command) ? metrics : null };
}

type PrintedSettings = Omit<OutputOptions, "dated"> & Pick<Settings, "csv" | "nginx" | "logFormat">;

interface Printer {
  outputOf(settings: PrintedSettings): Output;
  /** A warning on stderr, also when the output is closed, in the form of the last output. */
  warn(text: string): void;
  /** Writes a line of the structured log; nothing without one. */
  log(level: "info" | "error", text: string, facts: object): void;
  close(): void;
}

interface PrinterOptions {
  readonly command: Command | undefined;
  readonly redact: Redact;
  readonly run: string;
}

/** Makes the outputs of a run: first by its words, then by its settings. */
function createPrinter({ stdout, stderr, environment }: Surroundings, options: PrinterOptions): Printer {
  const { command, redact, run } = options;
  const [out, error] = [createWriter(stdout, redact, environment), createWriter(stderr, redact, environment)];
  const isContent = command?.contentOnStdout ?? (() => false);
  const dated = isLong(command);
  const log = createLog({ stream: stderr, redact, run, command: command?.name ?? "" });
  let [inLog, quiet] = [false, false];
  let restore: (() => void) | undefined;
  return {
    outputOf: (settings) => {
      [inLog, quiet] = [settings.logFormat === "json", settings.quiet];
      const all = { ...settings, dated };
      if (!inLog) return createOutput(all, isContent(settings) ? error : out, error);
      restore ??= logWarningsOfNode(log);
      return logOutput(all, isContent(settings) ? null : out, error, log);
    },
    warn: (text) => {
      if (inLog) log.write("warn", text);
      else (dated && !error.terminal ? error.dated(() => new Date()) : error).line(text, WARNING);
    },
    log: (level, text, facts) => {
      if (inLog && (level === "error" || !quiet)) log.write(level, text, facts);
    },
    close: () => restore?.(),
  };
}

const WARNING = { style: "yellow", text: "warning:" } as const;

/** Node prints its warnings as text, between the lines of the log. Returns the way back. */
function logWarningsOfNode(log: Log): () => void {
  const listeners = process.listeners("warning");
  const listen = ({ name, message }: Error): void => log.write("warn", message, { error: { name, message } });
  process.removeAllListeners("warning");
  process.on("warning", listen);
  return () => {
    process.off("warning", listen);
    for (const one of listeners) process.on("warning", one);
  };
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

async function offerWords({ words, stdout, directory }: Surroundings): Promise<ExitCode> {
  const { answerShell } = await import("./shell-completion.js");
  const { profilesToOffer } = await import("./options/config-file.js");
  const profiles = await profilesToOffer(flagValues(words, "--config").at(-1), directory);
  stdout.write(answerShell(words.slice(2), await loadCommands(), profiles));
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
  readonly filled: Filled;
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
  readonly monitor: Monitor;
}

const ALL_KEPT = "All results so far are kept.";
const STARTS_OVER = "No results are kept: the same command starts again from the beginning.";
const BY_ITSELF =
  "The fleet continues this task by itself, unless it failed or somebody paused or cancelled it. To run it now";
const KEPT = /so far (?:is|are) kept/;

async function runCommand(run: PreparedRun): Promise<ExitCode> {
  const { output, invocation } = run;
  const signals = listenToSignals(
    (name) => {
      if (invocation.command.resumable)
        output.warn(`${name}: finishing running work, for at most 30 s. A second signal ends it at once.`);
    },
    () => output.warn("Ending now."),
    { finishWithin: invocation.command.finishWithin?.(run.settings) },
  );
  const crash = listenToCrashes();
  const limit = startTimeLimit(invocation.command, run.settings, (why) => {
    output.warn(`${why} Nothing new is started; running work is finished.`);
  });
  try {
    warnOfPort(run);
    if (limit.words !== undefined) output.note(`Stops at ${limit.words}, unless it finishes earlier.`);
    const ended = await Promise.race([invocation.command.run(callOf(run, signals, limit)), signals.over, crash.over]);
    return typeof ended === "number" ? ended : ended.exitCode;
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
    arguments: run.filled.arguments,
    sides: run.filled.sides,
    settings: run.settings,
    options: run.invocation.command.options,
    given: run.given,
    flags: run.invocation.flags,
    credentials: (side) => readCredentials(side, run.environment, run.file),
    output: run.output,
    stdin: run.stdin,
    stdout: run.stdout,
    environment: run.environment,
    version: run.version,
    hide: run.hide,
    redact: run.redact,
    again: againOf(run),
    monitor: run.monitor,
    observe: run.monitor.observe,
    bandwidth: bandwidthOf(run.settings.maxBandwidth),
    stop: AbortSignal.any([signals.stop, limit.stop]),
    abort: signals.abort,
  };
}

/** The command that continues a run; null: none does. A task is continued for the whole fleet. */
function againOf({ invocation, words, environment }: PreparedRun): string | null {
  if (invocation.command.resumable !== true) return null;
  const task = environment[TASK_VARIABLE];
  return shellQuote(["guideferry", ...(task ? ["fleet", "retry", task.slice(0, 8)] : withoutNotify(words))]);
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
  const goOn = again === null ? "" : `${run.environment[TASK_VARIABLE] ? BY_ITSELF : "To continue"}:\n  ${again}`;
  const below = trace === null ? "" : `\n${trace}`;
  const kept = KEPT.test(text) ? "" : `${ALL_KEPT} `;
  if (again !== null && (name !== undefined || isResumable(error, exitCode))) run.monitor.note({ next: again });
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
  run.output.fail(`${text}${ending}${below}`, exitCode, error);
  return exitCode;
}
