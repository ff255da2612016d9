import type { Issue } from "../../src/core/model/issue.js";
import type { Line } from "../../src/core/model/item.js";
import type { FitContext, FitPolicy } from "./context.js";

/** An Issue without its key: a rule sees the body of an item only. */
export type Finding = Omit<Issue, "key">;

/** What a rule made of a value: the same object when there was nothing to do. */
export interface Change<T> {
  readonly value: T;
  /** A finding of level `error` refuses the whole item. */
  readonly findings: readonly Finding[];
}

/** One line of the table of rules and policies: README and `--help` show these words. */
export interface FitRow {
  /** The code of the issues. */
  readonly code: string;
  /** What is looked at. */
  readonly what: string;
  readonly limit: string;
  /** What each policy does. */
  readonly refuse: string;
  readonly split: string;
  readonly trim: string;
  /** Where the limit is written. */
  readonly source: string;
}

/** One limit of the service, with what is done about it. */
export interface FitRule<T> {
  readonly rows: readonly FitRow[];
  /** After it, the value keeps the limit, or an error is among the findings. */
  readonly fit: (value: T, context: FitContext) => Change<T>;
}

/** A rule about one element of a list: undefined, when the element keeps the limit. */
export interface ElementRule<T, Where> {
  readonly row: FitRow;
  readonly fit: (element: T, where: Where, context: FitContext) => Change<readonly T[]> | undefined;
}

/** What breaks a limit, before it is known what is done about it. */
export interface Breach {
  readonly code: string;
  readonly path: string;
  /** A main clause without its full stop: `the summary has 209 characters and may have 155`. */
  readonly message: string;
  /** What a person can do at the source. */
  readonly remedy: string;
}

/** The value as it was. */
export function unchanged<T>(value: T): Change<T> {
  return { value, findings: [] };
}

/** Refuses the item under the policy `refuse`, and does what `cures` say under the others. */
export function cure<T>(
  policy: FitPolicy,
  value: T,
  breach: Breach,
  cures: Readonly<Record<Exclude<FitPolicy, "refuse">, () => Change<T>>>,
): Change<T> {
  return policy === "refuse" ? { value, findings: [refusedByPolicy(breach)] } : cures[policy]();
}

/** The finding that refuses an item which another policy would take. */
export function refusedByPolicy(breach: Breach): Finding {
  return refused(breach, "", `${breach.remedy} Or choose --fit split or --fit trim.`);
}

/** The finding that refuses an item. */
export function refused(breach: Breach, why: string, remedy: string = breach.remedy): Finding {
  return finding(breach, "error", why, remedy);
}

/** Nothing is lost, but something stands elsewhere. */
export function noted(breach: Breach, done: string): Finding {
  return finding(breach, "note", done, breach.remedy);
}

/** Something can't be carried. */
export function lost(breach: Breach, done: string): Finding {
  return finding(breach, "loss", done, breach.remedy);
}

function finding(breach: Breach, level: Finding["level"], done: string, remedy: string): Finding {
  const message = `${breach.message}${done === "" ? "" : `; ${done}`}.`;
  return {
    code: breach.code,
    level,
    path: breach.path,
    message: message.charAt(0).toUpperCase() + message.slice(1),
    remedy,
  };
}

/** Fits each element of a list: none, one or several elements take its place. */
export function fitEach<T>(
  list: readonly T[],
  fitElement: (element: T, index: number) => Change<readonly T[]> | undefined,
): Change<readonly T[]> {
  const value: T[] = [];
  const findings: Finding[] = [];
  for (const [index, element] of list.entries()) {
    const change = fitElement(element, index) ?? { value: [element], findings: [] };
    value.push(...change.value);
    findings.push(...change.findings);
  }
  const same = value.length === list.length && value.every((element, index) => element === list[index]);
  return { value: same ? list : value, findings };
}

/**
 * The change of the first rule that an element breaks: the rules of one list exclude each other.
 */
export function firstOf<T, Where>(
  rules: readonly ElementRule<T, Where>[],
  ...asked: Parameters<ElementRule<T, Where>["fit"]>
): Change<readonly T[]> | undefined {
  for (const rule of rules) {
    const change = rule.fit(...asked);
    if (change !== undefined) return change;
  }
  return undefined;
}

/** The change of one field of an object; the same object when the field stayed the same. */
export function withField<T extends object, F extends keyof T>(value: T, field: F, change: Change<T[F]>): Change<T> {
  return {
    value: change.value === value[field] ? value : { ...value, [field]: change.value },
    findings: change.findings,
  };
}

/** Where a line stands. */
export interface LinePlace {
  /** `steps[3].lines[0]`. */
  readonly path: string;
  /** The line that follows it in its step. */
  readonly next: Line | undefined;
}

/** Where something stands: `steps[3].media.images[0]`. */
export type Path = string;
