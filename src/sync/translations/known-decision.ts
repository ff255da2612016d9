import { PAGE_TRANSLATIONS_MEMO } from "../../service/target/page-trial.js";
import type { Ledger, ProbeTitles } from "../../core/contracts.js";

/** Whether a target takes translations of guides. */
export interface Decision {
  /** null: nobody knows yet. */
  readonly isTaken: boolean | null;
  /** One clause: what a probe found, or why none was made. */
  readonly says: string;
  /** What a probe left at the target; null: nothing. */
  readonly left: string | null;
}

/** As the ledger keeps it. */
export interface Noted extends Omit<Decision, "left"> {
  /** Titles of a probe that may have left its guide; null: none did. */
  readonly probing: ProbeTitles | null;
}

/** The name under which a ledger keeps it. */
const MEMO = "guide-translations";
/** The same for pages. */
export const PAGES = PAGE_TRANSLATIONS_MEMO;
export const NOTHING_KNOWN: Noted = { isTaken: null, says: "no probe was made", probing: null };

/** What earlier loads found out. No request. */
export async function knownDecision(ledger: Ledger, name: string = MEMO): Promise<Omit<Decision, "left">> {
  const { isTaken, says } = await noted(ledger, name);
  return { isTaken, says };
}

export async function noted(ledger: Ledger, name: string = MEMO): Promise<Noted> {
  const memo = await ledger.recall(name);
  return memo === undefined ? NOTHING_KNOWN : (JSON.parse(memo) as Noted);
}

export function note(ledger: Ledger, now: Noted, name: string = MEMO): Promise<void> {
  return ledger.remember(name, JSON.stringify(now));
}
