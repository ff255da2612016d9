import type { StepBounds } from "../../core/writing.js";
import type { AskResult } from "./ask.js";

export type ReadName = "guides" | "info" | "user" | "flags" | "constraints" | "own" | "guide";

export interface FamilyRead {
  readonly family: string;
  readonly reply: AskResult;
}

export interface ListCount {
  readonly list: string;
  readonly reply: AskResult;
  readonly rows: number;
  /** Rows that are not public. */
  readonly hidden: number;
  readonly isWhole: boolean;
}

export interface Leftover {
  readonly what: "guide" | "upload";
  readonly id: number | null;
  readonly title: string;
  readonly address: string;
  /** Why it still exists; null: an earlier check left it. */
  readonly why: string | null;
}

export interface RateFacts {
  /** Allowed requests per second; null: no limit. */
  readonly rate: number | null;
  /** Planned reads, and those answered 200. */
  readonly planned: number;
  readonly answered: number;
  /** Milliseconds. */
  readonly median: number;
  readonly slow: number;
  /** The first 429's wait in milliseconds, null where it names none. undefined: no 429. */
  readonly tooMany: number | null | undefined;
  readonly trouble: string | null;
}

export interface Act {
  /** null: not tried. */
  readonly isDone: boolean | null;
  readonly says: string;
}

/** An absent value was not asked for, or could not be found out. */
export interface LimitFacts extends StepBounds {
  /** Why a value could not be found out; null: all were. */
  readonly trouble: string | null;
}

/** The results of the probe of writes; null: not tried. */
export interface WriteFacts {
  readonly guide: Act | null;
  readonly step: Act | null;
  readonly limits: LimitFacts | null;
  /** Does the site accept translations of guides? `isDone` null: unknown. */
  readonly translation: Act | null;
  readonly upload: Act | null;
  readonly deleted: readonly Act[];
  readonly left: readonly Leftover[];
}

/** All facts about a site that a check needs. */
export interface SiteFacts {
  readonly root: string;
  readonly signedIn: boolean;
  /** Prefix of its variables: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** null: not asked, since an earlier answer made it useless. */
  readonly reads: Readonly<Record<ReadName, AskResult | null>>;
  readonly families: readonly FamilyRead[];
  readonly counts: readonly ListCount[];
  readonly leftovers: readonly Leftover[];
  /** The search for leftovers did not read all rows. */
  readonly leftoversUnseen: boolean;
  /** null: not measured. */
  readonly rate: RateFacts | null;
  readonly wantsWrites: boolean;
  /** null: nothing was tried. */
  readonly written: WriteFacts | null;
}
