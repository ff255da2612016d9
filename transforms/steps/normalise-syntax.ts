import { z } from "zod";
import type { TransformSpec } from "../../src/core/formats.js";
import type { CodeTable } from "../../src/core/model/issue-codes.js";
import { readerOf, type TextReader } from "../references/text-reader.js";
import { BRACKETS, codeBlock, embed, heading, list, listItem, page, paragraph, quote } from "../wiki/build.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import { childrenOf, type Node } from "../wiki/read-tree.js";
import { shapeOf } from "../wiki/shape.js";
import type {
  Block,
  Break,
  Embed,
  GuideList,
  Image,
  Inline,
  Link,
  List,
  ListItem,
  Parameter,
  Quote,
  TextContext,
  Video,
} from "../wiki/tree.js";
import { mapTexts } from "./map-texts.js";

const CODES = {
  "syntax-normalised": ["note", "A wiki text has the current spelling of the syntax and the same meaning."],
} as const satisfies CodeTable;

/** `normalise-syntax`: current spellings replace old ones. */
export const normaliseSyntax: TransformSpec<Readonly<Record<string, never>>, keyof typeof CODES> = {
  name: "normalise-syntax",
  about: "write wiki texts in the current spelling of sites, with the same meaning",
  options: z.strictObject({}),
  codes: CODES,
  create:
    (_, { source }) =>
    (item, report) => {
      const reader = readerOf(source);
      const changed = mapTexts(item, (text, where, path) => {
        const canonical = canonicalText(text, where, reader);
        if (canonical !== text) report({ ...NORMALISED, key: item.key, path });
        return canonical;
      });
      return [changed];
    },
};

const NORMALISED = {
  code: "syntax-normalised",
  level: "note",
  message: "The wiki text has the current spelling and the same meaning.",
} as const;

/** Compares the parsed result, as a whole, then by block; keeps text whose meaning would change. */
export function canonicalText(text: string, context: TextContext, reader: TextReader): string {
  return context === "line" ? canonicalLine(text, reader) : canonicalPage(text, reader);
}

function canonicalLine(text: string, reader: TextReader): string {
  const tree = reader.tree(text, "line");
  const written = print({ ...tree, children: canonicalInlines(tree.children) });
  if (written === text) return text;
  const read = reader.tree(written, "line");
  return haveSameMeaning([paragraph(tree.children)], [paragraph(read.children)]) ? written : text;
}

function canonicalPage(text: string, reader: TextReader): string {
  const tree = reader.tree(text, "page");
  const whole = print(page(tree.children.map(canonicalBlock)));
  if (whole === text || haveSameMeaning(tree.children, reader.tree(whole, "page").children)) return whole;
  const safe = print({ ...tree, children: tree.children.map(safeBlock) });
  return safe !== text && haveSameMeaning(tree.children, reader.tree(safe, "page").children) ? safe : text;
}

function safeBlock(block: Block): Block {
  const canonical = canonicalBlock(block);
  const isSame = haveSameMeaning([block], blocksOf(print(page([canonical]))));
  return isSame ? { ...canonical, ...(block.before === undefined ? {} : { before: block.before }) } : block;
}

function blocksOf(text: string): readonly Block[] {
  return parse(text, { context: "page" }).tree.children;
}

/** Ignores bare addresses and cards, which only some renderers treat as links. */
function haveSameMeaning(one: readonly Block[], other: readonly Block[]): boolean {
  return shapeOf(one) === shapeOf(other) && seen(one) === seen(other);
}

function seen(blocks: readonly Block[]): string {
  return JSON.stringify(blocks.flatMap(seenIn));
}

function seenIn(node: Node): readonly string[] {
  if (node.type === "link" && node.kind === "bare") return [node.target];
  const own = node.type === "embed" ? ["embed"] : [];
  return [...own, ...childrenOf(node).flatMap(seenIn)];
}

function canonicalBlock(block: Block): Block {
  const write = HANDLERS[block.type] as (block: Block) => Block;
  return write(block);
}

