import type { HomeSite } from "../service/target/home-site.js";
import type { Source, Target } from "../core/contracts.js";
import type { Control } from "../sync/control.js";

/** The ends of a site that is put back, and how the run is steered. */
interface Ends {
  readonly target: Target;
  readonly homeSite: HomeSite;
  readonly reader: Source;
  readonly control: Control;
}

export interface KeptFirst extends Ends {
  /** Why it could not be kept; undefined: it could, or nothing was to be written yet. Everything else that failed then follows from it. */
  readonly failure: () => Error | undefined;
}

/**
 * The same site, which is kept before the first write to it and not at all without one. Whoever writes or reads meanwhile waits, so that the site
 * is not asked twice as fast as it may be. When it can't be kept nothing is written, and the run is stopped.
 */
export function keptFirst({ target, homeSite, reader, control }: Ends, keep: () => Promise<void>): KeptFirst {
  const stopping = new AbortController();
  let keeping: Promise<void> | undefined;
  let failure: Error | undefined;
  const kept = async (): Promise<void> => {
    try {
      await keep();
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      stopping.abort(failure);
      throw failure;
    }
  };
  const first = (): Promise<void> => {
    keeping ??= kept();
    return keeping;
  };
  return {
    target: {
      ...target,
      apply: async (...call) => {
        await first();
        return target.apply(...call);
      },
      holds: async (...call) => {
        await keeping;
        return target.holds(...call);
      },
    },
    homeSite: {
      ...homeSite,
      undelete: async (...call) => {
        await first();
        return homeSite.undelete(...call);
      },
      revert: async (...call) => {
        await first();
        return homeSite.revert(...call);
      },
    },
    reader: {
      ...reader,
      read: async (...call) => {
        await keeping;
        return reader.read(...call);
      },
    },
    control: { ...control, abort: AbortSignal.any([control.abort, stopping.signal]) },
    failure: () => failure,
  };
}
