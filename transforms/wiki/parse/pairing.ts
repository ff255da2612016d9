import type { MarkType } from "../tree.js";
import { isBlank } from "./characters.js";
import type { Atom } from "./scope.js";
import { report, type Source } from "./source.js";

/** A marker that opens or closes a mark, once it is known which. */
export interface Marker {
  start: number;
  end: number;
  readonly type: MarkType;
  readonly opens: boolean;
  /** Whether the other marker of the pair was found. */
  paired: boolean;
  readonly node?: undefined;
}

export type Piece = Marker | Atom;

/** Pairs the markers of a scope: the next marker of a kind closes what the last one opened. */
export interface Pairing {
  readonly source: Source;
  readonly pieces: Piece[];
  readonly open: Map<MarkType, Marker>;
  /** Where in `pieces` five apostrophes opened both italic and bold, whose order their closing settles; -1 otherwise. */
  twins: number;
}

export function pairingOf(source: Source): Pairing {
  return { source, pieces: [], open: new Map(), twins: -1 };
}

/** Adds an opening marker; gives its end. */
export function openMark({ pieces, open }: Pairing, type: MarkType, start: number, end: number): number {
  const marker: Marker = { start, end, type, opens: true, paired: false };
  open.set(type, marker);
  pieces.push(marker);
  return end;
}

/** Adds the closing marker of a mark that is open; gives its end. */
export function closeMark(pairing: Pairing, opener: Marker, start: number, end: number): number {
  const { source, pieces, open } = pairing;
  if (isBlank(source.text.charCodeAt(opener.end))) report(source, "blank-in-mark", opener.start, opener.end);
  opener.paired = true;
  open.delete(opener.type);
  pieces.push({ start, end, type: opener.type, opens: false, paired: true });
  return end;
}
