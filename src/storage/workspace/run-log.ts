import { randomBytes } from "node:crypto";
import type { ExitCode } from "../../core/errors.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Database } from "../sqlite.js";

/** One run of a command on the workspace. */
export interface Run {
  /** Sorts by time; usable as the name of a folder. */
  readonly id: string;
  readonly command: string;
  readonly details: JsonObject;
  /** UNIX seconds. */
  readonly started: number;
  /** UNIX seconds of the last `beat`. */
  readonly active: number;
  /** UNIX seconds; null: the run is not finished, or was killed. */
  readonly ended: number | null;
  readonly exitCode: number | null;
  readonly summary: JsonObject | null;
}

export interface RunReader {
  last(): Run | undefined;
  run(id: string): Run | undefined;
  /** The run of this command that started last. */
  lastOf(command: string): Run | undefined;
  /** At most `most` runs; the one that started last comes first. */
  recent(most: number): readonly Run[];
}

export interface RunLog extends RunReader {
  /**
   * Returns the run's id: `id`, or a new one if the log has that already. Details must not contain
   * secrets, because `status` shows them.
   */
  start(command: string, details: JsonObject, id?: string): string;
  /** Records that the current run is alive; may be called at any rate. */
  beat(): void;
  /** Adds facts to the details of the current run immediately, so that a killed run keeps them. */
  note(facts: JsonObject): void;
  end(id: string, outcome: { readonly exitCode: ExitCode; readonly summary: JsonObject }): void;
  current(): string | undefined;
}

interface RunRow extends Omit<Run, "details" | "summary"> {
  readonly details: string;
  readonly summary: string | null;
}

/** Milliseconds. `status` needs no more precision to see whether a run is alive. */
const BEAT_EVERY = 2000;

export function createRunLog(database: Database): RunLog {
  let current: string | undefined;
  let beaten = 0;
  return {
    start: (command, details, id) => {
      current = insertRun(database, { command, details, id });
      return current;
    },
    beat: () => {
      if (current === undefined || Date.now() - beaten < BEAT_EVERY) return;
      beaten = Date.now();
      const values = { id: current, active: seconds() };
      database.lightly(() => database.run("UPDATE run SET active = :active WHERE id = :id", values));
    },
    note: (facts) => {
      const known = current === undefined ? undefined : runNamed(database, current);
      if (known === undefined) return;
      const details = JSON.stringify({ ...known.details, ...facts });
      database.run("UPDATE run SET details = :details WHERE id = :id", { id: known.id, details });
    },
    end: (id, { exitCode, summary }) => {
      database.run(
        "UPDATE run SET active = :ended, ended = :ended, exit_code = :exitCode, summary = :summary WHERE id = :id",
        { id, ended: seconds(), exitCode, summary: JSON.stringify(summary) },
      );
    },
    current: () => current,
    last: () => lastRun(database),
    run: (id) => runNamed(database, id),
    recent: (most) =>
      database.all<RunRow>(`SELECT ${COLUMNS} FROM run ORDER BY rowid DESC LIMIT :most`, { most }).map(runOf),
    lastOf: (command) =>
      toRun(
        database.get<RunRow>(`SELECT ${COLUMNS} FROM run WHERE command = :command ORDER BY rowid DESC LIMIT 1`, {
          command,
        }),
      ),
  };
}

interface NewRun extends Pick<Run, "command" | "details"> {
  readonly id: string | undefined;
}

function insertRun(database: Database, { command, details, id: wanted }: NewRun): string {
  const isFree = wanted !== undefined && runNamed(database, wanted) === undefined;
  const id = isFree ? wanted : newRunId();
  database.run(
    "INSERT INTO run (id, command, details, started, active) VALUES (:id, :command, :details, :started, :started)",
    { id, command, details: JSON.stringify(details), started: seconds() },
  );
  return id;
}

/** `20261120T220000-a1b2c3`: the time, then chance. */
export function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]|\..*$/g, "");
  return `${time}-${randomBytes(3).toString("hex")}`;
}

const COLUMNS = "id, command, details, started, active, ended, exit_code AS exitCode, summary";

function lastRun(database: Database): Run | undefined {
  return toRun(database.get<RunRow>(`SELECT ${COLUMNS} FROM run ORDER BY rowid DESC LIMIT 1`));
}

function runNamed(database: Database, id: string): Run | undefined {
  return toRun(database.get<RunRow>(`SELECT ${COLUMNS} FROM run WHERE id = :id`, { id }));
}

function toRun(row: RunRow | undefined): Run | undefined {
  return row === undefined ? undefined : runOf(row);
}

function runOf(row: RunRow): Run {
  return { ...row, details: JSON.parse(row.details), summary: row.summary === null ? null : JSON.parse(row.summary) };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
