import { EXIT, type ExitCode } from "../../core/errors.js";

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
export type OwnMetrics = (exitCode: ExitCode, ended: number) => readonly Metric[];

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
