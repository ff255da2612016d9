import type { Key } from "../model/key.js";
import type { Database } from "./sqlite.js";

/** The stages in which an item can fail. */
export type FailureStage = "extract" | "media" | "load" | "verify";

/** An item that failed, until it goes through: what `status` shows and `retry` takes. */
export interface Failure {
  readonly stage: FailureStage;
  readonly key: Key;
  readonly reason: string;
  /** What a person can do about it. */
  readonly remedy: string;
  /** UNIX seconds. */
  readonly at: number;
}

export interface FailureReader {
  /** By stage and key. */
  list(stage?: FailureStage): readonly Failure[];
}

/** One entry for each stage and key: the newest. */
export interface FailureList extends FailureReader {
  add(stage: FailureStage, key: Key, reason: string, remedy: string): void;
  clear(stage: FailureStage, key: Key): void;
}

export function createFailureList(database: Database): FailureList {
  return {
    add: (stage, key, reason, remedy) => {
      database.run(
        "INSERT OR REPLACE INTO failure (stage, key, reason, remedy, at) VALUES (:stage, :key, :reason, :remedy, :at)",
        { stage, key, reason, remedy, at: Math.floor(Date.now() / 1000) },
      );
    },
    clear: (stage, key) => {
      database.run("DELETE FROM failure WHERE stage = :stage AND key = :key", { stage, key });
    },
    list: (stage) =>
      database
        .all<Failure>(
          "SELECT stage, key, reason, remedy, at FROM failure WHERE :stage IS NULL OR stage = :stage ORDER BY stage, key",
          { stage: stage ?? null },
        )
        .map((row) => ({ ...row })),
  };
}
