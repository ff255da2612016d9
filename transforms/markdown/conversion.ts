import type { BlockContent, Definition, DefinitionContent, Node, Root, RootContent } from "mdast";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import type { Tell } from "../wiki/draft.js";
import type { MarkType, TextContext } from "../wiki/tree.js";

export type Flow = BlockContent | DefinitionContent;

export interface Conversion {
  readonly context: TextContext;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The number of each footnote, by the order of the first references. */
  readonly footnotes: Map<string, number>;
  readonly issues: TextIssue[];
  /** Whether it is in a quote: quotes do not nest in wiki text. */
  readonly quoted: boolean;
  /** Open marks: in wiki text a mark does not contain its own kind. */
  readonly marks: ReadonlySet<MarkType>;
}

export function conversionOf(root: Root, context: TextContext): Conversion {
  const definitions = new Map(definitionsIn(root.children).map((each) => [each.identifier, each] as const));
  return { context, definitions, footnotes: new Map(), issues: [], quoted: false, marks: new Set() };
}

/** Last to first, since the first of a name counts. */
function definitionsIn(nodes: readonly RootContent[]): readonly Definition[] {
  return nodes.toReversed().flatMap((node): readonly Definition[] => {
    if (node.type === "definition") return [node];
    return "children" in node ? definitionsIn(node.children) : [];
  });
}

export function placeOf({ position }: Node): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

/** Reports at the place of a node, and keeps only the place. */
export function tellAt({ issues }: Conversion, node: Node): Tell {
  const place = placeOf(node);
  return (code, level, message) => {
    issues.push({ code, level, message, ...place });
  };
}

export function footnoteNumber({ footnotes }: Conversion, identifier: string): number {
  const number = footnotes.get(identifier) ?? footnotes.size + 1;
  footnotes.set(identifier, number);
  return number;
}
