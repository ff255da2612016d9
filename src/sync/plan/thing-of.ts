import type { Call, CallOf, Verb } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";

/** The thing whose fields a call writes; undefined: it writes none. */
export function thingOf(call: Call): Key | undefined {
  const thing = THINGS[call.verb] as ((call: Call) => Key) | undefined;
  return thing?.(call);
}

const THINGS: { readonly [V in Verb]?: (call: CallOf<V>) => Key } = {
  "save-guide": ({ guide }) => guide,
  "finish-guide": ({ guide }) => guide,
  "order-steps": ({ guide }) => guide,
  "set-visibility": ({ guide }) => guide,
  "save-step": ({ step }) => step.key,
  "delete-step": ({ step }) => step,
  "save-wiki": ({ wiki }) => wiki,
  "finish-wiki": ({ wiki }) => wiki,
  "set-parent": ({ wiki }) => wiki,
};
