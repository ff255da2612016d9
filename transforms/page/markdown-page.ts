import type { PhrasingContent } from "mdast";
import type { Line } from "../../src/core/model/guide.js";
import { printMarkdown } from "../markdown/print-markdown.js";
import type { Fact, PageBlock } from "./block.js";
import { type BlockWriters, writeBlocks } from "./block-writers.js";
import { beginsLikeSign, bulletWord } from "./bullet-words.js";
import type { Fragments } from "./fragments.js";
import { depthsOf } from "./line-depths.js";
import { fileTitle, type LineMark, lineComment, textComments } from "./marks.js";
import { onOneLine } from "./on-one-line.js";
import { standsApart } from "./stands-apart.js";

/** A page as Markdown. */
export function markdownPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WRITERS, fragments).join("\n\n")}\n`;
}

const WRITERS: BlockWriters = {
  heading: ({ level, words }) =>
    printMarkdown([{ type: "heading", depth: level, children: [{ type: "text", value: onOneLine(words) }] }]).trim(),
  words: ({ words }, { plain }) => plain(words),
  text: ({ field, wiki }, fragments) => {
    const written = fragments.wiki(wiki, "page");
    const [open, close] = textComments(field);
    return standsApart(wiki) ? `${open}\n\n${written}\n\n${close}` : written;
  },
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => {
    const depths = depthsOf(lines);
    return lines.map((line, index) => itemOf(line, depths[index] ?? 0, fragments)).join("\n");
  },
  facts: ({ facts }, { plain }) => facts.map((fact) => factOf(fact, plain)).join("\n"),
  image: ({ name, address }) => paragraphOf({ type: "image", url: address, alt: onOneLine(name) }),
  file: ({ role, name, address, id }) =>
    paragraphOf({
      type: "link",
      url: address,
      title: fileTitle(role, id),
      children: [{ type: "text", value: onOneLine(name) }],
    }),
};

/** The mark stands behind the words: before them it would begin a block of HTML. */
function itemOf({ level, bullet, text }: Line, depth: number, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const indent = "  ".repeat(depth);
  const words = fragments.wiki(text, "line").replaceAll("\n", `\n${indent}  `);
  const isOdd = word === undefined && (bullet !== "black" || words === "" || beginsLikeSign(words, "**"));
  const mark: LineMark = { ...(isOdd ? { bullet } : {}), ...(level === depth ? {} : { level }) };
  return [`${indent}-`, word === undefined ? "" : `**${word}**`, words, lineComment(mark)]
    .filter((piece) => piece !== "")
    .join(" ");
}

function factOf({ words, more }: Fact, plain: Fragments["plain"]): string {
  return [`- ${plain(words)}`, ...more.map((each) => `  - ${plain(each)}`)].join("\n");
}

function paragraphOf(node: PhrasingContent): string {
  return printMarkdown([{ type: "paragraph", children: [node] }]).trim();
}
