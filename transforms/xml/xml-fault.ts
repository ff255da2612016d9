/** Why a document is refused. Stable. */
export type XmlFaultCode =
  | "xml-empty"
  | "xml-too-large"
  | "xml-encoding"
  | "xml-character"
  | "xml-declaration"
  | "xml-doctype"
  | "xml-entity"
  | "xml-reference"
  | "xml-tag"
  | "xml-name"
  | "xml-attribute"
  | "xml-attribute-twice"
  | "xml-mismatch"
  | "xml-unclosed"
  | "xml-outside-root"
  | "xml-comment"
  | "xml-cdata"
  | "xml-instruction"
  | "xml-too-deep"
  | "xml-too-many-nodes"
  | "xml-too-many-attributes"
  | "xml-name-too-long"
  | "xml-text-too-long"
  | "xml-disagreement";

export interface XmlFault {
  readonly code: XmlFaultCode;
  /** As the caller named it. */
  readonly file: string;
  /** Both from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The innermost element that is open there; null outside of the root. */
  readonly element: string | null;
  /** What should stand there. */
  readonly expected: string;
  /** All of the above in one text for a person. */
  readonly message: string;
}

export type XmlNoteCode =
  | "xml-byte-order-mark-missing"
  | "xml-declaration-late"
  | "xml-encoding-differs"
  | "xml-prefix-undeclared"
  | "xml-version-unknown";

/** Something that strict readers refuse and that can be read nevertheless. */
export interface XmlNote {
  readonly code: XmlNoteCode;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong at an offset; the place is worked out once, when it is told. */
export interface Finding {
  readonly code: XmlFaultCode;
  readonly at: number;
  /** What `at` counts in, where that is not the whole text as read. */
  readonly text?: string;
  readonly element: string | null;
  readonly what: string;
  readonly expected: string;
}

/** Ends the reading of one document; never leaves this folder. */
export class FaultFound extends Error {
  override readonly name = "FaultFound";
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.what);
    this.finding = finding;
  }
}

export function faultOf(text: string, file: string, finding: Finding): XmlFault {
  const { code, element, what, expected } = finding;
  const { line, column } = placeOf(finding.text ?? text, finding.at);
  const within = element === null ? "" : ` in <${element}>`;
  const message = `${file}:${line}:${column}${within}: ${what}. Expected: ${expected}.`;
  return { code, file, line, column, element, expected, message };
}

export function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}
