import type { Position } from "../wiki/tree.js";
import { addReference, type Finding } from "./draft.js";
import { fieldsOf } from "./node-fields.js";
import { goalOf, holdsBracket, type NodeGoal, type ReferringNode } from "./node-goal.js";
import type { Span } from "./reference.js";

/**
 * Adds what a node refers to, and opens its brackets; they are closed where they stand. Says where to go on, which is behind its
 * target: in its label more may be found.
 */
export function readNode(finding: Finding, node: ReferringNode, position: Position): number {
  const { text, site, guides } = finding;
  const { start } = position;
  const goal = goalOf(node, site, start + node.open.length);
  const isGuide = goal?.form === "macro" && goal.kind === "guide";
  const { body, rest } = fieldsOf(text, node, position, isGuide || guides.length > 0);
  if (goal === undefined) {
    finding.depth += bracketsOf(node);
    return node.type !== "pageMacro" && holdsBracket(node) ? start + node.open.length : body;
  }
  const { form, kind, key, steps, origin } = goal;
  const head = headOf(node, goal, start, body);
  const from = { form, kind, key, goal: goal.goal, steps, origin, head, body };
  addReference(finding, start, from, form === "url" ? undefined : rest);
  return body;
}

function headOf(node: ReferringNode, { origin }: NodeGoal, start: number, body: number): Span {
  if (origin === null || node.type === "pageMacro") return { start: start + 1, end: body };
  const address = start + node.open.length;
  return { start: address, end: address + node.target.length };
}

function bracketsOf({ open }: ReferringNode): number {
  if (open === "") return 0;
  return open.startsWith("[[") ? 2 : 1;
}
