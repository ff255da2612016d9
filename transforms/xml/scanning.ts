import type { XmlLimits } from "./xml-fault.js";
import { FaultFound, type XmlFaultCode, type XmlNote } from "./xml-fault.js";

/** The state of one pass over one text; every field but the first two moves on with it. */
export interface Scan {
  readonly text: string;
  readonly limits: XmlLimits;
  at: number;
  readonly open: { readonly name: string; readonly at: number }[];
  readonly starts: number[];
  readonly attributes: ScannedAttributes;
  /** Input of the parser, up to `keptUpTo`. */
  readonly pieces: string[];
  keptUpTo: number;
  /** Texts that the parser sees a token for. */
  readonly held: string[];
  nodes: number;
  /** Valid names, checked once. */
  readonly names: Set<string>;
  /** Offsets of the next `&` and `]]>`, or the length; each is searched once, for linear time. */
  nextReference: number;
  nextCdataEnd: number;
}

/** Attributes of all elements, flat, since a document has thousands. */
export interface ScannedAttributes {
  readonly names: string[];
  /** As written, without quotes. */
  readonly values: string[];
  /** By element number: the attributes up to and including the element. */
  readonly ends: number[];
}

export interface Scanned {
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

/** Leaves a stretch out of the parser's input. */
export function leaveOut(scan: Scan, from: number, to: number): void {
  if (from > scan.keptUpTo) scan.pieces.push(scan.text.slice(scan.keptUpTo, from));
  scan.keptUpTo = to;
}

/** Encloses the number of a held text. Not a character of XML, so no document has it. */
export const TOKEN = "\ufffe";
