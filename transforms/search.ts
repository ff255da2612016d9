import type { Nodes } from "hast";
import { parseHtml } from "./html/from/parse-html.js";
import { parse } from "./wiki/parse.js";
import { childrenOf, type Node } from "./wiki/read-tree.js";
import type { TextContext } from "./wiki/tree.js";

/**
 * The terms that a text is found by. `src/web/reader/browser/search-words.ts` has the same rules
 * for what people type, since a script of a page can't load modules; a test holds both equal.
 *
 * Letters and digits that stand together are a term, without case, accents and the like: `Käse` is
 * `kase`. Writing without blanks between words (Chinese, Japanese, Thai …) gives each two
 * neighbouring characters as a term, and the last one: words that somebody types are found so
 * wherever they stand in a text, also the beginning of one, which the dictionaries of two browsers
 * may divide in two ways.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run, joined] of text.matchAll(RUNS)) {
    if (joined === undefined) {
      const term = cut(fold(run));
      if (term !== "") terms.push(term);
      continue;
    }
    const letters = [...fold(run)];
    for (let at = 0; at < letters.length; at += 1) terms.push(letters.slice(at, at + 2).join(""));
  }
  return terms;
}

/** Longer ones are nobody's words; what is typed is cut as well. */
const LONGEST = 40;
/**
 * Writing without blanks; the long mark and the voicing marks of Japanese belong to no script of
 * their own.
 */
const JOINED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A\uFF70\uFF9E\uFF9F]`;
const RUNS = new RegExp(String.raw`(${JOINED}+)|(?:(?!${JOINED})[\p{L}\p{N}\p{M}])+`, "gu");
const PLAIN = /^[a-z0-9]*$/;
/**
 * Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones, and what is left
 * of signs that stand for several.
 */
const MARKS = /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]|[^\p{L}\p{N}\p{M}]/gu;
/**
 * A voiced sound of Japanese is another letter, not one with an accent. Korean syllables stay
 * divided into their letters: while one is typed it has fewer of them, and is the beginning of the
 * whole one so.
 */
const VOICED = /[\u3040-\u30FF][\u3099\u309A]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

function fold(run: string): string {
  const lower = run.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(VOICED, (pair) => pair.normalize("NFC"))
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

function cut(term: string): string {
  return term.length <= LONGEST ? term : [...term].slice(0, LONGEST).join("");
}

/**
 * What people read of a wiki text, without any markup; the target of a link only where it has no
 * label.
 */
export function wordsOfWiki(text: string, context: TextContext): string {
  if (!MARKUP.test(text)) return text;
  const pieces: string[] = [];
  gatherWiki(
    context === "line" ? parse(text, { context: "line" }).tree : parse(text, { context: "page" }).tree,
    pieces,
  );
  return pieces.join("").trim();
}

/** Characters that markup begins with (wiki-syntax 2 to 4). */
const MARKUP = /[[\]'=*#^,~+`<{|_-]|https?:/;

function gatherWiki(node: Node, pieces: string[]): void {
  // A list stands inside of the item above it.
  if (BLOCKS.has(node.type)) pieces.push("\n");
  const words = WORDS[node.type];
  if (words !== undefined) pieces.push((words as (node: Node) => string)(node));
  for (const child of childrenOf(node)) gatherWiki(child, pieces);
}

type Words = { readonly [Type in Node["type"]]?: (node: Extract<Node, { readonly type: Type }>) => string };

const WORDS: Words = {
  text: ({ value }) => value,
  opaque: ({ value }) => value,
  codeBlock: ({ value }) => value,
  break: () => " ",
  link: ({ children, target }) => (children.length === 0 ? target : ""),
  image: ({ parameters }) => captionIn(parameters),
  video: ({ parameters }) => captionIn(parameters),
};

const BLOCKS: ReadonlySet<Node["type"]> = new Set(["paragraph", "heading", "listItem", "codeBlock", "quote", "embed"]);

function captionIn(parameters: readonly { readonly name: string; readonly value: string }[]): string {
  return parameters.find(({ name }) => name === "caption")?.value ?? "";
}

/**
 * What people read of HTML, a line for each of its blocks. Takes any string, whatever was done to
 * it.
 */
export function wordsOfHtml(html: string): string {
  const pieces: string[] = [];
  for (const { root } of parseHtml(html).trees) gatherHtml(root, pieces);
  return pieces.join("");
}

function gatherHtml(node: Nodes, pieces: string[]): void {
  if (node.type === "text") pieces.push(node.value);
  if (node.type === "element" && UNREAD.has(node.tagName)) return;
  if ("children" in node) for (const child of node.children) gatherHtml(child, pieces);
  if (node.type === "element" && !INLINE.has(node.tagName)) pieces.push("\n");
}

const UNREAD: ReadonlySet<string> = new Set(["script", "style", "template", "head", "title"]);
const INLINE: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code del dfn em i ins kbd mark q s small span strong sub sup u var wbr".split(" "),
);
