import { defaultLabel, withoutScheme } from "./default-label.js";
import { type Edit, put, remove } from "./edits.js";
import { linkEdits } from "./link-edits.js";
import { oldAddress } from "./old-address.js";
import { type Reference, textOf } from "./reference.js";
import type { SiteOptions } from "./rewrite-options.js";
import { originOf } from "./site-addresses.js";

/** A reference that can't be pointed home, in the form that it got. */
export interface Away {
  readonly edits: readonly Edit[];
  readonly written: "absolute" | "label";
}

/** Writes a reference without its bare id: as an absolute link to the old site, or as its label where no such link is known. Documents have no site. */
export function away(text: string, reference: Reference, form: "absolute" | "label", options: SiteOptions): Away {
  const edits =
    form === "absolute" && options.source.origin !== "" ? absoluteEdits(text, reference, options) : undefined;
  return edits === undefined ? { edits: wordsOf(text, reference), written: "label" } : { edits, written: "absolute" };
}

function wordsOf(text: string, reference: Reference): readonly Edit[] {
  if (reference.form === "url") return unlink(text, reference);
  return reference.loose ? looseEdits(text, reference) : labelEdits(text, reference);
}

function absoluteEdits(text: string, reference: Reference, options: SiteOptions): readonly Edit[] | undefined {
  const { origin } = reference;
  if (origin !== null) return origin.start === origin.end ? [put(origin, originOf(options.source))] : [];
  const address = oldAddress(text, reference, options);
  return address === undefined ? undefined : linkEdits(text, reference, address);
}

/** Inside an open bracket the label gets parentheses: `[guide|[document|5|12]]` must not become `[guide|12]`. */
function labelEdits(text: string, reference: Reference): readonly Edit[] {
  const { start, body, steps, fields, bar, close, enclosed } = reference;
  const shown = bar === null ? defaultLabel(text, reference) : "";
  return [
    put({ start, end: body }, (enclosed ? "(" : "") + shown),
    ...steps.filter((step) => step.start >= body).map(remove),
    ...fields.map(remove),
    ...(bar === null ? [] : [remove(bar)]),
    ...(close === null ? [] : [put(close, enclosed ? ")" : "")]),
  ];
}

/** What is text anyway needs a new bracket only to be no macro in any reading: `(guide|12|see [guide|901|x]]`. */
function looseEdits(text: string, { start, head, body, steps, form, origin }: Reference): readonly Edit[] {
  const brackets = form === "wiki-link" ? 2 : 1;
  return [
    put({ start, end: start + brackets }, "(".repeat(brackets)),
    ...steps.filter((step) => step.start >= body).map(remove),
    ...(origin === null ? [] : [put(head, withoutScheme(textOf(text, head)))]),
  ];
}

/** An address without its scheme is no link any more, and loses no word. */
function unlink(text: string, { head }: Reference): readonly Edit[] {
  return [put(head, withoutScheme(textOf(text, head)))];
}
