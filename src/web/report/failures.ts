import type { Failure } from "../../storage/workspace/failure-list.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { type Causes, causesSchema, type FailureCause } from "./run-report.js";

/**
 * Something that failed, or was not done, as a book takes it: a workspace's failure, or a
 * package's.
 */
interface Booked extends Omit<Failure, "at" | "stage" | "key"> {
  readonly stage: string;
  readonly key: string;
}

/**
 * Keeps failures by their cause, as they come and go. Its memory goes with the failures, by their
 * keys alone.
 */
export interface FailureBook {
  /** In place of one of the same thing in the same stage. */
  add(failure: Booked): void;
  /** It went through after all. */
  clear(failure: Pick<Booked, "stage" | "key" | "target">): void;
  readonly count: number;
  /** The most frequent first: what only differs in names, numbers and addresses has one. */
  causes(): readonly FailureCause[];
}

/** Items that are named; the workspace has all. */
const NAMED = 20;

/** A cause without its keys. */
type Cause = Omit<FailureCause, "keys">;

/** A failure, as far as the book needs it. */
interface Known {
  readonly key: string;
  readonly sign: string;
}

export function createFailureBook(): FailureBook {
  const causes = new Map<string, Cause>();
  const known = new Map<string, Known>();
  const clear: FailureBook["clear"] = (failure) => {
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
      return known.size;
    },
    causes: () => {
      const keys = keysBySign(known.values());
      return [...causes]
        .map(([sign, cause]) => ({ ...cause, keys: keys.get(sign) ?? [] }))
        .toSorted((one, other) => other.count - one.count);
    },
  };
}

/** The first of each cause. */
function keysBySign(known: Iterable<Known>): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { key, sign } of known) {
    const named = keys.get(sign) ?? [];
    keys.set(sign, named);
    if (named.length < NAMED) named.push(key);
  }
  return keys;
}

function nameOf({ stage, key, target }: Pick<Booked, "stage" | "key" | "target">): string {
  return `${stage} ${key} ${target ?? ""}`;
}

/** In whichever quotes. */
const NO_NAME = /^.[\p{Ll}\s_-]+.$/u;

/**
 * A status is what tells causes apart; ids, sizes and names of things are not. Quoted words without
 * a capital letter or digit are no name: a site says so what is wrong, and where. An apostrophe
 * inside of a word quotes nothing.
 */
function signOf(reason: string): string {
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

/**
 * Failures by their cause, the most frequent first: what only differs in names, numbers and
 * addresses has one.
 */
export function groupFailures(failures: Iterable<Omit<Failure, "at">>): readonly FailureCause[] {
  const book = createFailureBook();
  for (const failure of failures) book.add(failure);
  return book.causes();
}

/**
 * The failures of a run by their cause. An undo has its own: those that the workspace lists are of
 * what was read and loaded.
 */
export function failuresOf(run: Run, listed: readonly Failure[]): Causes {
  const own = causesSchema.safeParse(run.summary?.["wentWrong"]);
  if (own.success) return own.data;
  if (run.command === "undo") return { count: 0, causes: [] };
  return { count: listed.length, causes: groupFailures(listed) };
}

/** What a run said on its way. */
interface RunMessage {
  /** UNIX milliseconds. */
  readonly at: number;
  readonly level: "warning" | "note";
  readonly text: string;
}

/** Keeps the last words of a run; small, however many it says. */
export interface RunMessages {
  note(said: RunMessage): void;
  /** How many there were. */
  readonly count: number;
  /** The last ones, the newest first. */
  last(): readonly RunMessage[];
}

/** More nobody reads on a page. */
const MOST = 100;

export function createRunMessages(): RunMessages {
  let kept: readonly RunMessage[] = [];
  let count = 0;
  return {
    note: (said) => {
      count += 1;
      kept = [said, ...kept.slice(0, MOST - 1)];
    },
    get count() {
      return count;
    },
    last: () => kept,
  };
}
