import { defaultLabel, withoutScheme } from "./default-label.js";
import { type Edit, put, remove } from "./edits.js";
import { linkEdits } from "./link-edits.js";
import { oldAddress } from "./old-address.js";
import { type Reference, textOf } from "./reference.js";
import type { RewriteOptions } from "./rewrite-options.js";
import { originOf } from "./site-addresses.js";

/** A reference that can't be pointed home, in the form that it got. */
export interface Away {
  readonly edits: readonly Edit[];
  readonly written: "absolute" | "label";
}

/** Writes a reference without its bare id: as an absolute link to the old site, or as its label where no such link is known. */
export function away(text: string, reference: Reference, form: "absolute" | "label", options: RewriteOptions): Away {
  const edits = form === "absolute" ? absoluteEdits(text, reference, options) : undefined;
  if (edits !== undefined) return { edits, written: "absolute" };
  return { edits: reference.form === "url" ? unlink(text, reference) : labelEdits(text, reference), written: "label" };
}

function absoluteEdits(text: string, reference: Reference, options: RewriteOptions): readonly Edit[] | undefined {
  const { origin } = reference;
  if (origin !== null) return origin.start === origin.end ? [put(origin, originOf(options.source))] : [];
  const address = oldAddress(text, reference, options);
  return address === undefined ? undefined : linkEdits(text, reference, address);
}

/** Inside an open bracket the label gets parentheses: `[guide|[document|5|12]]` must not become `[guide|12]`. */
function labelEdits(text: string, reference: Reference): readonly Edit[] {
  const { start, body, steps, fields, label, close, enclosed } = reference;
  const shown = label === null ? defaultLabel(text, reference) : "";
  return [
    put({ start, end: body }, (enclosed ? "(" : "") + shown),
    ...steps.filter((step) => step.start >= body).map(remove),
    ...fields.map(remove),
    ...(label === null ? [] : [remove({ start: label - 1, end: label })]),
    ...(close === null ? [] : [put(close, enclosed ? ")" : "")]),
  ];
}

/** An address without its scheme is no link any more, and loses no word. */
function unlink(text: string, { head }: Reference): readonly Edit[] {
  return [put(head, withoutScheme(textOf(text, head)))];
}
