import type { Answer } from "./answer.js";

/** A comment on a guide, step or wiki (facts, 7); one level of replies. */
export interface CommentRecord {
  readonly commentid: number;
  readonly context: string;
  readonly contextid: number;
  readonly parentid: number | null;
  readonly langid: string | null;
  readonly author: number;
  readonly text: string;
  readonly date: number;
  readonly modified: number;
  readonly status: string;
  readonly loaded: Answer;
}
