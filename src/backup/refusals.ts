import type { PresentRow } from "../storage/repository/format.js";
import { type Key, languageIn } from "../core/model/key.js";
import type { Deviation, Refused } from "./in-place-summary.js";

/** An item that is not as it was. */
export function deviationOf({ key, title }: PresentRow, paths: readonly string[]): Deviation {
  return { key, title, paths };
}

/** One that does not come back, wholly or in a part. */
export function refusedOf(row: PresentRow, reason: string): Refused {
  return { ...deviationOf(row, []), reason };
}

/** Why a private guide is not looked for; made anew it could be there twice. */
export const UNSEEN = "it was private, and this account, which is no admin, can't see whether it is there";

/** Why these fields stay as they are. */
export function beyondCalls({ key }: PresentRow, paths: readonly string[]): string {
  const why =
    languageIn(key) === undefined
      ? "no call makes an embedded page, and this one is not in the account's media manager: sign in as whom it belongs to, or put it in by hand"
      : "no call writes a guide's translation: put its texts back by hand";
  return `${why} (${paths.join(", ")})`;
}

/** Why a guide is not made anew beside those that may be it. */
export function inDoubt(keys: readonly Key[]): string {
  return (
    `it was not made anew, since ${keys.join(", ")}, which the snapshot doesn't know, has the same title and category with other content: a restore whose workspace is lost ` +
    "may have made it, and somebody edited it since. Rename or delete it, and run again"
  );
}
