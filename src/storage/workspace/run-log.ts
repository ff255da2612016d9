import { randomBytes } from "node:crypto";
import type { ExitCode } from "../../core/errors.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Database } from "../sqlite.js";

/** One run of a command on the workspace. */
export interface Run {
  /** Sorts by time and is safe as a folder's name. */
  readonly id: string;
  readonly command: string;
  readonly details: JsonObject;
  /** UNIX seconds. */
  readonly started: number;
  /** UNIX seconds of the last sign of life. */
  readonly active: number;
  /** UNIX seconds; null while it runs, and for ever when it was killed. */
  readonly ended: number | null;
  readonly exitCode: number | null;
  readonly summary: JsonObject | null;
}

export interface RunReader {
  /** The run that started last. */
  last(): Run | undefined;
  /** By its id. */
  run(id: string): Run | undefined;
  /** The run of a command that started last. */
  lastOf(command: string): Run | undefined;
  /** So many at most, the one that started last first. */
  recent(most: number): readonly Run[];
}

export interface RunLog extends RunReader {
  /** Returns the run's id. Details must not hold secrets: they are shown by `status`. */
  start(command: string, details: JsonObject): string;
  /** A sign of life of the run that started last; may be called as often as one likes. */
  beat(): void;
  /**
   * Adds to what is known of the run that started last, as soon as it is: a run that is killed
   * keeps it too. As `details`, without secrets.
   */
  note(facts: JsonObject): void;
  end(id: string, outcome: { readonly exitCode: ExitCode; readonly summary: JsonObject }): void;
  /** The run that this log started last, in this process. */
  current(): string | undefined;
}

interface RunRow extends Omit<Run, "details" | "summary"> {
  readonly details: string;
  readonly summary: string | null;
}

/** Milliseconds: `status` asks whether a run moves, for which seconds are fine enough. */
const BEAT_EVERY = 2000;

export function createRunLog(database: Database): RunLog {
  let current: string | undefined;
  let beaten = 0;
  return {
    start: (command, details) => {
      current = insertRun(database, command, details);
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

function insertRun(database: Database, command: string, details: JsonObject): string {
  const now = new Date();
  const time = now.toISOString().replace(/[-:]|\..*$/g, "");
  const id = `${time}-${randomBytes(3).toString("hex")}`;
  database.run(
    "INSERT INTO run (id, command, details, started, active) VALUES (:id, :command, :details, :started, :started)",
    { id, command, details: JSON.stringify(details), started: seconds() },
  );
  return id;
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
