import type { FerryError } from "../core/errors.js";
import type { Issue } from "../core/model/issue.js";
import type { Key } from "../core/model/key.js";

/** Why a page is not written under `--on-existing fail`. */
export function existing(key: Key): Issue {
  return {
    code: "existing",
    level: "error",
    key,
    path: "",
    message: "A page of this title is at the target already and is not ours; --on-existing is fail.",
    remedy: "Choose --on-existing adopt (use it as it is) or update (put the source's content over it).",
  };
}

export const WILL_FAIL = "will-fail";

/** What a write would fail with before it is sent. */
export function failing(key: Key, { message }: FerryError): Issue {
  return { code: WILL_FAIL, level: "error", key, path: "", message };
}
