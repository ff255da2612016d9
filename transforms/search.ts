import type { Nodes } from "hast";
import { parseHtml } from "./html/from/parse-html.js";
import { parse } from "./wiki/parse.js";
import { childrenOf, type Node } from "./wiki/read-tree.js";
import type { TextContext } from "./wiki/tree.js";

/**
 * Search terms: letters and digits, without case and accents (`Käse` is `kase`). Writing without
 * blanks gives pairs of neighbouring characters, and the last character: dictionaries of browsers
 * divide words differently. `src/web/reader/browser/search-words.ts` has the same rules, since a
 * page's script can't load modules; a test compares both.
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

/** Longer terms are not words; search input is cut likewise. */
const LONGEST = 40;
/** Scripts without blanks; Japanese long and voicing marks belong to no script. */
const JOINED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A\uFF70\uFF9E\uFF9F]`;
const RUNS = new RegExp(String.raw`(${JOINED}+)|(?:(?!${JOINED})[\p{L}\p{N}\p{M}])+`, "gu");
const PLAIN = /^[a-z0-9]*$/;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and other signs. */
const MARKS = /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F]|[^\p{L}\p{N}\p{M}]/gu;
/**
 * A voiced Japanese sound is another letter. Korean syllables stay divided, so that a partly typed
 * syllable matches the beginning of the whole one.
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

/** Visible words without markup; a link's target only if it has no label. */
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
  // A list is inside of the item above it.
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

/** One line for each block of HTML. Total. */
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
