/** Defaults: the settings of the site, and the result of the check of the file. */
export interface TrainingJob {
  readonly looks?: number;
  /** Instead of `looks`: its duration in milliseconds, by the clock of the site. */
  readonly milliseconds?: number;
  /**
   * Default: complete for a zip with a manifest at its root, else an error. `never` runs until it
   * is cancelled or `finish` is called.
   */
  readonly end?: "complete" | "error" | "never";
  /** With `end: "error"` and no message the answer has none, like recorded ones. */
  readonly message?: string;
  readonly parserWarnings?: readonly string[];
  /** The word for its status while it runs. Default `running`. */
  readonly status?: string;
  /** A cancel answers 200 and changes nothing. Default false. */
  readonly ignoresCancel?: boolean;
}

/** The jobs of a plan; a job must match every given field. */
export interface TrainingPlace {
  /** The name of the import's file, or its address: the whole text, or a pattern. */
  readonly source?: string | RegExp;
  readonly title?: string | RegExp;
  /** The number of jobs of the plan; default 1. */
  readonly times?: number;
}

export interface PackageLook {
  /** Why it is not a package; empty: it is one. */
  readonly problem: string;
  readonly learningStandard: string | null;
  readonly bytes: number;
  readonly sha256: string;
}

export interface RunningJob {
  readonly plan: TrainingJob;
  /** Milliseconds, by the clock of the site. */
  readonly start: number;
  readonly looked: number;
  /** undefined: its bytes are still being sent. */
  readonly look: PackageLook | undefined;
  readonly looking: Promise<PackageLook>;
}

export interface TrainingJobs {
  readonly jobs: Map<number, RunningJob>;
  readonly plan: (job: TrainingJob, place: TrainingPlace) => void;
  /** The first plan that matches a new job; it is used up. */
  readonly take: (source: string, title: string) => TrainingJob;
  readonly clear: () => void;
  readonly begin: (importid: number, job: RunningJob) => void;
  readonly mostAtOnce: () => number;
}

export function createTrainingJobs(): TrainingJobs {
  const jobs = new Map<number, RunningJob>();
  let plans: { readonly job: TrainingJob; readonly place: TrainingPlace; left: number }[] = [];
  let most = 0;
  return {
    jobs,
    plan: (job, place) => {
      plans.push({ job, place, left: place.times ?? 1 });
    },
    take: (source, title) => {
      const met = plans.find(({ place, left }) => left > 0 && fits(place.source, source) && fits(place.title, title));
      if (met === undefined) return {};
      met.left -= 1;
      return met.job;
    },
    clear: () => {
      plans = [];
    },
    begin: (importid, job) => {
      jobs.set(importid, job);
      most = Math.max(most, jobs.size);
    },
    mostAtOnce: () => most,
  };
}

function fits(wanted: string | RegExp | undefined, text: string): boolean {
  if (wanted === undefined || typeof wanted === "string") return wanted === undefined || wanted === text;
  // A copy starts at the beginning, also for a pattern with a position.
  return new RegExp(wanted).test(text);
}
