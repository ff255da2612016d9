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
  readonly file: string;
  /** Both from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The innermost open element; null outside of the root. */
  readonly element: string | null;
  readonly expected: string;
  readonly message: string;
}

export type XmlNoteCode =
  | "xml-byte-order-mark-missing"
  | "xml-declaration-late"
  | "xml-encoding-differs"
  | "xml-prefix-undeclared"
  | "xml-version-unknown";

/** Strict readers refuse it; it is read nevertheless. */
export interface XmlNote {
  readonly code: XmlNoteCode;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The line and column are computed once, for the message. */
export interface Finding {
  readonly code: XmlFaultCode;
  readonly at: number;
  /** What `at` counts in, where that is not the whole text as read. */
  readonly text?: string;
  readonly element: string | null;
  readonly what: string;
  readonly expected: string;
}

/** Internal to this folder. */
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

/** Bounds that keep any input below 2 s and 200 MB; generous for manuals and manifests. */
export interface XmlLimits {
  /** Of the file; for a text, its UTF-16 units. */
  readonly bytes: number;
  /** Elements open at once. */
  readonly depth: number;
  /** Elements and CDATA sections. */
  readonly nodes: number;
  /** In the whole document. */
  readonly attributes: number;
  readonly attributesOfElement: number;
  /** UTF-16 units. */
  readonly nameLength: number;
  /** UTF-16 units of one piece of text, CDATA section or attribute value. */
  readonly textLength: number;
}

/**
 * A guide of 60 steps: 60 KB, 700 elements, 1,500 attributes, 6 levels. fast-xml-parser needs about
 * 30 bytes for each character of a text, which bounds its length.
 */
export const XML_LIMITS: XmlLimits = {
  bytes: 8 * 1024 * 1024,
  depth: 100,
  nodes: 100_000,
  attributes: 200_000,
  attributesOfElement: 100,
  nameLength: 200,
  textLength: 1_000_000,
};
