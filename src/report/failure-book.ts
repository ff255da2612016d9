import type { Failure } from "../workspace/failure-list.js";
import type { FailureCause } from "./run-report.js";

/** Keeps failures by their cause, as they come and go. Its memory goes with the failures, by their keys alone. */
export interface FailureBook {
  /** In place of one of the same thing in the same stage. */
  add(failure: Omit<Failure, "at">): void;
  /** It went through after all. */
  clear(failure: Pick<Failure, "stage" | "key" | "target">): void;
  readonly count: number;
  /** The most frequent first: what only differs in names, numbers and addresses has one. */
  causes(): readonly FailureCause[];
}

/** Items that are named; the workspace has all. */
const NAMED = 20;

export function createFailureBook(): FailureBook {
  const causes = new Map<string, FailureCause>();
  const signs = new Map<string, string>();
  const clear: FailureBook["clear"] = (failure) => {
    const sign = signs.get(nameOf(failure));
    const cause = causes.get(sign ?? "");
    if (sign === undefined || cause === undefined) return;
    signs.delete(nameOf(failure));
    if (cause.count === 1) causes.delete(sign);
    else causes.set(sign, { ...cause, count: cause.count - 1, keys: cause.keys.filter((key) => key !== failure.key) });
  };
  return {
    add: (failure) => {
      clear(failure);
      const { stage, key, reason, remedy } = failure;
      const sign = signOf(reason);
      signs.set(nameOf(failure), sign);
      const cause = causes.get(sign) ?? { reason, remedy, stages: [], count: 0, keys: [] };
      causes.set(sign, {
        ...cause,
        stages: cause.stages.includes(stage) ? cause.stages : [...cause.stages, stage],
        count: cause.count + 1,
        keys: cause.keys.length < NAMED ? [...cause.keys, key] : cause.keys,
      });
    },
    clear,
    get count() {
      return signs.size;
    },
    causes: () => [...causes.values()].toSorted((one, other) => other.count - one.count),
  };
}

function nameOf({ stage, key, target }: Pick<Failure, "stage" | "key" | "target">): string {
  return `${stage} ${key} ${target ?? ""}`;
}

/** A status is what tells causes apart; ids, sizes and names of things are not. */
function signOf(reason: string): string {
  return reason
    .replaceAll(/\b(?:category|wiki|guide|image|video|document|record|step)\/[^\s,;:"'`)]+/g, "‹key›")
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|«[^»]*»/g, "‹name›")
    .replaceAll(/https?:\/\/\S+/g, "‹address›")
    .replaceAll(/(?<!\d|\b(?:status|answered|HTTP) )\d+/g, "‹number›")
    .replaceAll(/\s+/g, " ")
    .trim();
}
