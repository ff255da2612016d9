import { namespaceOf, type Scope } from "./namespaces.js";
import type { Scanned, ScannedAttributes } from "./scanning.js";
import { FaultFound, type XmlNote } from "./xml-fault.js";

/** The state of making one tree. */
export interface Building {
  readonly text: string;
  /** Offsets of the elements, as the scan found them. */
  readonly starts: readonly number[];
  readonly attributes: ScannedAttributes;
  /** Texts that the parser has tokens for. */
  readonly held: readonly string[];
  /** The number of the next element. */
  next: number;
  line: number;
  lineStart: number;
  /** Of the line that the last element began on; kept, since looking for it anew for each would take squared time. */
  lineEnd: number;
  /** Prefixes that were told of. */
  readonly undeclared: Set<string>;
  readonly notes: XmlNote[];
}

export type Found = Pick<Scanned, "starts" | "held" | "attributes">;

export function startBuilding(text: string, { starts, held, attributes }: Found): Building {
  return {
    text,
    starts,
    attributes,
    held,
    next: 0,
    line: 1,
    lineStart: 0,
    lineEnd: lineEndOf(text, 0),
    undeclared: new Set(),
    notes: [],
  };
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of the next element, whose name the scan must have seen there. */
export function placeNext(building: Building, written: string): Place {
  const { text, starts } = building;
  const at = starts[building.next] ?? -1;
  if (at < 0 || !text.startsWith(written, at + 1)) throw disagreement(building, Math.max(at, 0));
  building.next += 1;
  while (building.lineEnd < at) {
    building.line += 1;
    building.lineStart = building.lineEnd + 1;
    building.lineEnd = lineEndOf(text, building.lineStart);
  }
  return { line: building.line, column: at - building.lineStart + 1 };
}

function lineEndOf(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

/** The namespace of a prefix; one that is declared nowhere is noted. */
export function resolve(prefix: string, scope: Scope, building: Building, place: Place): string | null {
  const namespace = namespaceOf(scope, prefix);
  if (namespace === undefined && prefix !== "" && !building.undeclared.has(prefix)) {
    building.undeclared.add(prefix);
    const message = `the prefix ${prefix} is declared nowhere; its names are taken without a namespace`;
    building.notes.push({ code: "xml-prefix-undeclared", message, ...place });
  }
  return namespace ?? null;
}

export function splitName(written: string): readonly [prefix: string, name: string] {
  const colon = written.indexOf(":");
  return colon < 0 ? ["", written] : [written.slice(0, colon), written.slice(colon + 1)];
}

/** The scan and the parser see different elements: then nobody knows what the document says. */
export function disagreement({ text }: Building, at: number): FaultFound {
  return new FaultFound({
    code: "xml-disagreement",
    at,
    element: null,
    what: `the two passes over the file disagree about ${JSON.stringify(text.slice(at, at + 30))}`,
    expected: "one meaning; please report this file as a defect of guideferry",
  });
}
