import type { Code, FootnoteDefinition, Heading, Html } from "mdast";
import { listBlocks } from "../settle/list-items.js";
import { mediaApart } from "../settle/media-apart.js";
import { unspaced } from "../settle/unspaced.js";
import { codeBlock, heading, paragraph } from "../wiki/build.js";
import { lineBreak, text } from "../wiki/build-inlines.js";
import { parse } from "../wiki/parse.js";
import type { Block } from "../wiki/tree.js";
import { blocksOfHtml } from "./blocks-of-html.js";
import { BREAK, DIVIDER, RAW_BLOCK } from "./raw-wiki.js";
import { readInlines } from "./read-inlines.js";
import { readItems } from "./read-items.js";
import { readLine } from "./read-line.js";
import { readQuote } from "./read-quote.js";
import { readTable } from "./read-table.js";
import { type Flow, footnoteNumber, type Reading, tellAt } from "./reading.js";

/** A block of Markdown as blocks of wiki text. */
export function readBlock(node: Flow, reading: Reading): readonly Block[] {
  const read = HANDLERS[node.type] as (node: Flow, reading: Reading) => readonly Block[];
  return read(node, reading);
}

type Handler<Type extends Flow["type"]> = (
  node: Extract<Flow, { readonly type: Type }>,
  reading: Reading,
) => readonly Block[];

const HANDLERS: { readonly [Type in Flow["type"]]: Handler<Type> } = {
  paragraph: ({ children }, reading) => mediaApart(readInlines(children, reading)),
  heading: readHeading,
  list: (node, reading) => listBlocks(node.ordered === true, readItems(node, reading, readBlock)),
  blockquote: (node, reading) => readQuote(node, reading, readBlock),
  code: readCode,
  html: readHtml,
  table: readTable,
  thematicBreak: (node, reading) => {
    tellAt(reading, node)("thematic-break", "loss", "Wiki text has no rules between blocks; this one is left out.");
    return [];
  },
  definition: () => [],
  footnoteDefinition: readFootnote,
};

function readHeading(node: Heading, reading: Reading): readonly Block[] {
  const tell = tellAt(reading, node);
  if (node.children.length === 0) {
    tell("empty-node", "note", "A heading without text shows nothing; it is left out.");
    return [];
  }
  if (node.depth === 1 && reading.context === "page") {
    tell("top-heading", "note", "A heading of level 1 is not known to exist on the site, which may show it as text.");
  }
  return [heading(node.depth, readLine(node.children, reading))];
}

function readCode(node: Code, reading: Reading): readonly Block[] {
  const { lang, meta, value } = node;
  if (lang === RAW_BLOCK) return unspaced(parse(value, { context: "page" }).tree.children);
  if (lang) {
    const message = `Wiki text does not say the language of code; "${[lang, meta].join(" ").trim()}" is left out.`;
    tellAt(reading, node)("code-language", "loss", message);
  }
  return [codeBlock(value)];
}

/** HTML between blocks. An element may be open here and closed behind other blocks: what is between is read as it stands. */
function readHtml(node: Html, reading: Reading): readonly Block[] {
  const { value } = node;
  if (value === DIVIDER) return [];
  if (value.trim() === BREAK) return [paragraph([lineBreak()])];
  tellAt(reading, node)("raw-html", "loss", "HTML was read as far as wiki text can say it.");
  return blocksOfHtml(node, reading);
}

/** Stands where it is defined, behind its number. */
function readFootnote(node: FootnoteDefinition, reading: Reading): readonly Block[] {
  const number = `[${footnoteNumber(reading, node.identifier)}]`;
  const blocks = node.children.flatMap((child) => readBlock(child, reading));
  const [first, ...others] = blocks;
  if (first?.type === "paragraph") return [paragraph([text(`${number} `), ...first.children]), ...others];
  return [paragraph([text(number)]), ...blocks];
}
