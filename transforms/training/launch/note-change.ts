import type { Judging } from "../judging.js";

export type Change = (written: string) => string;

/** Hands a change of an address on to where it is written. Only what is changed in the end is counted: it may find nothing to do. */
export function noteChange(code: string, change: Change, mend: (change: Change) => void, { mended }: Judging): void {
  mend((written) => {
    const changed = change(written);
    if (changed !== written) mended.set(code, (mended.get(code) ?? 0) + 1);
    return changed;
  });
}
