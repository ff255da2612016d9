/** A manifest's text on its way to the rewritten file. */
export interface ManifestText {
  /** As written, with repairs so far. */
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** UTF-8's byte order mark. */
  readonly hasMark: boolean;
  /** The declaration names another encoding. */
  readonly isMisdeclared: boolean;
  /** White space stands before the declaration. */
  readonly isLate: boolean;
  readonly isChanged: boolean;
}

/** Replaces an attribute's value between its quotes, or an element's first text. */
export interface XmlEdit {
  /** The place of the element's `<`. */
  readonly line: number;
  readonly column: number;
  /** As written, with its prefix; null: the text. */
  readonly attribute: string | null;
  change(written: string): string;
}

export interface Escaped {
  readonly text: string;
  /** The first bare `&` in the given text; both from 1. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly count: number;
}
