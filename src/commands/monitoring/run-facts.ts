import { hostname } from "node:os";
import { EXIT, type ExitCode } from "../../core/errors.js";
import { isObject, listIn, objectIn, textIn } from "../../core/util/json.js";
import type { QueueUse } from "../../service/http/request-statistics.js";
import { type Redact, redactTexts } from "../../service/http/secret.js";
import type { RequestEnd } from "../../service/http/transport.js";
import type { Side } from "../options/credential-names.js";
import type { OptionName, Settings } from "../options/table.js";
import { shellQuote } from "../output/words.js";

/** What notifications, metrics and telemetry say of a run: no secret, and no content of items. */
export interface RunFacts {
  readonly command: string;
  /** The id in the run log, where the command keeps one. */
  readonly run: string;
  readonly version: string;
  readonly host: string;
  /** The origins of sites, or paths; null: none, or not known. */
  readonly source: string | null;
  readonly target: string | null;
  /** What tells the job from others, by its command line alone; null: it could not be read. */
  readonly job: Readonly<Record<string, string>> | null;
  readonly workspace: string | null;
  /** UNIX milliseconds. */
  readonly started: number;
  /** null: it has not ended. */
  readonly ended: number | null;
  readonly exitCode: ExitCode | null;
  /** Items by outcome, as in the report; `read` overlaps with the others. */
  readonly items: Readonly<Record<string, number>>;
  /** Values that were lost; where a command counts no items, the numbers of its summary. */
  readonly results: Readonly<Record<string, number>>;
  /** Requests that were sent, repetitions too. */
  readonly requests: number;
  /** Bytes of answers, as far as their heads say. */
  readonly bytes: number;
  /** Answers that asked for a pause: 429, and 503 with Retry-After. */
  readonly refusals: number;
  /** Seconds of these pauses. */
  readonly waited: number;
  /** The path of the HTML report; null: none. */
  readonly report: string | null;
  /** The command to run next; null: none, or nobody knows. */
  readonly next: string | null;
}

/** What a command tells of its run. */
export interface RunNotes {
  readonly run: string;
  note(facts: Noted): void;
  /** Metrics of this command alone, made when the run has ended. Only the last call counts. */
  measure(metrics: OwnMetrics): void;
}

/** `ended`: UNIX milliseconds. */
type OwnMetrics = (exitCode: ExitCode, ended: number) => readonly Metric[];

export interface Noted {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly workspace?: string;
  readonly next?: string;
}

/** A gauge of Prometheus with one set of labels. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  /** undefined: keeps the value in the file. */
  readonly value: number | undefined;
}

/** The exit codes of a run that did what it should. */
const GOOD: ReadonlySet<number | null> = new Set([EXIT.ok, EXIT.planHasChanges]);

export function isSuccess(exitCode: ExitCode | null): boolean {
  return GOOD.has(exitCode);
}

export interface RecorderOptions {
  readonly run: string;
  /** The command that the words name; "" if they name none. */
  readonly command: string;
  readonly version: string;
  readonly redact: Redact;
}

/** A command line that was read. */
export interface CommandLine {
  readonly command: {
    readonly arguments: readonly { readonly name: string; readonly many?: true }[];
    readonly signsIn: readonly Side[];
    readonly options: readonly OptionName[];
  };
  readonly arguments: readonly string[];
  readonly settings: Pick<Settings, "repository" | "workspace">;
}

/** Collects the facts of a run from what its command prints, sends and notes. */
export class RunRecorder implements RunNotes {
  readonly run: string;
  readonly #options: RecorderOptions;
  readonly #started = Date.now();
  readonly #looks = new Set<() => readonly QueueUse[]>();
  #job: RunFacts["job"] = null;
  #noted: Noted = {};
  #own: OwnMetrics = () => [];
  #requests = 0;
  #bytes = 0;
  #kinds: Numbers | undefined;
  #numbers: Numbers = {};
  #report: string | null = null;
  /** The command that the report names as the next step; "": none. */
  #next = "";

  constructor(options: RecorderOptions) {
    this.run = options.run;
    this.#options = options;
  }

  /** `exitCode` null: the run has not ended. */
  facts(exitCode: ExitCode | null = null): RunFacts {
    const { run, command, version, redact } = this.#options;
    const { source, target, workspace } = this.#noted;
    const uses = [...this.#looks].flatMap((look) => look());
    const known: RunFacts = {
      ...{ run, command, version, exitCode, host: hostname(), job: this.#job, started: this.#started },
      ...{ requests: this.#requests, bytes: this.#bytes, report: this.#report },
      ...countsIn(this.#kinds, this.#numbers),
      source: siteName(source),
      target: siteName(target),
      workspace: workspace ?? null,
      ended: exitCode === null ? null : Date.now(),
      refusals: uses.reduce((sum, use) => sum + use.refusals, 0),
      waited: uses.reduce((sum, use) => sum + use.paused, 0) / 1000,
      next: this.#nextAfter(exitCode),
    };
    return redactTexts(known, redact);
  }

  /** null: the run goes on, succeeded, or nobody knows. */
  #nextAfter(exitCode: ExitCode | null): string | null {
    const { command } = this.#options;
    const { next, workspace } = this.#noted;
    if (exitCode === null || isSuccess(exitCode)) return null;
    if (next !== undefined || this.#next !== "") return next ?? this.#next;
    if (exitCode === EXIT.usage) return command === "" ? "guideferry --help" : `guideferry ${command} --help`;
    return workspace === undefined ? null : shellQuote(["guideferry", "status", workspace]);
  }

  own(exitCode: ExitCode): readonly Metric[] {
    return this.#own(exitCode, Date.now());
  }

  measure(metrics: OwnMetrics): void {
    this.#own = metrics;
  }

  note(facts: Noted): void {
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    this.#noted = { ...this.#noted, ...Object.fromEntries(known) };
  }

  read(line: CommandLine): void {
    const { folder, ...sites } = placesIn(line);
    this.#noted = { ...sites, ...this.#noted };
    const places = { folder, source: siteName(sites.source), target: siteName(sites.target) };
    const known = Object.entries(places).filter((entry): entry is [string, string] => Boolean(entry[1]));
    this.#job = { command: this.#options.command, ...Object.fromEntries(known) };
  }

  watch(look: () => readonly QueueUse[]): void {
    this.#looks.add(look);
  }

  sent(): void {
    this.#requests += 1;
  }

  answered(end: RequestEnd): void {
    this.#bytes += "status" in end ? (end.bytes ?? 0) : 0;
  }

  /** An object of `--json`. */
  event(type: string, object: object): void {
    const given = objectIn(object);
    if (type === "report" && "kinds" in given) {
      this.#kinds = sumOfKinds(given["kinds"]);
      this.#report = textIn(given["html"]);
      this.#next = textIn(objectIn(given["next"])["command"]);
    }
    if (type === "summary") this.#numbers = { ...numbersIn(given), ...numbersIn(objectIn(given["counts"])) };
  }
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

/** Numbers of a summary that every run has, under other names. */
const TIMES: ReadonlySet<string> = new Set(["exitCode", "duration", "elapsedSeconds"]);

function numbersIn(facts: object): Numbers {
  const entries = Object.entries(facts).filter(([name]) => !TIMES.has(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

/** The sites of a command line, and the folder of its repository or workspace. */
function placesIn({ command, arguments: given, settings }: CommandLine): Noted & { readonly folder: string | null } {
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
