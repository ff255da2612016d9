import { hostname } from "node:os";
import { EXIT, type ExitCode, FerryError } from "../../core/errors.js";
import { isObject, listIn, objectIn, rowsIn, textIn } from "../../core/util/json.js";
import type { QueueUse } from "../../service/http/request-statistics.js";
import { type Redact, redactTexts } from "../../service/http/secret.js";
import type { ObserveRequest, RequestEnd } from "../../service/http/transport.js";
import { meaningOf } from "../exit-codes.js";
import type { Environment, Side } from "../options/credential-names.js";
import type { Receiver } from "../options/receivers.js";
import type { OptionName, Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { shellQuote } from "../output/words.js";
import type { Notifier } from "./notify.js";
import { isSuccess, type Metric, type Noted, type OwnMetrics, type RunFacts, type RunNotes } from "./run-facts.js";
import type { Telemetry } from "./telemetry.js";

export interface Monitor extends RunNotes {
  readonly observe: ObserveRequest;
  /** The same output; its events are heard. */
  hear(output: Output): Output;
  /** The command line is read: tells the receivers that the run starts. */
  start(run: StartedRun): Promise<void>;
  /** The command line could not be read: only its end is told. */
  startLate(places: Places): void;
  /** Tells everybody how the run ended. Takes a bounded time; gives its exit code. */
  end(exitCode: ExitCode): Promise<ExitCode>;
}

export interface Places {
  readonly receivers: readonly Receiver[];
  /** The metrics file; null: none. */
  readonly metrics: string | null;
}

interface StartedRun extends Places {
  readonly command: {
    readonly arguments: readonly { readonly name: string; readonly many?: true }[];
    readonly signsIn: readonly Side[];
    readonly options: readonly OptionName[];
  };
  readonly arguments: readonly string[];
  readonly settings: Pick<Settings, "repository" | "workspace">;
}

interface MonitorOptions {
  readonly run: string;
  /** The command that the words name; "" if they name none. */
  readonly command: string;
  readonly version: string;
  readonly environment: Environment;
  readonly redact: Redact;
  /** Prints a line on stderr, also after the end of the output. */
  readonly warn: (text: string) => void;
  /** Writes a line into the structured log, if there is one. */
  readonly log: (level: "info" | "error", text: string, facts: object) => void;
}

/** Where an SDK of OpenTelemetry notes itself; without it, its library is not even loaded. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** Collects the facts of one run, and tells those who want to know them. */
export function createMonitor(options: MonitorOptions): Monitor {
  const { version, redact } = options;
  const notes = createNotes(options);
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
    note: notes.note,
    measure: notes.measure,
    observe: (request) => {
      const [count, tell] = [notes.observe(), telemetry?.observe(request)];
      return (end) => {
        count(end);
        tell?.(end);
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
      const ended = notes.facts(code);
      const exitCode = await keepMetrics(places.metrics, ended, notes.own(code), options.warn);
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

/**
 * Writes the metrics, if asked for. A file that cannot be written is a warning and the exit code 3:
 * it never hides another result.
 */
async function keepMetrics(
  file: string | null,
  run: RunFacts & { readonly exitCode: ExitCode },
  own: readonly Metric[],
  warn: (text: string) => void,
): Promise<ExitCode> {
  const { exitCode } = run;
  if (file === null || exitCode === EXIT.locked) return exitCode;
  try {
    const { writeMetrics } = await import("./metrics.js");
    await writeMetrics(file, run, own);
    return exitCode;
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    warn(`The metrics could not be written. The result of the run is not affected. ${error.message}`);
    return exitCode === EXIT.ok ? EXIT.someFailed : exitCode;
  }
}

/** The facts of a run as they come in. */
function createNotes({ run, command, version, redact }: MonitorOptions) {
  const started = Date.now();
  const looks = new Set<() => readonly QueueUse[]>();
  let job: RunFacts["job"] = null;
  let noted: Noted = {};
  let own: OwnMetrics = () => [];
  let bytes = 0;
  let requests = 0;
  let kinds: Numbers | undefined;
  let numbers: Numbers = {};
  let report: string | null = null;
  let offered: string | null = null;
  const facts = (exitCode: ExitCode | null): RunFacts => {
    const uses = [...looks].flatMap((look) => look());
    const next = exitCode === null ? null : (noted.next ?? offered ?? nextAfter(exitCode, command, noted.workspace));
    const known: RunFacts = {
      ...{ command, run, version, host: hostname(), job, started, exitCode, bytes, requests, report, next },
      source: siteName(noted.source),
      target: siteName(noted.target),
      workspace: noted.workspace ?? null,
      ended: exitCode === null ? null : Date.now(),
      ...countsIn(kinds, numbers),
      refusals: uses.reduce((sum, use) => sum + use.refusals, 0),
      waited: uses.reduce((sum, use) => sum + use.paused, 0) / 1000,
    };
    return redactTexts(known, redact);
  };
  return {
    run,
    facts: <Code extends ExitCode | null = null>(exitCode?: Code) =>
      facts(exitCode ?? null) as RunFacts & { readonly exitCode: Code },
    own: (exitCode: ExitCode) => own(exitCode, Date.now()),
    measure: (metrics: OwnMetrics): void => {
      own = metrics;
    },
    note: (more: Noted): void => {
      noted = { ...noted, ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)) };
    },
    read: (started: StartedRun): void => {
      const { folder, ...sites } = placesIn(started);
      noted = { ...sites, ...noted };
      const places = { folder, source: siteName(sites.source), target: siteName(sites.target) };
      const known = Object.entries(places).filter((entry): entry is [string, string] => Boolean(entry[1]));
      job = { command, ...Object.fromEntries(known) };
    },
    watch: (look: () => readonly QueueUse[]): void => void looks.add(look),
    observe: () => {
      requests += 1;
      return (end: RequestEnd): void => {
        bytes += "status" in end ? (end.bytes ?? 0) : 0;
      };
    },
    event: (type: string, told: object): void => {
      const given = objectIn(told);
      if (type === "report" && "kinds" in given) {
        kinds = sumOfKinds(given["kinds"]);
        report = textIn(given["html"]);
      }
      if (type !== "summary") return;
      numbers = { ...numbersIn(given), ...numbersIn(objectIn(given["counts"])) };
      const [way] = rowsIn(objectIn(given["leftOut"])["ways"]).flatMap((row) => textIn(row["command"]) || []);
      offered = way ?? null;
    },
  };
}

type Numbers = Readonly<Record<string, number>>;

/** The numbers of all kinds, without those that are 0 everywhere. */
function sumOfKinds(kinds: unknown): Numbers {
  const sums: Record<string, number> = {};
  for (const row of listIn(kinds).filter(isObject))
    for (const [outcome, count] of Object.entries(numbersIn(row))) sums[outcome] = (sums[outcome] ?? 0) + count;
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count > 0));
}

