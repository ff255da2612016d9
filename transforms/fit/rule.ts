import type { Issue } from "../../src/core/model/issue.js";
import type { FitContext } from "./context.js";

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
