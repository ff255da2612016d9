import type { Key } from "../../core/model/key.js";
import type { LoadSummary } from "../../sync/load.js";
import type { LossReport } from "../../sync/loss-report.js";
import { count } from "../output/words.js";
import { shellQuote } from "../shell-quote.js";
import type { Session } from "./session.js";

const NAMED = 10;

/** What a run left undone although nobody asked for that. */
export interface Unasked {
  /** Edits on both sides of which one waits for a decision. */
  readonly conflicts: number;
  /** Guides that everybody sees at the source and nobody at the target. */
  readonly privateThere: readonly Key[];
  /** Whole commands: one that puts the source's version over conflicts, and one that publishes. */
  readonly update: string;
  readonly publish: string;
}

/** The same of a load. */
export function unasked({ call, workspace }: Session, loaded: LoadSummary, report: LossReport): readonly string[] {
  const again = `guideferry load ${shellQuote([workspace.directory, loaded.target.root])}`;
  const isAsked = call.given.has("onConflict") && call.settings.onConflict === "skip";
  return describeUnasked({
    conflicts: isAsked ? 0 : conflictsIn(report),
    privateThere: loaded.privateThere,
    update: `${again} --on-conflict update`,
    publish: `${again} --on-conflict update --on-existing update`,
  });
}

/** A line each with the command that does it. A run with such lines does not end with 0. */
export function describeUnasked({ conflicts, privateThere, update, publish }: Unasked): readonly string[] {
  return [
    ...(conflicts === 0
      ? []
      : [
          `${count(conflicts, "conflict")} left as somebody else has it at the target, each listed. To put the source's version over it: ` +
            `${update}. To leave it so, say --on-conflict skip.`,
        ]),
    ...(privateThere.length === 0
      ? []
      : [
          `Public at the source and private at the target: ${count(privateThere.length, "guide")} (${namesOf(privateThere)}), each listed with the reason. ` +
            `To publish: ${publish}.`,
        ]),
  ];
}

/** Edits on both sides of which one waits for a decision. */
function conflictsIn({ losses }: LossReport): number {
  const codes = Object.values(losses);
  return codes.reduce((sum, each) => sum + (each["conflict-skipped"] ?? 0) + (each["merge-clash"] ?? 0), 0);
}

function namesOf(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).join(", ");
  return keys.length > NAMED ? `${named} and ${keys.length - NAMED} more` : named;
}
