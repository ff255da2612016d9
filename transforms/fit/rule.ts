import type { Issue } from "../../src/core/model/issue.js";
import type { FitCode } from "../../src/core/model/issue-codes.js";
import type { Line } from "../../src/core/model/item.js";
import type { FitContext, FitPolicy } from "./context.js";

/** An Issue without its key, since rules see the body of an item only. */
export type Finding = Omit<Issue, "key">;

/** The same object when nothing changed. */
export interface Change<T> {
  readonly value: T;
  /** An `error` refuses the item. */
  readonly findings: readonly Finding[];
}

/** A row of docs/reference/issue-codes.md and `--help`. */
export interface FitRow {
  readonly code: FitCode;
  readonly what: string;
  readonly limit: string;
  readonly refuse: string;
  readonly split: string;
  readonly trim: string;
  readonly source: string;
}

export interface FitRule<T> {
  readonly rows: readonly FitRow[];
  /** Afterwards the value keeps the limit, or the findings have an error. */
  readonly fit: (value: T, context: FitContext) => Change<T>;
}

/** undefined: the element keeps the limit. */
export interface ElementRule<T, Where> {
  readonly row: FitRow;
  readonly fit: (element: T, where: Where, context: FitContext) => Change<readonly T[]> | undefined;
}

export interface Breach {
  readonly code: FitCode;
  readonly path: string;
  /** A main clause without its full stop. */
  readonly message: string;
  readonly remedy: string;
}

export function unchanged<T>(value: T): Change<T> {
  return { value, findings: [] };
}

/** Refuses under `refuse`, else applies the cure of the policy, or the one for both. */
export function cure<T>(
  policy: FitPolicy,
  value: T,
  breach: Breach,
  cures: Readonly<Record<Exclude<FitPolicy, "refuse">, () => Change<T>>> | (() => Change<T>),
): Change<T> {
  if (policy === "refuse") return { value, findings: [refusedByPolicy(breach)] };
  return typeof cures === "function" ? cures() : cures[policy]();
}

/** Leaves the element out, under every policy that does not refuse it. */
export function leaveOut<T>(policy: FitPolicy, element: T, breach: Breach): Change<readonly T[]> {
  return cure<readonly T[]>(policy, [element], breach, () => ({
    value: [],
    findings: [lost(breach, "it was left out")],
  }));
}

/** Another policy would accept the item. */
export function refusedByPolicy(breach: Breach): Finding {
  return refused(breach, "", `${breach.remedy} Or give --fit split or --fit trim.`);
}

export function refused(breach: Breach, why: string, remedy: string = breach.remedy): Finding {
  return finding(breach, "error", why, remedy);
}

export function noted(breach: Breach, done: string): Finding {
  return finding(breach, "note", done, breach.remedy);
}

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

/** The first broken rule counts: the rules of one list exclude each other. */
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

/** The same object when the field stayed the same. */
export function withField<T extends object, F extends keyof T>(value: T, field: F, change: Change<T[F]>): Change<T> {
  return {
    value: change.value === value[field] ? value : { ...value, [field]: change.value },
    findings: change.findings,
  };
}

export interface LinePlace {
  /** `steps[3].lines[0]` */
  readonly path: string;
  /** The next line of its step. */
  readonly next: Line | undefined;
}

/** `steps[3].media.images[0]` */
export type Path = string;
