import type { Element, ElementContent, RootContent } from "hast";
import { parseHtml } from "../../../html/from/parse-html.js";
import type { TextContext } from "../../../wiki/tree.js";
import type { Tell } from "../finding.js";
import { escapeText } from "../print-element.js";
import { holdable } from "../xml-characters.js";
import { alreadySimple } from "./already-simple.js";
import { attributesOf } from "./attributes.js";
import { HANDLERS } from "./handlers.js";
import { type Reduction, reductionFinding } from "./reductions.js";
import { BLOCKS, printSimple, SIMPLE_ELEMENTS, type Simple, simple } from "./simple.js";

export interface SimplifyOptions {
  /** `line`: a step's line, which holds words only. */
  readonly context: TextContext;
  /** In the model's words. */
  readonly path: string;
}

/**
 * HTML as simplified HTML in XML's form: the elements and attributes that oManual 1.0 has (omanual 4). Any string is read;
 * what there is no form for is reduced, each kind of it told of once a text. Its own result it gives again.
 */
export function simplify(html: string, { context, path }: SimplifyOptions, tell: Tell): string {
  const text = holdable(html, path, tell);
  if (!/[<&]/.test(text)) return escapeText(text.trim());
  const same = alreadySimple(text, context);
  if (same !== undefined) return same;
  const counts = new Map<Reduction, number>();
  const reduce = (code: Reduction) => void counts.set(code, (counts.get(code) ?? 0) + 1);
  const { trees, leftOut } = parseHtml(text);
  const pieces = [...trees].flatMap(({ root }) => simplifyAll(root.children, reduce));
  for (const _ of leftOut) reduce("other-element");
  const written = context === "line" ? withoutBlocks(pieces, reduce) : pieces;
  for (const [code, count] of counts) tell(reductionFinding(code, count, path));
  // References by number may bring in again what XML can't hold.
  return holdable(printSimple(written).trim(), path, tell);
}

function simplifyAll(
  nodes: readonly (RootContent | ElementContent)[],
  reduce: (code: Reduction) => void,
): readonly Simple[] {
  return nodes.flatMap((node): readonly Simple[] => {
    if (node.type === "text") return [node.value];
    return node.type === "element" ? simplifyElement(node, reduce) : [];
  });
}

function simplifyElement(element: Element, reduce: (code: Reduction) => void): readonly Simple[] {
  const children = simplifyAll(element.children, reduce);
  const handle = HANDLERS[element.tagName];
  if (handle !== undefined) return handle(element, children, reduce);
  if (SIMPLE_ELEMENTS.has(element.tagName)) return [simple(element.tagName, children, attributesOf(element))];
  reduce("other-element");
  return children;
}

/** Words of neighbouring blocks are kept apart by a blank. One block around all of a line shows nothing. */
function withoutBlocks(pieces: readonly Simple[], reduce: (code: Reduction) => void): readonly Simple[] {
  const shown = pieces.filter((piece) => typeof piece !== "string" || piece.trim() !== "");
  const [only] = shown;
  if (shown.length === 1 && only !== undefined && typeof only !== "string" && only.name === "p")
    return withoutBlocks(only.children, reduce);
  return pieces.flatMap((piece, index): readonly Simple[] => {
    if (typeof piece === "string") return [piece];
    const children = withoutBlocks(piece.children, reduce);
    if (!BLOCKS.has(piece.name)) return [{ ...piece, children }];
    reduce("line-blocks");
    return index === 0 ? children : [" ", ...children];
  });
}
