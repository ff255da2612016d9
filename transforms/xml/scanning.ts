import type { XmlLimits } from "./xml-fault.js";
import { FaultFound, type XmlFaultCode, type XmlNote } from "./xml-fault.js";

/** The state of one pass over one text; every field but the first two moves on with it. */
export interface Scan {
  readonly text: string;
  readonly limits: XmlLimits;
  /** What is read next. */
  at: number;
  readonly open: { readonly name: string; readonly at: number }[];
  /** Offsets of the elements, in their order. */
  readonly starts: number[];
  readonly attributes: ScannedAttributes;
  /** Input of the parser, up to `keptUpTo`. */
  readonly pieces: string[];
  keptUpTo: number;
  /** Texts that the parser sees a token for. */
  readonly held: string[];
  nodes: number;
  /** Names that were found good. */
  readonly names: Set<string>;
  /**
   * Offsets of the next `&` and `]]>`, or the text's length; looked for once each, so that time
   * stays linear.
   */
  nextReference: number;
  nextCdataEnd: number;
}

/**
 * The attributes of all elements, one after the other: flat, since a document has thousands of
 * them.
 */
export interface ScannedAttributes {
  /** As written, with their prefixes. */
  readonly names: string[];
  /** As written, between the quotes. */
  readonly values: string[];
  /** By the number of the element: how many attributes it and all before it have. */
  readonly ends: number[];
}

export interface Scanned {
  /** For the parser. */
  readonly text: string;
  readonly held: readonly string[];
  readonly starts: readonly number[];
  readonly attributes: ScannedAttributes;
  readonly notes: readonly XmlNote[];
}

/** Ends the scan: `what` is wrong at an offset. */
export function refuse(scan: Scan, code: XmlFaultCode, at: number, what: string, expected: string): never {
  throw new FaultFound({ code, at, element: scan.open.at(-1)?.name ?? null, what, expected });
}

/** Keeps a stretch from the parser. */
export function leaveOut(scan: Scan, from: number, to: number): void {
  if (from > scan.keptUpTo) scan.pieces.push(scan.text.slice(scan.keptUpTo, from));
  scan.keptUpTo = to;
}

/** Encloses the number of a held text. No document has it, since it is not a character of XML. */
export const TOKEN = "\ufffe";
