import type { StepBounds } from "../../core/writing.js";
import type { AskResult } from "./ask.js";

/** What is asked of every site, by a name. */
export type ReadName = "guides" | "info" | "user" | "flags" | "constraints" | "own" | "guide";

/** One read of a family of endpoints. */
export interface FamilyRead {
  readonly family: string;
  readonly told: AskResult;
}

/** A list that was counted. */
export interface ListCount {
  readonly list: string;
  /** The first page. */
  readonly told: AskResult;
  readonly rows: number;
  /** Rows that are not public. */
  readonly hidden: number;
  /** All of it was seen. */
  readonly isWhole: boolean;
}

/** Something that a probe made and nobody deleted. */
export interface Leftover {
  readonly what: "guide" | "upload";
  readonly id: number | null;
  readonly title: string;
  readonly address: string;
  /** Why it is still there; null: an earlier check left it. */
  readonly why: string | null;
}

export interface RateFacts {
  /** Requests a second that were allowed; null: no limit. */
  readonly rate: number | null;
  /** Planned reads, and those answered 200. */
  readonly planned: number;
  readonly answered: number;
  /** Milliseconds. */
  readonly median: number;
  readonly slow: number;
  /** The first 429's wait in milliseconds, null where it names none. undefined: no 429. */
  readonly tooMany: number | null | undefined;
  /** The first other failure. */
  readonly trouble: string | null;
}

/** One thing that the probe tried to do. */
export interface Act {
  /** null: it was not tried. */
  readonly isDone: boolean | null;
  /** One clause. */
  readonly says: string;
}

/** What is absent was not asked, or could not be found out. */
export interface LimitFacts extends StepBounds {
  /** Why something could not be found out; null: all was. */
  readonly trouble: string | null;
}

/** What the probe of writing did; null: it was not tried. */
export interface WriteFacts {
  readonly guide: Act | null;
  readonly step: Act | null;
  readonly limits: LimitFacts | null;
  /** Does the site take translations of guides? `isDone` null: it could not be found out. */
  readonly translation: Act | null;
  readonly upload: Act | null;
  readonly deleted: readonly Act[];
  readonly left: readonly Leftover[];
}

/** Everything that was learned of a site; judging it needs nothing else. */
export interface SiteFacts {
  readonly root: string;
  readonly signedIn: boolean;
  /** `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** null: not asked, since an earlier answer made it pointless. */
  readonly reads: Readonly<Record<ReadName, AskResult | null>>;
  readonly families: readonly FamilyRead[];
  readonly counts: readonly ListCount[];
  readonly leftovers: readonly Leftover[];
  /** Rows were left unseen while looking for leftovers. */
  readonly leftoversUnseen: boolean;
  /** null: not measured. */
  readonly rate: RateFacts | null;
  readonly wantsWrites: boolean;
  /** null: nothing was tried. */
  readonly written: WriteFacts | null;
}
