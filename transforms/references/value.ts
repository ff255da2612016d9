import { decide } from "./decide.js";
import { applyEdits } from "./edits.js";
import { readOwnAddress } from "./own-address.js";
import { numberKey, type Reference } from "./reference.js";
import type { RewriteReport, SiteOptions } from "./rewrite-options.js";
import type { SiteAddresses } from "./site-addresses.js";

/** A value that is a reference as a whole: an address, or a number. */
export interface RewrittenValue extends RewriteReport {
  /** null: nothing may stand there, since it would link to a stranger. */
  readonly value: string | null;
}

/** The reference that an address is; undefined when it is not on the site. */
export function addressReference(address: string, site: SiteAddresses): Reference | undefined {
  const own = readOwnAddress(address, 0, site);
  if (own === undefined) return undefined;
  return { ...own, form: "url", ...wholeOf(address) };
}

/** The reference that the number of a medium or guide is; undefined for what is no number. */
export function numberReference(kind: "guide" | "image" | "video" | "document", digits: string): Reference | undefined {
  if (!/^\d+$/.test(digits)) return undefined;
  const goal = { start: 0, end: digits.length };
  return { form: "metadata", kind, key: numberKey(kind, digits), goal, steps: [], origin: null, ...wholeOf(digits) };
}

type Whole = Omit<Reference, "form" | "kind" | "key" | "goal" | "steps" | "origin">;

function wholeOf({ length: end }: string): Whole {
  const head = { start: 0, end };
  return { ...head, head, body: end, fields: [], bar: null, close: null, enclosed: false, loose: false };
}

/** Points a value home that is this reference. */
export function rewriteValue(value: string, reference: Reference, options: SiteOptions): RewrittenValue {
  const { edits, missing, dangling, unlinked } = decide(value, reference, options);
  return { value: unlinked ? null : applyEdits(value, edits), missing, dangling };
}
