import type { Key } from "../../core/model/key.js";

/** Under which the ledger notes the `objectid` of the embed that a step is to show again; empty: none, what stands there stays. */
export function embedMemo(step: Key): string {
  return `${step}/embed`;
}
