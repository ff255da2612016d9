import { UsageError } from "../../src/core/errors.js";
import { fromDocumentTree } from "../document-tree/from-document-tree.js";
import { lineOf } from "../markdown/line-of.js";
import { onOneLine } from "../markdown/read-line.js";
import { settleLine } from "../settle/settle.js";
import type { TextContext, Tree } from "../wiki/tree.js";
import type { ConvertIssue } from "./setting.js";

/** What formats of plain text are read from. Throws UsageError for anything but a text. */
export function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  throw new UsageError("What is read in this format must be a text; only a document-tree may be JSON.");
}

/**
 * Reads a document tree, or a text that holds one as JSON. A step line has no tree at the service, so for one the words of the
 * document's blocks are taken. Throws UsageError for what is no JSON, or JSON without a node.
 */
export function documentOf(
  source: unknown,
  context: TextContext,
): { readonly tree: Tree; readonly issues: readonly ConvertIssue[] } {
  const document = typeof source === "string" ? jsonOf(source) : source;
  if (!isNode(document)) {
    throw new UsageError('The JSON is no document tree: that is an object with "type": "doc" and "content".');
  }
  const { tree, issues } = fromDocumentTree(document);
  if (context === "page") return { tree, issues };
  const further: ConvertIssue[] = [];
  const tell = (code: string, level: ConvertIssue["level"], message: string): void => {
    further.push({ code, level, message, path: "", start: 0, end: 0 });
  };
  const line = settleLine(lineOf(tree.children, tell).map(onOneLine), tell);
  return { tree: line, issues: [...issues, ...further] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`A document tree is JSON, and this is none: ${reason}.`, { cause: error });
  }
}

function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
