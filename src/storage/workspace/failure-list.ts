import type { Key } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";

/** Where an item failed. */
export type FailureStage = "extract" | "media" | "load" | "verify";

/** An item that failed and has not succeeded since. `status` shows it, `retry` repeats it. */
export interface Failure {
  readonly stage: FailureStage;
  readonly key: Key;
  /** API root of the target; null in the stages of the source. */
  readonly target: string | null;
  readonly reason: string;
  readonly remedy: string;
  /** UNIX seconds. */
  readonly at: number;
}

export interface FailureReader {
  list(stage?: FailureStage): readonly Failure[];
}

/** The newest failure for each stage and key, in `load` and `verify` also for each target. */
export interface FailureList extends FailureReader {
  /** In `load` and `verify`: for the target whose ledger was opened last. */
  add(stage: FailureStage, key: Key, reason: string, remedy: string): void;
  /** For the same target as `add`. */
  clear(stage: FailureStage, key: Key): void;
}

/** In place of a target's id, in the stages of the source. */
export const NO_TARGET = 0;

const AT_TARGET: ReadonlySet<FailureStage> = new Set(["load", "verify"]);

const OF_ITEM = "stage = :stage AND target = :target AND key = :key";

/** `currentTarget`: the id of its row. */
export function createFailureList(database: Database, currentTarget: () => number): FailureList {
  const scopeOf = (stage: FailureStage, key: Key) => ({
    stage,
    target: AT_TARGET.has(stage) ? currentTarget() : NO_TARGET,
    key,
  });
  return {
    ...createFailureReader(database),
    add: (stage, key, reason, remedy) => {
      database.run(
        "INSERT OR REPLACE INTO failure (stage, target, key, reason, remedy, at) VALUES (:stage, :target, :key, :reason, :remedy, :at)",
        { ...scopeOf(stage, key), reason, remedy, at: Math.floor(Date.now() / 1000) },
      );
    },
    clear: (stage, key) => {
      const scope = scopeOf(stage, key);
      // Hardly any item has failed before, and a look ends no shared commit.
      if (database.get(`SELECT 1 AS found FROM failure WHERE ${OF_ITEM}`, scope) === undefined) return;
      database.run(`DELETE FROM failure WHERE ${OF_ITEM}`, scope);
    },
  };
}

export function createFailureReader(database: Database): FailureReader {
  return {
    list: (stage) =>
      database
        .all<Failure>(
          `SELECT f.stage, f.key, t.root AS target, f.reason, f.remedy, f.at FROM failure AS f LEFT JOIN target AS t ON t.id = f.target
           WHERE :stage IS NULL OR f.stage = :stage ORDER BY f.stage, f.key, f.target`,
          { stage: stage ?? null },
        )
        .map((row) => ({ ...row })),
  };
}
