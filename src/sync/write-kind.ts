import type { Loaded, Operation } from "../core/contracts.js";
import type { Call, CallOf, Verb } from "../core/model/call.js";

/** What a write does, in a person's words: `edit step`. Rehearsals count by it. */
export function writeKind({ call }: Operation, loaded: Loaded): string {
  const kind = KINDS[call.verb];
  return typeof kind === "string" ? kind : (kind as (call: Call, loaded: Loaded) => string)(call, loaded);
}

type Kinds = { readonly [V in Verb]: string | ((call: CallOf<V>, loaded: Loaded) => string) };

const KINDS: Kinds = {
  "save-guide": ({ guide }, { written }) => (written.has(guide) ? "edit guide" : "create guide"),
  "save-step": ({ step }, { written }) => (written.has(step.key) ? "edit step" : "add step"),
  "delete-step": "delete step",
  "order-steps": "order steps",
  "add-tag": "tag",
  "remove-tag": "tag",
  "add-viewer": "viewer",
  "add-viewing-team": "viewer",
  "remove-viewer": "viewer",
  "finish-guide": "flags or author",
  "set-visibility": "visibility",
  "post-comment": "comment",
  "delete-item": "delete",
  "put-back": "put back",
  "make-again": "make again",
  "save-wiki": ({ wiki }, { written }) => (written.has(wiki) ? "edit page" : "create page"),
  "save-translation": "translation",
  "translate-guide": "translation",
  "translate-step": "translation",
  "set-parent": "parent",
  "finish-wiki": "flags or author",
  upload: "upload",
};
