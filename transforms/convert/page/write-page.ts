import type { PhrasingContent } from "mdast";
import type { Line } from "../../../src/core/model/item.js";
import { element, escapeHtml, voidElement } from "../../html/writing.js";
import { printMarkdown } from "../../markdown/parse-markdown.js";
import { paragraph, text } from "../../wiki/build.js";
import { addressLink, writableAddress } from "../../wiki/draft.js";
import { normalisePage } from "../../wiki/normalise.js";
import { parse } from "../../wiki/parse.js";
import { print } from "../../wiki/print.js";
import type { Inline, TextContext } from "../../wiki/tree.js";
import { WRITERS } from "../convert.js";
import type { ConvertIssue, Setting } from "../formats.js";
import {
  beginsLikeSign,
  bulletWord,
  fileTitle,
  IMAGE_LINK_TEXT,
  type LineMark,
  lineComment,
  onOneLine,
  textComments,
} from "./labels.js";
import type { Fact, PageBlock } from "./page-of.js";

/** The content of an HTML body. */
export function htmlPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, HTML_BLOCKS, fragments).join("\n")}\n`;
}

const HTML_BLOCKS: BlockWriters = {
  heading: ({ level, words }, { plain }) => element(`h${level}`, {}, plain(words)),
  words: ({ words }, { plain }) => element("p", {}, plain(words)),
  text: ({ field, wiki }, fragments) => {
    const written = fragments.wiki(wiki, "page");
    return needsSeparation(wiki) ? element("div", { class: field }, `\n${written}\n`) : written;
  },
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => listOf(lines, fragments),
  facts: ({ facts }, { plain }) => element("ul", {}, facts.map((fact) => htmlFact(fact, plain)).join("")),
  image: ({ name, address }) => element("p", {}, voidElement("img", { src: address, alt: name })),
  file: ({ role, name, address, id }, { plain }) =>
    element("p", {}, element("a", { href: address, title: fileTitle(role, id) }, plain(name))),
};

function htmlFact({ words, more }: Fact, plain: Fragments["plain"]): string {
  const below = more.length === 0 ? "" : element("ul", {}, more.map((each) => element("li", {}, plain(each))).join(""));
  return element("li", {}, plain(words) + below);
}

/** A missing level gets a list without a line. */
function listOf(lines: readonly Line[], fragments: Fragments): string {
  let html = "";
  let depth = 0;
  for (const line of lines) {
    const level = Math.max(0, line.level);
    html +=
      depth > level ? `${"</li></ul>".repeat(depth - level - 1)}</li>` : `<ul>${"<li><ul>".repeat(level - depth)}`;
    depth = level + 1;
    html += htmlItem(line, fragments);
  }
  return html + "</li></ul>".repeat(depth);
}

/** Leaves the item open. The class is needed where the words alone name another bullet or none. */
function htmlItem({ bullet, text }: Line, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const words = fragments.wiki(text, "line");
  const needsClass = bullet !== "black" || words === "" || beginsLikeSign(words, "<strong>");
  return `<li${needsClass ? ` class="${bullet.replace(/[^\w-]/g, "")}"` : ""}>${word === undefined ? "" : `<strong>${word}</strong> `}${words}`;
}

export function markdownPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, MARKDOWN_BLOCKS, fragments).join("\n\n")}\n`;
}

const MARKDOWN_BLOCKS: BlockWriters = {
  heading: ({ level, words }) =>
    printMarkdown([{ type: "heading", depth: level, children: [{ type: "text", value: onOneLine(words) }] }]).trim(),
  words: ({ words }, { plain }) => plain(words),
  text: ({ field, wiki }, fragments) => {
    const written = fragments.wiki(wiki, "page");
    const [open, close] = textComments(field);
    return needsSeparation(wiki) ? `${open}\n\n${written}\n\n${close}` : written;
  },
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => {
    const depths = depthsOf(lines);
    return lines.map((line, index) => markdownItem(line, depths[index] ?? 0, fragments)).join("\n");
  },
  facts: ({ facts }, { plain }) => facts.map((fact) => markdownFact(fact, plain)).join("\n"),
  image: ({ name, address }) => paragraphOf({ type: "image", url: address, alt: onOneLine(name) }),
  file: ({ role, name, address, id }) =>
    paragraphOf({
      type: "link",
      url: address,
      title: fileTitle(role, id),
      children: [{ type: "text", value: onOneLine(name) }],
    }),
};

/** The mark follows the words, since before them it would begin a block of HTML. */
function markdownItem({ level, bullet, text }: Line, depth: number, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const indent = "  ".repeat(depth);
  const words = fragments.wiki(text, "line").replaceAll("\n", `\n${indent}  `);
  const needsMark = word === undefined && (bullet !== "black" || words === "" || beginsLikeSign(words, "**"));
  const mark: LineMark = { ...(needsMark ? { bullet } : {}), ...(level === depth ? {} : { level }) };
  return [`${indent}-`, word === undefined ? "" : `**${word}**`, words, lineComment(mark)]
    .filter((piece) => piece !== "")
    .join(" ");
}

