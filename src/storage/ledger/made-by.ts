import type { Call, CallOf, Verb } from "../../core/model/call.js";

/** What a create makes: its key, or a name where it has none; undefined: the call makes nothing that could be deleted again. */
export function madeBy(call: Call): string | undefined {
  const name = NAMES[call.verb] as ((call: Call) => string) | undefined;
  return name?.(call);
}

type Names = { readonly [V in Verb]?: (call: CallOf<V>) => string };

const NAMES: Names = {
  upload: ({ media }) => media,
  "save-wiki": ({ wiki }) => wiki,
  "save-guide": ({ guide }) => guide,
  "save-step": ({ step }) => step.key,
  "post-comment": ({ comment }) => `comment/${comment}`,
};
