import { setTimeout as sleep } from "node:timers/promises";
import type { RunningCli } from "./run-cli.js";

/** Runs that were over before the test saw them at work; on a busy machine some are. */
const MOST_TRIES = 20;

export interface Amid {
  readonly start: () => RunningCli;
  /** Is it at the work amid which it is to be killed? */
  readonly isAtWork: () => boolean;
  /** Takes away what a run left that came to its end. */
  readonly undo: () => Promise<void>;
}

/** Kills a run that nothing outside of it can hold, amid its work. */
export async function killAmid({ start, isAtWork, undo }: Amid): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const running = start();
    const { child } = running;
    while (child.exitCode === null && !isAtWork()) await sleep(2);
    child.kill("SIGKILL");
    const { code, signal, stderr } = await running.ended;
    if (signal === "SIGKILL") return;
    if (code !== 0) throw new Error(`It ended by itself with ${code}: ${stderr}`);
    await undo();
  }
  throw new Error(`${MOST_TRIES} runs came to their end before they could be killed.`);
}
