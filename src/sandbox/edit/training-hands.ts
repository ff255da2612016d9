import { finishJobs } from "../routes/families/training/jobs.js";
import type { Site } from "../state/site.js";
import type { TrainingJob, TrainingPlace } from "../state/training-desk.js";

/** Steers the import jobs of external training modules. */
export interface Training {
  /** Plans how the next job goes that fits the place. Plans are tried in the order in which they were made. */
  next(job: TrainingJob, place?: TrainingPlace): void;
  /** Ends every job that runs, also those that have no end: what happens while nobody looks. Waits for what is still being fetched. */
  finish(): Promise<void>;
  /** Takes all plans away; jobs under way go on. */
  clear(): void;
  /** How many jobs ran at once at most. */
  readonly mostAtOnce: number;
}

export function trainingHands(site: Site): Training {
  return {
    next: (job, place = {}) => site.training.plan(job, place),
    finish: () => finishJobs(site),
    clear: () => site.training.clear(),
    get mostAtOnce() {
      return site.training.mostAtOnce();
    },
  };
}
