import type { Leaf } from "../settle/leaf.js";
import { mediaApart } from "../settle/media-apart.js";
import { isWritten } from "../settle/split-edges.js";
import { unspaced } from "../settle/unspaced.js";
import { embed } from "../wiki/build.js";
import { video } from "../wiki/build-inlines.js";
import { parse } from "../wiki/parse.js";
import type { Block, PageMacro } from "../wiki/tree.js";
import { inlinesOf } from "./read-inlines.js";
import { readLeaves } from "./read-leaves.js";
import type { ReadNode } from "./read-node.js";
import type { Spot } from "./reading.js";

/** A paragraph; none when there is nothing in it. A video's paragraph says its address in attributes too (wiki-syntax 4.2). */
export function readParagraph({ attributes, content }: ReadNode, spot: Spot): readonly Block[] {
  const blocks = paragraphsOf(readLeaves(content, spot), spot);
  const { rule, url } = attributes;
  if (blocks.length > 0 || rule !== "Video" || typeof url !== "string" || url === "") return blocks;
  return [embed(video(url, fieldsOf(attributes)))];
}

/** What a video has without being told (wiki-syntax 4.2). */
const USUAL: Readonly<Record<string, string>> = { align: "center", size: "large", caption: "" };

function fieldsOf(attributes: ReadNode["attributes"]): Readonly<Record<string, string>> {
  const said = Object.entries(USUAL).flatMap(([name, usual]): readonly (readonly [string, string])[] => {
    const value = attributes[name];
    return typeof value === "string" && value !== usual && /^[^|[\]\n]+$/.test(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(said);
}

/** Running text as blocks: page macros, and media that the site shows as blocks of their own, stand alone. */
export function paragraphsOf(leaves: readonly Leaf[], spot: Spot): readonly Block[] {
  if (!leaves.some(isWritten)) return [];
  const macro = pageMacroIn(leaves);
  if (macro !== undefined) return [macro];
  return mediaApart(inlinesOf(leaves, spot));
}

/** The page macro that a text without marks is the source of. */
function pageMacroIn(leaves: readonly Leaf[]): PageMacro | undefined {
  const source = leaves.map((leaf) => (leaf.type === "text" && leaf.marks.length === 0 ? leaf.value : "x")).join("");
  if (!source.startsWith("[")) return undefined;
  const [block, ...others] = unspaced(parse(source, { context: "page" }).tree.children);
  return block?.type === "pageMacro" && others.length === 0 ? block : undefined;
}
