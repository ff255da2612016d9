import type { Key } from "../../src/core/model/key.js";

/** A stretch of a text in UTF-16 code units: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * How a reference is written:
 *
 * macro [guide|757|label|stepid=38274] [image|5] [document|9|name] [video|7]
 * [product|IF145-002|label]
 *     metadata   [summary_image|9]               sets a field of a page and shows nothing
 *     wiki-link  [[Topic:Title#Section_X|label]]
 * link [https://old.example/Guide/Slug/12#s38|label] [link|/Info/Title|label]
 * [video|https://old.example/…]
 *     url        https://old.example/Guide/Slug/12 in running text
 */
export type ReferenceForm = "macro" | "metadata" | "wiki-link" | "link" | "url";

/** Products of the shop and other pages of the site have no key, since they never move. */
export type ReferenceKind = "guide" | "image" | "video" | "document" | "category" | "wiki" | "product" | "page";

/** The step in a reference to a guide: `|stepid=38274` or `#s38274`. */
export interface StepReference extends Span {
  /** `step/38274`; `start` and `end` cover the part that is removed with the step. */
  readonly key: Key;
  /** The number in the text. */
  readonly id: Span;
}

export interface LinkTarget {
  readonly kind: ReferenceKind;
  /** null for a product and a page. */
  readonly key: Key | null;
  /** The id or title, which that of the target replaces. */
  readonly linkTarget: Span;
  readonly steps: readonly StepReference[];
  /** Scheme and host of an address, empty when it is site-relative; null: no address. */
  readonly origin: Span | null;
}

/** A parameter (`|size=medium`) or an empty field (`|`), its pipe included. */
export interface Field extends Span {
  /** Lower case; empty for an empty field. */
  readonly name: string;
}

/** Spans of two references do not overlap, or one is in the label of the other. */
export interface Reference extends Span, LinkTarget {
  readonly form: ReferenceForm;
  /** What an address replaces: `guide|757` of a macro or wiki link; all of a link or url. */
  readonly head: Span;
  /** Start of the fields: a pipe or a closing bracket. */
  readonly body: number;
  readonly fields: readonly Field[];
  /** The pipe before the label; null: no label. */
  readonly bar: Span | null;
  /** null: none, or the first `]` belongs to a pair inside of the label. */
  readonly close: Span | null;
  /** Whether it is inside of an open bracket. */
  readonly enclosed: boolean;
  /**
   * Text in the tree, but a reference in another meaning: only its head is known, it has no fields.
   */
  readonly loose: boolean;
}

export function textOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** The keys of the link target, then those of its steps. */
export function keysOf({ key, steps }: Pick<LinkTarget, "key" | "steps">): readonly Key[] {
  const stepKeys = steps.map((step) => step.key);
  return key === null ? stepKeys : [key, ...stepKeys];
}

/** The key of an item with a number; leading zeros do not count. */
export function numberKey(kind: "guide" | "step" | "image" | "video" | "document", digits: string): Key {
  return `${kind}/${digits.replace(/^0+(?=\d)/, "")}`;
}

/** The span of trimmed text that begins at `start`. */
export function trimmed(written: string, start: number): Span {
  const from = start + written.length - written.trimStart().length;
  return { start: from, end: from + written.trim().length };
}