type Handler<Type extends Block["type"]> = (block: Extract<Block, { readonly type: Type }>) => Block;

const HANDLERS: { readonly [Type in Block["type"]]: Handler<Type> } = {
  paragraph: ({ children }) => paragraph(canonicalInlines(children)),
  heading: ({ level, children }) => heading(level, canonicalInlines(children)),
  list: canonicalList,
  // Sites may not read other spellings as code; possible markup keeps its spelling.
  codeBlock: (block) => (/\[|:\/\//.test(block.value) ? block : codeBlock(withOneLineEnd(block.value))),
  quote: canonicalQuote,
  embed: ({ child }) => embed(canonicalMacro(child) as Embed["child"]),
  // Fields of page macros are data in old forms, which stay as they are.
  pageMacro: ({ position: _position, before: _before, ...macro }) => macro,
};

function canonicalList({ ordered, children }: List): List {
  return list(ordered, children.map(canonicalItem));
}

function canonicalItem({ children, lists }: ListItem): ListItem {
  return listItem(canonicalInlines(children), lists.map(canonicalList));
}

function canonicalQuote({ leading, attribution, parameters, children }: Quote): Quote {
  const fields = canonicalParameters([...leading, ...parameters]);
  return {
    ...quote(children.map(canonicalBlock), { attribution: canonicalInlines(attribution) }),
    parameters: fields.filter(({ name, value }) => name !== "format" || value !== "long"),
  };
}

/** Canonical brackets, keywords and fields of macros; marks and words stay. */
function canonicalInlines(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "text" || inline.type === "opaque") return { ...inline, value: withOneLineEnd(inline.value) };
    if (inline.type === "break") return canonicalBreak(inline);
    if (inline.type === "link" || !("children" in inline)) return canonicalMacro(inline);
    return { ...inline, children: canonicalInlines(inline.children) };
  });
}

function canonicalBreak({ after, ...rest }: Break): Break {
  return { ...rest, open: "[br]", ...(after === undefined ? {} : { after: withOneLineEnd(after) }) };
}

function canonicalMacro(macro: Link | Image | Video | GuideList): Inline {
  if (macro.type === "link") return canonicalLink(macro);
  const parameters = canonicalParameters(macro.parameters);
  const common = { parameters, close: "]" };
  if (macro.type === "guideList") return { ...macro, ...common, open: "[guidelist" };
  if (macro.type === "video") return { ...macro, ...common, open: "[video|" };
  return { ...macro, ...common, parameters: [...parameters].sort(byName), open: "[image|" };
}

function canonicalLink(link: Link): Link {
  if (link.kind === "bare") return link;
  const [open, close] = BRACKETS[link.kind];
  // Site-relative addresses occur with the keyword only (wiki-syntax 2.3).
  const isRelative = link.kind === "url" && !/^https?:\/\//i.test(link.target);
  return {
    ...link,
    open: isRelative ? "[link|" : open,
    leading: [],
    bar: link.bar === "" ? "" : "|",
    children: trimmed(canonicalInlines(link.children)),
    parameters: canonicalParameters([...link.leading, ...link.parameters]),
    close,
  };
}

/** Outer blanks do not render. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline, index) => {
    if (inline.type !== "text") return inline;
    const from = index === 0 ? inline.value.trimStart() : inline.value;
    return { ...inline, value: index === inlines.length - 1 ? from.trimEnd() : from };
  });
}

function withOneLineEnd(value: string): string {
  return value.replaceAll(/\r\n?/g, "\n");
}

/** Trimmed, with names in lower case. Unnamed ones stay. */
function canonicalParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.map(({ name, equals, value }) => {
    const written = name.trim().toLowerCase();
    return {
      before: "|",
      name: written,
      equals: equals === "" ? "" : "=",
      value: written === "new_window" ? value.trim().toLowerCase() : value.trim(),
    };
  });
}

/** The vendor's order of image parameters (wiki-syntax 5). */
function byName(one: Parameter, other: Parameter): number {
  return Number(one.name > other.name) - Number(one.name < other.name);
}
