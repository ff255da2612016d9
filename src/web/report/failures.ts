import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { type Causes, causesSchema, type FailureCause } from "./run-report.js";

/** A failure of a workspace or of a package. */
interface TalliedFailure extends Omit<Failure, "at" | "stage" | "key"> {
  readonly stage: string;
  readonly key: string;
}

/** Groups failures by cause. Its memory grows with their keys only. */
export interface FailureTally {
  /** Replaces an earlier failure of the same item in the same stage. */
  add(failure: TalliedFailure): void;
  /** Removes a failure that was resolved. */
  clear(failure: Pick<TalliedFailure, "stage" | "key" | "target">): void;
  /** Items, however many stages each failed in. */
  readonly count: number;
  /**
   * The most frequent first. Reasons that differ in names, numbers and addresses only have one
   * cause.
   */
  causes(): readonly FailureCause[];
}

/** Listed keys of a cause. */
const NAMED = 20;

type Cause = Omit<FailureCause, "keys">;

interface Known {
  readonly key: string;
  readonly sign: string;
}

export function createFailureTally(): FailureTally {
  const causes = new Map<string, Cause>();
  const known = new Map<string, Known>();
  const clear: FailureTally["clear"] = (failure) => {
    const sign = known.get(nameOf(failure))?.sign;
    const cause = causes.get(sign ?? "");
    if (sign === undefined || cause === undefined) return;
    known.delete(nameOf(failure));
    if (cause.count === 1) causes.delete(sign);
    else causes.set(sign, { ...cause, count: cause.count - 1 });
  };
  return {
    add: (failure) => {
      clear(failure);
      const { stage, key, reason, remedy } = failure;
      const sign = signOf(reason);
      known.set(nameOf(failure), { key, sign });
      const cause = causes.get(sign) ?? { reason, remedy, stages: [], count: 0 };
      const stages = cause.stages.includes(stage) ? cause.stages : [...cause.stages, stage];
      causes.set(sign, { ...cause, stages, count: cause.count + 1 });
    },
    clear,
    get count() {
      return itemsIn([...known.values()]);
    },
    causes: () => {
      const keys = keysBySign(known.values());
      return [...causes]
        .map(([sign, cause]) => ({ ...cause, keys: keys.get(sign) ?? [] }))
        .toSorted((one, other) => other.count - one.count);
    },
  };
}

/** The first keys of each cause. */
function keysBySign(known: Iterable<Known>): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { key, sign } of known) {
    const named = keys.get(sign) ?? [];
    keys.set(sign, named);
    if (named.length < NAMED) named.push(key);
  }
  return keys;
}

function nameOf({ stage, key, target }: Pick<TalliedFailure, "stage" | "key" | "target">): string {
  return `${stage} ${key} ${target ?? ""}`;
}

/** With any quotes. */
const NO_NAME = /^.[\p{Ll}\s_-]+.$/u;

/**
 * Normalises a reason to its cause. A status tells causes apart; ids, sizes and names do not.
 * Quoted lower-case words are no name: sites quote what is wrong. An apostrophe in a word quotes
 * nothing.
 */
export function signOf(reason: string): string {
  return reason
    .replaceAll(/\b(?:category|wiki|guide|image|video|document|record|step)\/[^\s,;:"'`)]+/g, "‹key›")
    .replaceAll(/"[^"]*"|(?<!\p{L})'[^']*'(?!\p{L})|`[^`]*`|«[^»]*»/gu, (quoted) =>
      NO_NAME.test(quoted) ? quoted : "‹name›",
    )
    .replaceAll(/https?:\/\/\S+/g, "‹address›")
    .replaceAll(/(?<!\d|\b(?:status|answered|HTTP) )\d+/g, "‹number›")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The most frequent cause first, see `FailureTally.causes`. */
export function groupFailures(failures: Iterable<Omit<Failure, "at">>): readonly FailureCause[] {
  const tally = createFailureTally();
  for (const failure of failures) tally.add(failure);
  return tally.causes();
}

/** The count of failures that all outputs show: items, however many stages each failed in. */
export function itemsIn(failures: readonly { readonly key: string }[]): number {
  return new Set(failures.map(({ key }) => key)).size;
}

/** An undo keeps its own failures; those in the workspace are of extract and load. */
export function failuresOf(run: Run, listed: readonly Failure[]): Causes {
  const own = causesSchema.safeParse(run.summary?.["wentWrong"]);
  if (own.success) return own.data;
  if (run.command === "undo") return { count: 0, causes: [] };
  return { count: itemsIn(listed), causes: groupFailures(listed) };
}

interface RunMessage {
  /** UNIX milliseconds. */
  readonly at: number;
  readonly level: "warning" | "note";
  readonly text: string;
}

/** Keeps the last messages of a run. */
export interface RunMessages {
  note(message: RunMessage): void;
  readonly count: number;
  last(): readonly RunMessage[];
}

/** Readers of a page need no more. */
const MOST = 100;

export function createRunMessages(): RunMessages {
  let kept: readonly RunMessage[] = [];
  let count = 0;
  return {
    note: (message) => {
      count += 1;
      kept = [message, ...kept.slice(0, MOST - 1)];
    },
    get count() {
      return count;
    },
    last: () => kept,
  };
}
