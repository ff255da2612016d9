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

/** Any value as a node: a string is a text, what is no object at all is an unknown node without content. */
export function readNode(value: unknown): ReadNode {
  if (typeof value === "string") return { ...NOTHING, kind: "text", type: "text", text: value };
  const fields = recordOf(value);
  const type = typeof fields["type"] === "string" ? fields["type"] : "";
  const text = fields["text"];
  return {
    kind: NODE_KINDS.get(type),
    type,
    attributes: recordOf(fields["attrs"]),
    content: listOf(fields["content"]),
    marks: listOf(fields["marks"]),
    text: typeof text === "string" ? text.replaceAll(/\r\n?/g, "\n") : "",
  };
}

const NOTHING = { attributes: {}, content: [], marks: [] } as const;

/** The fields of an object; nothing for what is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
