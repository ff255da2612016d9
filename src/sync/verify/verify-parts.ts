import type { Texts } from "../../service/target/texts.js";
import type { Source, Survey } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { LoadParts } from "../load-job.js";
import type { ItemSink, WrittenReport } from "./report/open-report.js";

export interface VerifyParts extends LoadParts {
  /** The target, read as a source: the same readers, so the same meaning. */
  readonly reader: Source;
  readonly texts: Texts;
  /** Called for each difference that the loss ledger does not name. */
  readonly onDifference: (difference: Difference) => void;
  /** Called for each text that came back as it was sent and that the target shows otherwise than it should. Default: nobody. */
  readonly onNote?: ((note: Difference) => void) | undefined;
  /** What a load wrote: only that is read, and the target's lists tell whether the others are there. Default: all is read. */
  readonly changed?: ReadonlySet<Key>;
  /** Takes what each item came to, also those that are not compared. Default: nobody. */
  readonly report?: ItemSink | undefined;
}

/** One field that is not as it should be. */
export interface Difference {
  readonly key: Key;
  /** The thing at the target; null: there is none. */
  readonly at: string | null;
  /** `….rendered`: the HTML of a text; `….reference`: what it refers to. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Counted from what was read back. */
export interface VerifySummary {
  readonly target: Survey["identity"];
  readonly items: number;
  /** Items that were not read, since nothing was written to them and the target lists them. */
  readonly listed?: number;
  readonly fields: number;
  /** Texts that were compared as they are shown. */
  readonly rendered: number;
  /** Texts that the target shows no HTML of. */
  readonly unrendered: number;
  /** References that were followed to something that is there, or found to lead nowhere. */
  readonly references: number;
  /** References to the target whose goals no call gives: steps, people, other pages. */
  readonly unfollowed: number;
  readonly differences: number;
  /** Differences that the loss ledger names. */
  readonly explained: number;
  /** Texts that came back as they were sent and that the target shows otherwise than they should; no differences. */
  readonly noted: number;
  /** Pages that were there before and stay as they are. */
  readonly adopted: number;
  /** Items that the site would refuse, named in the loss ledger. */
  readonly refused: number;
  /** The report that was asked for. */
  readonly report?: WrittenReport;
}
