/** A manifest's text on its way to what stands in the package afterwards. */
export interface ManifestText {
  /** As written, line ends too, with what was mended already. */
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** Does the file begin with UTF-8's byte order mark? */
  readonly hasMark: boolean;
  /** The encoding is not what the declaration says. */
  readonly isMisdeclared: boolean;
  /** White space stands before the declaration. */
  readonly isLate: boolean;
  /** Is the text another one than the file's? */
  readonly isChanged: boolean;
}

/**
 * A change of one attribute's value as it is written, between its quotes, or of the text that an
 * element begins with.
 */
export interface XmlEdit {
  /** Where the element's `<` stands, as the gate has it. */
  readonly line: number;
  readonly column: number;
  /** As written, with its prefix; null: the text. */
  readonly attribute: string | null;
  change(written: string): string;
}

export interface Escaped {
  readonly text: string;
  /** Where a `&` stood bare, in the text as given, the first ones only; both from 1. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly count: number;
}
