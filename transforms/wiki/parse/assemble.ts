import type { MarkType } from "../tree.js";
import type { Marker, Piece } from "./pairing.js";
import type { ReadInline } from "./read-inline.js";
import type { Scope } from "./scope.js";
import { report } from "./source.js";

/** A mark that is open, with the nodes that it holds so far. */
interface Frame {
  readonly type: MarkType;
  readonly start: number;
  readonly open: string;
  readonly children: ReadInline[];
}

interface Assembly {
  readonly scope: Scope;
  readonly top: ReadInline[];
  /** At most one frame of each kind of mark. */
  readonly frames: Frame[];
  /** Up to where the text has become nodes. */
  at: number;
}

/** Makes nodes of the pieces and of the text between them. */
export function assemble(scope: Scope, pieces: readonly Piece[]): readonly ReadInline[] {
  const assembly: Assembly = { scope, top: [], frames: [], at: scope.start };
  for (const piece of pieces) {
    addText(assembly, piece.start);
    assembly.at = piece.end;
    if (piece.node !== undefined) childrenOf(assembly).push(piece.node);
    else if (piece.opens) openFrame(assembly, piece);
    else closeFrame(assembly, piece);
  }
  addText(assembly, scope.end);
  return assembly.top;
}

function childrenOf({ top, frames }: Assembly): ReadInline[] {
  return frames.at(-1)?.children ?? top;
}

function addText(assembly: Assembly, end: number): void {
  const { scope, at: start } = assembly;
  if (start === end) return;
  childrenOf(assembly).push({ type: "text", value: scope.text.slice(start, end), position: { start, end } });
}

function openFrame({ scope, frames }: Assembly, { type, start, end }: Marker): void {
  frames.push({ type, start, open: scope.text.slice(start, end), children: [] });
}

/** Closes a mark. Marks inside of it that go on are cut: their halves have no marker where they meet. */
function closeFrame(assembly: Assembly, { type, start, end }: Marker): void {
  const { scope, frames } = assembly;
  const cut: MarkType[] = [];
  for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
    const ends = frame.type === type;
    const position = { start: frame.start, end: ends ? end : start };
    const close = ends ? scope.text.slice(start, end) : "";
    childrenOf(assembly).push({ type: frame.type, open: frame.open, children: frame.children, close, position });
    if (ends) break;
    cut.push(frame.type);
  }
  if (cut.length > 0) report(scope.source, "crossing-marks", start, end);
  for (const inner of cut.reverse()) frames.push({ type: inner, start: end, open: "", children: [] });
}
