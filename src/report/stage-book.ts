import { z } from "zod";
import type { ProgressEvent } from "../pipeline/control.js";

/** How a stage of a run went. */
export const stageTimeSchema = z.object({
  stage: z.string(),
  /** UNIX milliseconds: when the signs of others before it ended, for a stage tells of itself only when something of it is finished; and its last sign. */
  started: z.number(),
  ended: z.number(),
  done: z.number(),
  /** null: it was never known. */
  total: z.number().nullable(),
  failed: z.number(),
  /** Bytes that it moved; null: it moves none. */
  bytes: z.number().nullable(),
});
export type StageTime = Readonly<z.infer<typeof stageTimeSchema>>;

/** Keeps when each stage was at work. */
export interface StageBook {
  note(event: ProgressEvent, at: number): void;
  /** In the order of their beginnings. */
  stages(): readonly StageTime[];
}

/** `from`: UNIX milliseconds at which the run began. */
export function createStageBook(from: number): StageBook {
  const stages = new Map<string, StageTime>();
  let lastSign = from;
  return {
    note({ stage, done, total, failed, bytes }, at) {
      const started = stages.get(stage)?.started ?? Math.min(lastSign, at);
      lastSign = at;
      stages.set(stage, { stage, started, ended: at, done, total, failed, bytes: bytes ?? null });
    },
    stages: () => [...stages.values()],
  };
}
