import type { Written } from "../../core/contracts.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";

/** What the loss ledger says of an item that is gone at the source. `stays`: why it was left at the target; null: it was deleted there. */
export function noteGone(key: Key, written: readonly Written[], stays: string | null): Issue {
  const there = written.map(({ id }) => id).join(", ");
  return {
    code: "gone-at-source",
    level: "note",
    key,
    path: "",
    message:
      stays === null
        ? `It is gone at the source, and was deleted at the target (${there}).`
        : `It is gone at the source, and still stands at the target (${there}): ${stays}.`,
    ...(stays === null ? {} : { remedy: "Delete it by hand if it is not wanted any more, or run with --delete-gone." }),
  };
}

/** What the loss ledger says of an item that somebody deleted at the target. */
export function noteMadeAnew(key: Key, id: string): Issue {
  return {
    code: "deleted-at-target",
    level: "note",
    key,
    path: "",
    message: `Somebody deleted it at the target (${id}). It was made anew, and what refers to it was pointed to the new one.`,
    remedy: "If it is not wanted there, delete it at the source too, or leave it out with --exclude.",
  };
}
