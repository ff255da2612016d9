import type { OwnAddress } from "./own-address.js";
import type { Reference, Span } from "./reference.js";

/** The beginning of a reference, up to where its fields begin. */
export type Head = Pick<Reference, "form" | "kind" | "key" | "goal" | "steps" | "head" | "origin" | "body">;

/** A link to another site: no reference, but its address must not be taken for text. */
export interface ForeignHead {
  readonly form: "foreign";
  readonly body: number;
}

/** The head of a macro or wiki link whose bracket stands at `at`. */
export function headOf(
  form: Reference["form"],
  kind: Reference["kind"],
  key: Reference["key"],
  goal: Span,
  at: number,
  body: number,
): Head {
  return { form, kind, key, goal, steps: [], head: { start: at + 1, end: body }, origin: null, body };
}

// Written out, here and in draft.ts, because objects spread from others made this pass several times slower.
/** The head of a link or URL. */
export function addressHead(form: "link" | "url", own: OwnAddress, body: number): Head {
  const { kind, key, goal, steps, head, origin } = own;
  return { form, kind, key, goal, steps, head, origin, body };
}