function markdownFact({ words, more }: Fact, plain: Fragments["plain"]): string {
  return [`- ${plain(words)}`, ...more.map((each) => `  - ${plain(each)}`)].join("\n");
}

function paragraphOf(node: PhrasingContent): string {
  return printMarkdown([{ type: "paragraph", children: [node] }]).trim();
}

/** Texts stay as they are. There is no form for marks, nor for images by address. */
export function wikiPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WIKI_BLOCKS, fragments).join("\n\n")}\n`;
}

const WIKI_BLOCKS: BlockWriters = {
  heading: ({ level, words }, { plain, tell }) => {
    if (level === 1) tell({ code: "top-heading", level: "note", message: TOP, start: 0, end: 0 });
    const marks = "=".repeat(level);
    return `${marks} ${plain(words)} ${marks}`;
  },
  words: ({ words }, { plain }) => plain(words),
  text: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => lines.map((line) => wikiItem(line, fragments)).join("\n"),
  facts: ({ facts }, { plain }) =>
    facts.flatMap(({ words, more }) => [`* ${plain(words)}`, ...more.map((each) => `** ${plain(each)}`)]).join("\n"),
  image: ({ name, address }, { tell }) => {
    const message = `Wiki text can show only images of the site. The image becomes a link to ${address}.`;
    tell({ code: "image-address", level: "loss", message, start: 0, end: 0 });
    return linkTo(address, name || IMAGE_LINK_TEXT);
  },
  file: ({ name, address }) => linkTo(address, name),
};

const TOP = "Sites are not known to have headings of level 1. The site may show this heading as text.";

/** An item is one line. */
function wikiItem({ level, bullet, text: words }: Line, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const written = fragments.wiki(words, "line").replaceAll("\n", " ");
  return `${"*".repeat(Math.max(0, level) + 1)} ${word === undefined ? "" : `'''${word}''' `}${written}`;
}

function linkTo(address: string, name: string): string {
  const label = [text(name === "" ? address : name)];
  const written = writableAddress(address);
  return plainWiki(written === undefined ? label : [addressLink(written, label, false)]);
}

type Writer<T extends PageBlock["type"]> = (
  block: Extract<PageBlock, { readonly type: T }>,
  fragments: Fragments,
) => string;

type BlockWriters = { readonly [T in PageBlock["type"]]: Writer<T> };

function writeBlocks(blocks: readonly PageBlock[], writers: BlockWriters, fragments: Fragments): readonly string[] {
  return blocks.map((block) => {
    const write = writers[block.type] as (block: PageBlock, fragments: Fragments) => string;
    return write(block, fragments);
  });
}

export type FragmentFormat = "wiki" | "markdown" | "html" | "plain-html";

/** Writes the texts of a page, and collects what the format cannot express. */
export interface Fragments {
  wiki(source: string, context: TextContext): string;
  /** Plain words on one line. */
  plain(words: string): string;
  readonly tell: (issue: ConvertIssue) => void;
}

/** `tell` reports irregular or lost content, without a place. */
export function fragmentsIn(
  format: FragmentFormat,
  origin: string | undefined,
  tell: (issue: ConvertIssue) => void,
): Fragments {
  const setting = (context: TextContext): Setting => ({ context, origin });
  const write = WRITERS[format];
  return {
    wiki: (source, context) => {
      const { tree, issues } = parse(source, { context });
      const written = write(tree, setting(context));
      for (const issue of [...issues, ...written.issues]) tell({ ...issue, start: 0, end: 0 });
      return written.text.trim();
    },
    plain: (words) => PLAIN[format](onOneLine(words)),
    tell,
  };
}

const PLAIN: Readonly<Record<FragmentFormat, (words: string) => string>> = {
  wiki: (value) => plainWiki([text(value)]),
  // As a paragraph, since its beginning may look like that of another block.
  markdown: (value) => printMarkdown([{ type: "paragraph", children: [{ type: "text", value }] }]).trim(),
  html: escapeHtml,
  "plain-html": escapeHtml,
};

/** Escapes markup of plain words, which is no loss. */
function plainWiki(inlines: readonly Inline[]): string {
  const block = paragraph(inlines);
  return print(normalisePage([{ block, tell: () => undefined }], () => undefined)).trim();
}

/** The depth of a line: its level, at most one below the line before it. */
function depthsOf(lines: readonly Pick<Line, "level">[]): readonly number[] {
  let before = -1;
  return lines.map(({ level }) => {
    before = Math.max(0, Math.min(level, before + 1));
    return before;
  });
}

/** Its headings would be read as steps, and a list at its beginning as facts. */
function needsSeparation(wiki: string): boolean {
  const { tree } = parse(wiki, { context: "page" });
  return (
    tree.type === "page" && (tree.children[0]?.type === "list" || tree.children.some(({ type }) => type === "heading"))
  );
}
