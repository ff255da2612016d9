import type { Ledger, ProbeTitles } from "../../contracts.js";

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
export const NOTHING_KNOWN: Noted = { isTaken: null, says: "no probe was made", probing: null };

/** What earlier loads found out. No request. */
export async function knownDecision(ledger: Ledger): Promise<Omit<Decision, "left">> {
  const { isTaken, says } = await noted(ledger);
  return { isTaken, says };
}

export async function noted(ledger: Ledger): Promise<Noted> {
  const memo = await ledger.recall(MEMO);
  return memo === undefined ? NOTHING_KNOWN : (JSON.parse(memo) as Noted);
}

export function note(ledger: Ledger, now: Noted): Promise<void> {
  return ledger.remember(MEMO, JSON.stringify(now));
}
