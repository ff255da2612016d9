import type { TextIssue } from "../../src/core/model/text-codes.js";
import { type JsonObject, listIn, objectIn, textIn } from "../../src/core/util/json.js";
import type { Tell } from "../wiki/draft.js";
import { INLINE_KINDS, NODE_KINDS, type NodeKind } from "./vocabulary.js";

/** A node with validated fields. */
export interface ReadNode {
  /** undefined: a node without a counterpart in wiki syntax. */
  readonly kind: NodeKind | undefined;
  readonly type: string;
  readonly attributes: JsonObject;
  readonly content: readonly unknown[];
  readonly marks: readonly unknown[];
  readonly text: string;
}

/**
 * Reads any value as a node: a string is a text, another non-object an unknown node. Unexpected
 * text of a node becomes its first child.
 */
export function readNode(value: unknown): ReadNode {
  if (typeof value === "string") return { ...NOTHING, kind: "text", type: "text", text: value };
  const fields = objectIn(value);
  const type = textIn(fields["type"]);
  const kind = NODE_KINDS.get(type);
  const text = textOf(fields["text"]);
  const content = contentOf(fields["content"]);
  const misplaced = kind !== undefined && kind !== "text" && text !== "";
  return {
    kind,
    type,
    attributes: objectIn(fields["attrs"]),
    content: misplaced ? [text, ...content] : content,
    marks: listIn(fields["marks"]),
    text: misplaced ? "" : text,
  };
}

const NOTHING = { attributes: {}, content: [], marks: [] } as const;

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).replaceAll(/\r\n?/g, "\n") : "";
}

function contentOf(value: unknown): readonly unknown[] {
  return typeof value === "string" || Object.keys(objectIn(value)).length > 0 ? [value] : listIn(value);
}

/** The place is a path, since a tree has no offsets (`start` and `end` are 0). */
export interface TreeIssue extends TextIssue {
  /** `content[3].content[0]`; empty for the whole document. */
  readonly path: string;
}

export interface Conversion {
  readonly issues: TreeIssue[];
}

export interface Spot {
  readonly conversion: Conversion;
  readonly path: string;
  readonly depth: number;
  /** Whether it is in a quote: quotes do not nest in wiki text. */
  readonly quoted: boolean;
}

/** Deeper trees become plain text, which bounds recursion; real texts stay far below. */
export const DEEPEST_NODE = 100;

export function inside(spot: Spot, index: number): Spot {
  const { path, depth } = spot;
  return { ...spot, path: path === "" ? `content[${index}]` : `${path}.content[${index}]`, depth: depth + 1 };
}

export function report(
  { conversion, path }: Spot,
  code: TextIssue["code"],
  level: TextIssue["level"],
  message: string,
): void {
  conversion.issues.push({ code, level, message, path, start: 0, end: 0 });
}

export function tellAt(spot: Spot): Tell {
  return (code, level, message) => report(spot, code, level, message);
}

/** Reports attributes that wiki text lacks, such as an alignment or the language of code. */
export function reportAttributes(document: unknown, spot: Spot): void {
  const rest: (readonly [value: unknown, spot: Spot])[] = [[document, spot]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, place] = next;
    const { kind, attributes, content, type } = readNode(value);
    const known = kind === undefined ? undefined : KNOWN[kind]?.(attributes);
    for (const [name, attributeValue] of known === undefined ? [] : Object.entries(attributes)) {
      if (known?.includes(name) || TECHNICAL.has(name) || !isSet(attributeValue)) continue;
      const message = `Wiki text does not have "${name}" of a "${type}". ${JSON.stringify(attributeValue).slice(0, 100)} is left out.`;
      report(place, "node-attribute", "loss", message);
    }
    if (place.depth > DEEPEST_NODE) continue;
    for (const [at, child] of [...content.entries()].toReversed()) rest.push([child, inside(place, at)]);
  }
}

type Names = (attributes: JsonObject) => readonly string[];

/** Attributes that are handled elsewhere; the reader of images reports theirs. */
const KNOWN: Readonly<Partial<Record<NodeKind, Names>>> = {
  // The paragraph of a video repeats its macro (wiki-syntax 4.2).
  paragraph: ({ rule }) =>
    rule === undefined ? [] : ["align", "caption", "formats", "poster", "rule", "service", "size", "url"],
  heading: () => ["level"],
  codeBlock: () => [],
  quote: () => ["format", "attribute"],
  bulletList: () => [],
  orderedList: () => ["order", "start"],
  listItem: () => [],
};

/** Internal attributes of editors. */
const TECHNICAL: ReadonlySet<string> = new Set(["id", "class", "tight", "bullet", "spread"]);

/** false: empty or a default. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !["", "left", "start", null, undefined, false].some((nothing) => value === nothing);
}

/** The end of the running text at `at`, or of the block there. */
export function stretchEnd(content: readonly unknown[], at: number): number {
  let end = at;
  while (end < content.length && INLINE_KINDS.has(readNode(content[end]).kind)) end += 1;
  return Math.max(end, at + 1);
}
