import type { Goal, Reference, ReferenceForm, Span, StepReference } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";

/** A reference while its text is read. */
export interface Draft extends Reference {
  end: number;
  readonly steps: StepReference[];
}

/** A guide macro whose bracket is still open. */
interface OpenGuide {
  readonly draft: Draft;
  /** How many brackets were open inside of its own. */
  readonly depth: number;
}

/** What is known half-way through a text. */
export interface Finding {
  readonly text: string;
  readonly site: SiteAddresses;
  /** Where the last `]` and `]]` stand: found once, since to look for each anew would take squared time. */
  readonly lastClose: number;
  readonly lastDoubleClose: number;
  readonly found: Draft[];
  /** Innermost last: a `stepid` belongs to the nearest, which under some reading it belongs to. */
  readonly guides: OpenGuide[];
  /** Brackets that are open, of macros and others. */
  depth: number;
}

export function findingOf(text: string, site: SiteAddresses): Finding {
  const ends = { lastClose: text.lastIndexOf("]"), lastDoubleClose: text.lastIndexOf("]]") };
  return { text, site, ...ends, found: [], guides: [], depth: 0 };
}

/** The part of a reference that is read before what follows: its first bracket up to its fields. */
export interface Head extends Goal {
  readonly form: ReferenceForm;
  readonly head: Span;
  readonly body: number;
}

/** What a reference has besides its head where the tree knows it whole. */
export type Rest = Pick<Reference, "fields" | "bar" | "close" | "end">;

/** Adds a reference that begins at `start`; without `rest` it is an address, or loose. Opens its brackets. */
export function addReference(finding: Finding, start: number, from: Head, rest?: Rest): void {
  const { form, kind, key, goal, steps, origin, head, body } = from;
  const { found, guides, depth } = finding;
  const draft: Draft = {
    start,
    end: rest?.end ?? body,
    form,
    kind,
    key,
    goal,
    steps: [...steps],
    origin,
    head,
    body,
    fields: rest?.fields ?? [],
    bar: rest?.bar ?? null,
    close: rest?.close ?? null,
    enclosed: depth > 0,
    loose: rest === undefined && form !== "url",
  };
  found.push(draft);
  if (form === "url") return;
  finding.depth += form === "wiki-link" ? 2 : 1;
  if (form === "macro" && kind === "guide") guides.push({ draft, depth: finding.depth });
}

/** Closes one bracket, and the guide macros that it was the last one of. */
export function closeBracket(finding: Finding): void {
  finding.depth = Math.max(0, finding.depth - 1);
  while ((finding.guides.at(-1)?.depth ?? 0) > finding.depth) finding.guides.pop();
}
