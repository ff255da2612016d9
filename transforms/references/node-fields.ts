import { skipSpace } from "../wiki/parse/characters.js";
import type { Link, Parameter } from "../wiki/tree.js";
import type { Rest } from "./draft.js";
import type { ReferringNode } from "./node-goal.js";
import type { Field, Span } from "./reference.js";

/** What stands behind the target of a node. */
export interface NodeFields {
  /** Where it begins: behind the blanks that follow the target. */
  readonly body: number;
  readonly rest: Rest;
}

/** A field with the pipe before it. */
interface Part extends Field {
  /** Where its text begins when it is a label or part of one; null for a parameter and an empty field. */
  readonly words: number | null;
  readonly isStep: boolean;
}

/** Takes apart what stands behind a node's target. `stepsApart`: steps are found one by one, and are no fields. */
export function fieldsOf(text: string, node: ReferringNode, { start, end }: Span, stepsApart: boolean): NodeFields {
  const from = start + node.open.length + targetLength(node);
  const body = skipSpace(text, from, end);
  const parts = partsOf(text, node, from, end);
  const first = parts.find(({ words }) => words !== null);
  const labelEnd = parts.findLast(({ words }) => words !== null)?.end ?? end;
  const fields = parts
    .filter((part) => first === undefined || part.end <= first.start || part.start >= labelEnd)
    .filter(({ isStep }) => !(isStep && stepsApart))
    .map((part): Field => ({ name: part.name, start: Math.max(part.start, body), end: part.end }));
  const bar = first?.words == null ? null : { start: Math.max(first.start, body), end: first.words };
  const close = { start: Math.max(end - node.close.length, body), end };
  return { body, rest: { fields, bar, close: isBalanced(text, body, close.start) ? close : null, end } };
}

function partsOf(text: string, node: ReferringNode, from: number, end: number): readonly Part[] {
  if (node.type === "link") return linkParts(text, node, from, end);
  if (node.type !== "pageMacro") return parametersFrom(node.parameters, from);
  const rest = node.value.length - targetLength(node);
  return rest === 0 ? [] : [{ name: "", start: from, end: from + rest, words: null, isStep: false }];
}

/** The number of a page's picture is all that its macro means, whatever follows. */
function targetLength(node: ReferringNode): number {
  return node.type === "pageMacro" ? node.value.search(/\D|$/) : node.target.length;
}

function linkParts(text: string, node: Link, from: number, end: number): readonly Part[] {
  const leading = parametersFrom(node.leading, from);
  const trailing = parametersFrom(node.parameters, 0);
  const start = leading.at(-1)?.end ?? from;
  const labelEnd = end - node.close.length - (trailing.at(-1)?.end ?? 0);
  if (node.bar === "") return [...leading, ...parametersFrom(node.parameters, start)];
  const words = /[^\s|]/.test(text.slice(start + node.bar.length, labelEnd)) ? start + node.bar.length : null;
  return [
    ...leading,
    { name: "", start, end: labelEnd, words, isStep: false },
    ...parametersFrom(node.parameters, labelEnd),
  ];
}

function parametersFrom(parameters: readonly Parameter[], from: number): readonly Part[] {
  let end = from;
  return parameters.map(({ before, name, equals, value }) => {
    const start = end;
    const written = start + before.length;
    end = written + name.length + equals.length + value.length;
    const known = name.trim().toLowerCase();
    const isParameter = KNOWN.has(known);
    const words = isParameter || (name + equals + value).trim() === "" ? null : written;
    return {
      name: isParameter ? known : "",
      start,
      end,
      words,
      isStep: known === "stepid" && /^\s*\d+\s*$/.test(value),
    };
  });
}

/** The only parameters (wiki-syntax 7): whatever else an image or video has is words, which must not be lost with it. */
const KNOWN: ReadonlySet<string> = new Set(["new_window", "stepid", "size", "align", "format", "tags", "type"]);

/** Is every bracket closed in this stretch? */
function isBalanced(text: string, start: number, end: number): boolean {
  const opening = text.indexOf("[", start);
  if (opening < 0 || opening >= end) return true;
  let depth = 0;
  for (let at = opening; at < end; at += 1) {
    const character = text.charAt(at);
    if (character === "[") depth += 1;
    else if (character === "]" && depth > 0) depth -= 1;
  }
  return depth === 0;
}
