import type { Texts } from "../../api/target/texts.js";
import type { Source, Survey } from "../../contracts.js";
import type { Key } from "../../model/key.js";
import type { LoadParts } from "../load-job.js";

export interface VerifyParts extends LoadParts {
  /** The target, read as a source: the same readers, so the same meaning. */
  readonly reader: Source;
  readonly texts: Texts;
  /** Called for each difference that the loss ledger does not name. */
  readonly onDifference: (difference: Difference) => void;
}

/** One field that is not as it should be. */
export interface Difference {
  readonly key: Key;
  /** The thing at the target; null: there is none. */
  readonly at: string | null;
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Counted from what was read back. */
export interface VerifySummary {
  readonly target: Survey["identity"];
  readonly items: number;
  readonly fields: number;
  readonly differences: number;
  /** Differences that the loss ledger names. */
  readonly explained: number;
  /** Pages that were there before and stay as they are. */
  readonly adopted: number;
  /** Items that the site would refuse, named in the loss ledger. */
  readonly refused: number;
}
