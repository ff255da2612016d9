/** How one import job goes. What is not given is as the site is set, and as the bytes deserve. */
export interface TrainingJob {
  /** How many looks at its progress find it running. */
  readonly looks?: number;
  /** In place of looks: how long it runs, in milliseconds by the clock of the site. */
  readonly milliseconds?: number;
  /**
   * Default: complete for a zip with a manifest at its root, else an error. `never` runs until it
   * is cancelled or `finish` is called.
   */
  readonly end?: "complete" | "error" | "never";
  /** With `end: "error"` and no message the answer has none, as recorded ones have. */
  readonly message?: string;
  readonly parserWarnings?: readonly string[];
  /** The word for its status while it runs. Default `running`. */
  readonly status?: string;
  /** A cancel answers 200 and changes nothing. Default false. */
  readonly ignoresCancel?: boolean;
}

/** Which jobs a plan is for; one must fit every field that is given. */
export interface TrainingPlace {
  /**
   * The file's name or the address that the import is started with: the whole of it, or a pattern.
   */
  readonly source?: string | RegExp;
  /** The title of the module's draft. */
  readonly title?: string | RegExp;
  /** How many jobs it is for before it is gone; default 1. */
  readonly times?: number;
}

/** What a package turned out to be when the job had its bytes. */
export interface PackageLook {
  /** Why it is no package; empty: it is one. */
  readonly problem: string;
  readonly learningStandard: string | null;
  readonly bytes: number;
  /** Hexadecimal, of the bytes as they came. */
  readonly sha256: string;
}

export interface RunningJob {
  readonly plan: TrainingJob;
  /** Milliseconds, by the clock of the site. */
  readonly start: number;
  /** Looks that found it running. */
  readonly looked: number;
  /** undefined: its bytes are still on their way. */
  readonly look: PackageLook | undefined;
  readonly looking: Promise<PackageLook>;
}

/** Where import jobs are kept, and the plans of tests for those to come. */
export interface TrainingJobs {
  /** By import. */
  readonly jobs: Map<number, RunningJob>;
  readonly plan: (job: TrainingJob, place: TrainingPlace) => void;
  /** The first plan that fits a job that starts now; it is used up. */
  readonly take: (source: string, title: string) => TrainingJob;
  readonly clear: () => void;
  /** Adds to the jobs, and counts how many there are at once. */
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
  // A copy begins at the start, also of a pattern that remembers where it was.
  return new RegExp(wanted).test(text);
}
