import { NODE_KINDS } from "./names.js";
import type { NodeKind } from "./vocabulary.js";

/** A node as it came, its fields made safe to use. */
export interface ReadNode {
  /** undefined: a node that the wiki syntax has nothing for. */
  readonly kind: NodeKind | undefined;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly content: readonly unknown[];
  readonly marks: readonly unknown[];
  readonly text: string;
}

/**
 * Any value as a node: a string is a text, what is no object at all is an unknown node without content. A text where a node has
 * none by its kind is its first child, so that it is not lost.
 */
export function readNode(value: unknown): ReadNode {
  if (typeof value === "string") return { ...NOTHING, kind: "text", type: "text", text: value };
  const fields = recordOf(value);
  const type = typeof fields["type"] === "string" ? fields["type"] : "";
  const kind = NODE_KINDS.get(type);
  const text = textOf(fields["text"]);
  const content = contentOf(fields["content"]);
  const misplaced = kind !== undefined && kind !== "text" && text !== "";
  return {
    kind,
    type,
    attributes: recordOf(fields["attrs"]),
    content: misplaced ? [text, ...content] : content,
    marks: listOf(fields["marks"]),
    text: misplaced ? "" : text,
  };
}

const NOTHING = { attributes: {}, content: [], marks: [] } as const;

/** The fields of an object; nothing for what is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).replaceAll(/\r\n?/g, "\n") : "";
}

/** A single node where a list of nodes should be is read as a list of one. */
function contentOf(value: unknown): readonly unknown[] {
  return typeof value === "string" || Object.keys(recordOf(value)).length > 0 ? [value] : listOf(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
