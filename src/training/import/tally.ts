import { ACTIONS, type Action, type PackageResult } from "../result.js";
import { ARRIVED } from "./import-facts.js";
import type { ImportSummary } from "./job.js";

/** Actions after which nothing came that was not there. */
const IDLE: ReadonlySet<Action> = new Set<Action>(["unchanged", "same-as", "refused", "publish"]);

/** Counts results. */
export class Tally {
  #packages = 0;
  #imported = 0;
  #published = 0;
  #failed = 0;
  #unknown = 0;
  readonly #actions: Record<Action, number> = countsOf(ACTIONS);

  /** `isFailure`: it, or its publication, was wanted and did not come about. */
  count({ action, state }: PackageResult, isFailure: boolean): void {
    this.#packages += 1;
    this.#actions[action] += 1;
    if (!IDLE.has(action) && ARRIVED.has(state)) this.#imported += 1;
    if (action !== "unchanged" && state === "published") this.#published += 1;
    if (state === "unknown") this.#unknown += 1;
    else if (isFailure) this.#failed += 1;
  }

  summary(): ImportSummary {
    return {
      packages: this.#packages,
      actions: { ...this.#actions },
      imported: this.#imported,
      published: this.#published,
      failed: this.#failed,
      unknown: this.#unknown,
    };
  }
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
