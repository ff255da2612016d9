import { EXIT, type ExitCode, messageOf } from "../../core/errors.js";
import type { ObserveRequest } from "../../service/http/transport.js";
import { meaningOf } from "../exit-codes.js";
import type { Environment } from "../options/credential-names.js";
import type { Receiver } from "../options/receivers.js";
import type { Output } from "../output/output.js";
import type { Notifier } from "./notify.js";
import {
  type CommandLine,
  isSuccess,
  type Metric,
  type RecorderOptions,
  type RunFacts,
  type RunNotes,
  RunRecorder,
} from "./run-facts.js";
import type { Telemetry } from "./telemetry.js";

export interface Monitor extends RunNotes {
  readonly observe: ObserveRequest;
  /** The same output; its events are heard. */
  hear(output: Output): Output;
  /** The command line is read: reports the start of the run. */
  start(run: StartedRun): Promise<void>;
  /** The command line could not be read: only the end is reported. */
  startLate(places: Places): void;
  /** Reports the end of the run, within a bounded time; gives the exit code of the program. */
  end(exitCode: ExitCode): Promise<ExitCode>;
}

export interface Places {
  readonly receivers: readonly Receiver[];
  /** The metrics file; null: none. */
  readonly metrics: string | null;
}

interface StartedRun extends Places, CommandLine {}

interface MonitorOptions extends RecorderOptions {
  readonly environment: Environment;
  /** Prints a line on stderr, also after the end of the output. */
  readonly warn: (text: string) => void;
  /** Writes a line into the structured log, if there is one. */
  readonly log: (level: "info" | "error", text: string, facts: object) => void;
}

/** Where an SDK of OpenTelemetry notes itself; without it, its library is not even loaded. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** Collects the facts of one run, and reports them to its receivers, metrics file and SDK. */
export function createMonitor(options: MonitorOptions): Monitor {
  const { version, redact } = options;
  const notes = new RunRecorder(options);
  let places: Places | undefined;
  let notifier: Notifier | undefined;
  let telemetry: Telemetry | undefined;
  const notify = async ({ receivers }: Places): Promise<Notifier | undefined> => {
    if (receivers.length === 0) return undefined;
    const { createNotifier } = await import("./notify.js");
    return createNotifier({ ...options, receivers });
  };
  return {
    run: notes.run,
    note: (facts) => notes.note(facts),
    measure: (metrics) => notes.measure(metrics),
    observe: (request) => {
      const ended = telemetry?.observe(request);
      notes.sent();
      return (end) => {
        notes.answered(end);
        ended?.(end);
      };
    },
    hear: (output) => ({
      ...output,
      event: (type, facts) => {
        notes.event(type, facts);
        output.event(type, facts);
      },
      progress: (event) => {
        telemetry?.progress(event);
        output.progress(event);
      },
      watch: (look) => {
        notes.watch(look);
        output.watch(look);
      },
    }),
    start: async (run) => {
      places = run;
      notes.read(run);
      const { command, source, target } = notes.facts();
      options.log("info", `${command} starts`, { source, target });
      if (Reflect.has(globalThis, REGISTERED)) {
        const { startTelemetry } = await import("./telemetry.js");
        telemetry = startTelemetry(notes.facts(), { version, redact });
      }
      notifier = await notify(run);
      notifier?.start(notes.facts());
    },
    startLate: (given) => {
      places = given;
    },
    end: async (code) => {
      if (places === undefined) return code;
      const [ended, own, { metrics: file }] = [notes.facts(code), notes.own(code), places];
      const exitCode = await keepMetrics(ended, { file, exitCode: code, own, warn: options.warn });
      const facts = { ...ended, exitCode };
      options.log(isSuccess(exitCode) ? "info" : "error", `${facts.command} ends with ${exitCode}`, loggedFacts(facts));
      notifier ??= await notify(places);
      await Promise.all([notifier?.end(facts), telemetry?.end(facts, options.warn)]);
      return exitCode;
    },
  };
}

/** The last line of the log. */
function loggedFacts({ started, ended, ...facts }: RunFacts): object {
  const { exitCode, items, results, requests, bytes, refusals, waited, report, next } = facts;
  const durationMs = (ended ?? started) - started;
  return {
    exitCode,
    meaning: meaningOf(exitCode, facts.command),
    durationMs,
    items,
    results,
    requests,
    bytes,
    refusals,
    waited,
    report,
    next,
  };
}

interface MetricsToKeep {
  /** null: nobody wants metrics. */
  readonly file: string | null;
  readonly exitCode: ExitCode;
  readonly own: readonly Metric[];
  readonly warn: (text: string) => void;
}

/**
 * Writes the metrics of a run. A file that cannot be written is a warning and the exit code 3: it
 * never hides another result.
 */
async function keepMetrics(run: RunFacts, { file, exitCode, own, warn }: MetricsToKeep): Promise<ExitCode> {
  if (file === null || exitCode === EXIT.locked) return exitCode;
  try {
    const { writeMetrics } = await import("./metrics.js");
    await writeMetrics(file, run, own);
    return exitCode;
  } catch (error) {
    warn(`The metrics could not be written. The result of the run is not affected. ${messageOf(error)}`);
    return exitCode === EXIT.ok ? EXIT.someFailed : exitCode;
  }
}
