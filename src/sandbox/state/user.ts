import type { Answer } from "./answer.js";

/** A person of the site, as a light user (facts, 2.3), and what the sandbox knows beside. */
export interface UserRecord {
  readonly userid: number;
  readonly username: string;
  readonly admin: boolean;
  /** Fields of the loaded answer, served as they are. */
  readonly loaded: Answer;
}

/** A team; `members` are userids. */
export interface TeamRecord {
  readonly teamid: number;
  readonly name: string;
  readonly members: readonly number[];
  readonly loaded: Answer;
}
