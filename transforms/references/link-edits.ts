import { defaultLabel } from "./default-label.js";
import { type Edit, put, remove } from "./edits.js";
import type { Reference } from "./reference.js";

/** Turns a macro or wiki link into a link: `[guide|12|label|stepid=5]` into `[address|label]`. `new_window` stays. */
export function linkEdits(text: string, reference: Reference, address: string): readonly Edit[] {
  const { head, steps, fields, bar, close, loose } = reference;
  return [
    put(head, bar === null && !loose ? `${address}|${defaultLabel(text, reference)}` : address),
    ...steps.map(remove),
    ...fields.filter((field) => field.name !== "new_window").map(remove),
    ...(close === null ? [] : [put(close, "]")]),
  ];
}
