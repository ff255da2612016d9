import type { ElementContent, Text } from "hast";
import { node, words } from "../node.js";
import { type ContentToken, LEAVES } from "./content-tokens.js";

/** How what differs is shown at one side. */
export type MarkName = "del" | "ins";

const MARKS = {
  del: { className: "went", said: "[removed: " },
  ins: { className: "came", said: "[added: " },
} as const satisfies Readonly<Record<MarkName, { readonly className: string; readonly said: string }>>;

/** A part of a page that came or went: seen by its colour and line, heard by words. */
export function marked(name: MarkName, content: readonly ElementContent[]): ElementContent {
  const { className, said } = MARKS[name];
  const unseen = (text: string): ElementContent => node("span", [words(text)], { className: ["unseen"] });
  return node(name, [unseen(said), ...content, unseen("]")], { className: [className] });
}

/** Content with the changed ones of its tokens marked, those that follow each other together. */
export function markedContent(
  content: readonly ElementContent[],
  changed: readonly ContentToken[],
  name: MarkName,
): readonly ElementContent[] {
  const byLeaf = new Map<number, ContentToken[]>();
  for (const token of changed) {
    const others = byLeaf.get(token.leaf);
    if (others === undefined) byLeaf.set(token.leaf, [token]);
    else others.push(token);
  }
  let leaf = 0;
  const walk = (nodes: readonly ElementContent[]): readonly ElementContent[] =>
    nodes.flatMap((each): readonly ElementContent[] => {
      if (each.type === "text") return markedText(each, byLeaf.get(leaf++) ?? [], name);
      if (each.type !== "element") return [];
      if (LEAVES.has(each.tagName)) return byLeaf.has(leaf++) ? [marked(name, [each])] : [each];
      return [{ ...each, children: [...walk(each.children)] }];
    });
  return walk(content);
}

function markedText(text: Text, changed: readonly ContentToken[], name: MarkName): readonly ElementContent[] {
  const pieces: ElementContent[] = [];
  let at = 0;
  const put = (end: number, mark: boolean): void => {
    const piece: ElementContent = { type: "text", value: text.value.slice(at, end) };
    if (end > at) pieces.push(mark ? marked(name, [piece]) : piece);
    at = end;
  };
  for (const { start, end } of runsOf(text.value, changed)) {
    put(start, false);
    put(end, true);
  }
  put(text.value.length, false);
  return pieces;
}

/** Changed tokens with nothing but blanks between them, as one. */
function runsOf(
  text: string,
  changed: readonly ContentToken[],
): readonly { readonly start: number; readonly end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of changed) {
    const last = runs.at(-1);
    if (last !== undefined && text.slice(last.end, start).trim() === "") last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}
