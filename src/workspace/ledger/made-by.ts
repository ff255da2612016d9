import type { Call, CallOf, Verb } from "../../model/call.js";
import type { Key } from "../../model/key.js";

/** What a create makes; undefined: the call makes nothing that could be deleted again. */
export function madeBy(call: Call): Key | undefined {
  const name = NAMES[call.verb] as ((call: Call) => Key) | undefined;
  return name?.(call);
}

type Names = { readonly [V in Verb]?: (call: CallOf<V>) => Key };

const NAMES: Names = {
  upload: ({ media }) => media,
  "save-wiki": ({ wiki }) => wiki,
  "save-guide": ({ guide }) => guide,
  "save-step": ({ step }) => step.key,
};