function countsIn(kinds: Numbers | undefined, numbers: Numbers): Pick<RunFacts, "items" | "results"> {
  if (kinds === undefined || Object.keys(kinds).length === 0) return { items: {}, results: numbers };
  const { losses, ...items } = kinds;
  return { items, results: losses === undefined ? {} : { losses } };
}

function numbersIn(facts: object): Numbers {
  const entries = Object.entries(facts).filter(([name]) => name !== "exitCode" && name !== "duration");
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

/** The sites of a command line, and the folder of its repository or workspace. */
function placesIn({ command, arguments: given, settings }: StartedRun): Noted & { readonly folder: string | null } {
  const { arguments: names, signsIn, options } = command;
  const places: { source?: string; target?: string; folder?: string } = {};
  for (const [at, { name }] of names.entries()) {
    const text = names.slice(0, at).some(({ many }) => many) ? given.at(-1) : given[at];
    if (text === undefined) continue;
    const isWritten = name === "TARGET" || (name.startsWith("SITE") && signsIn[0] === "target");
    if (ADDRESS.test(text) || name === "SITE" || name === "TARGET") places[isWritten ? "target" : "source"] = text;
    else places.folder ??= text;
  }
  const own = options.includes("repository") ? settings.repository : null;
  const workspace = options.includes("workspace") ? settings.workspace : null;
  return { ...places, folder: own ?? places.folder ?? workspace };
}

const ADDRESS = /^https?:\/\//i;

/** `https://site.example` from any address on it; anything else as it is. */
function siteName(text: string | undefined): string | null {
  if (text === undefined) return null;
  return ADDRESS.test(text) && URL.canParse(text) ? new URL(text).origin : text;
}

function nextAfter(exitCode: ExitCode, command: string, workspace: string | undefined): string | null {
  if (isSuccess(exitCode)) return null;
  if (exitCode === EXIT.usage) return command === "" ? "guideferry --help" : `guideferry ${command} --help`;
  return workspace === undefined ? null : shellQuote(["guideferry", "status", workspace]);
}
