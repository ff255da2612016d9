import { diffArrays } from "diff";
import type { Element, ElementContent, Text } from "hast";
import { maxEditLength } from "../../../src/core/util/text-difference.js";
import { htmlContent } from "./html-content.js";
import { readerContent } from "./reader-html.js";
import type { ReaderOptions } from "./reader-links.js";
import { node, type SafeHtml, safeHtml, showable, words } from "./safe-html.js";

/** A text at one of two times. */
export interface ComparedText {
  readonly text: string;
  /** Wiki text, HTML of the site, or characters that are only compared as a whole. */
  readonly form: "wiki" | "html" | "characters";
  readonly options: ReaderOptions;
  /** Prefix of the addresses of this snapshot; empty: none. */
  readonly root: string;
}

/** Two rendered texts with differences marked as `del.went` and `ins.came`. */
export interface Comparison {
  readonly before: SafeHtml;
  readonly after: SafeHtml;
  /** Whether the rendered texts are equal, in any notation. */
  readonly isSame: boolean;
}

const FORMS = { wiki: readerContent, html: htmlContent } as const;

/** The limit of shown characters that are only compared as a whole (UTF-16 units). */
const LONGEST = 20_000;

/**
 * Compares two rendered texts word by word, in bounded time. Includes format and link target of a
 * word, and the content of a picture. Only counts unchanged blocks away from changes. The HTML has
 * only elements of `READER_SCHEMA`.
 */
export function readerComparison(before: ComparedText, after: ComparedText): Comparison {
  const [old, now] = [contentOf(before), contentOf(after)];
  const [removed, added] = differing(
    old.tokens.map(({ key }) => key),
    now.tokens.map(({ key }) => key),
  );
  return {
    before: safeHtml(shown(old, removed, "del")),
    after: safeHtml(shown(now, added, "ins")),
    isSame: removed.changed.size === 0 && added.changed.size === 0,
  };
}

interface Content {
  readonly nodes: readonly ElementContent[];
  readonly tokens: readonly ContentToken[];
  readonly isInline: boolean;
}

function contentOf({ text, form, options, root }: ComparedText): Content {
  if (form === "characters") return wholeContent(text);
  const nodes = FORMS[form](text, options);
  return { nodes, tokens: contentTokens(nodes, root), isInline: options.inline ?? false };
}

function wholeContent(text: string): Content {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const token = { key: text, leaf: 0, start: 0, end: showable(cut).length, block: 0 };
  return { nodes: [words(cut)], tokens: [token], isInline: true };
}

function shown(
  { nodes, tokens, isInline }: Content,
  { changed, near }: Differing,
  name: MarkName,
): readonly ElementContent[] {
  const marks = markedContent(
    nodes,
    tokens.filter((_, at) => changed.has(at)),
    name,
  );
  if (isInline) return marks;
  const blocks = new Set(tokens.filter((_, at) => changed.has(at) || near.has(at)).map(({ block }) => block));
  return shortened(marks, blocks);
}

/** The most unchanged blocks in a row that are shown. */
const FEW = 2;

function shortened(nodes: readonly ElementContent[], kept: ReadonlySet<number>): readonly ElementContent[] {
  const all: ElementContent[] = [];
  let rest: ElementContent[] = [];
  const close = (): void => {
    all.push(...(rest.length > FEW ? [asBefore(rest.length)] : rest));
    rest = [];
  };
  for (const [at, each] of nodes.entries()) {
    if (kept.has(at)) {
      close();
      all.push(each);
    } else rest.push(each);
  }
  close();
  return all;
}

function asBefore(count: number): ElementContent {
  return node("p", [words(`… ${count.toLocaleString("en-US")} parts as before …`)], { className: ["as-before"] });
}

interface Differing {
  /** Absent from the other list at this place. */
  readonly changed: ReadonlySet<number>;
  /** Next to an insertion or deletion. */
  readonly near: ReadonlySet<number>;
}

/** Bounded time: lists with little in common differ as a whole, except for equal ends. */
function differing(before: readonly string[], after: readonly string[]): readonly [Differing, Differing] {
  const [old, now] = [new Marks(), new Marks()];
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEditLength(before.length, after.length) });
  const all = changes ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  for (const { removed, added, count } of all) {
    if (removed) {
      old.change(count);
      now.touch();
    } else if (added) {
      now.change(count);
      old.touch();
    } else {
      old.at += count;
      now.at += count;
    }
  }
  return [old, now];
}

class Marks implements Differing {
  readonly changed = new Set<number>();
  readonly near = new Set<number>();
  at = 0;

  change(count: number): void {
    this.touch();
    for (const end = this.at + count; this.at < end; this.at += 1) this.changed.add(this.at);
    this.touch();
  }

  touch(): void {
    this.near.add(this.at - 1).add(this.at);
  }
}

/** A word, picture, film or sound. */
interface ContentToken {
  /** Equal keys look alike: the word, its format, and its link target. */
  readonly key: string;
  /** Index of its leaf: a text, or an element without one. */
  readonly leaf: number;
  /** Its place in the text of the leaf; 0 and 0 of an element. */
  readonly start: number;
  readonly end: number;
  /** The number of the outermost node around it. */
  readonly block: number;
}

/** Elements that count as one token. */
const LEAVES: ReadonlySet<string> = new Set(["img", "video", "audio"]);

/** Elements that change the look of a word; the others only contain it. */
const SEEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "h"])),
  ...Object.fromEntries(
    ["li", "ol", "dt", "th", "td", "pre", "blockquote", "figcaption", "strong", "em", "u", "s", "sup", "sub"].map(
      (name) => [name, name],
    ),
  ),
  ...{ code: "code", kbd: "code", samp: "code", mark: "mark", small: "small", ins: "ins", del: "del", q: "q" },
};

/** @param root prefix of the addresses of one side: its snapshot's path */
function contentTokens(content: readonly ElementContent[], root: string): readonly ContentToken[] {
  const tokens: ContentToken[] = [];
  let leaf = 0;
  const walk = (nodes: readonly ElementContent[], around: string, outermost: number | undefined): void => {
    for (const [at, node] of nodes.entries()) {
      const block = outermost ?? at;
      if (node.type === "text") {
        for (const { text, start, end } of wordTokens(node.value))
          tokens.push({ key: `${around}\n${text}`, leaf, start, end, block });
        leaf += 1;
      } else if (node.type === "element" && LEAVES.has(node.tagName)) {
        tokens.push({ key: `${node.tagName}\n${placeOf(node, "src", root)}`, leaf, start: 0, end: 0, block });
        leaf += 1;
      } else if (node.type === "element") walk(node.children, around + seenOf(node, root), block);
    }
  };
  walk(content, "", undefined);
  return tokens;
}

function seenOf(element: Element, root: string): string {
  if (element.tagName === "a") return ` a ${placeOf(element, "href", root)}`;
  const seen = Object.hasOwn(SEEN, element.tagName) ? SEEN[element.tagName] : undefined;
  return seen === undefined ? "" : ` ${seen}`;
}

/** Removes the prefix of the snapshot. */
function placeOf({ properties }: Element, name: "src" | "href", root: string): string {
  const address = properties[name];
  if (typeof address !== "string") return "";
  return root !== "" && address.startsWith(root) ? address.slice(root.length) : address;
}

/** A word of a text, or a single sign. */
interface WordToken {
  readonly text: string;
  /** In the text, UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Scripts without spaces between words: each character counts as a word. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*`;
const TOKEN = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}_])+|[^\s\p{L}\p{M}\p{N}_]`, "gu");

function wordTokens(text: string): readonly WordToken[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}

type MarkName = "del" | "ins";

const MARKS = {
  del: { className: "went", label: "[removed: " },
  ins: { className: "came", label: "[added: " },
} as const satisfies Readonly<Record<MarkName, { readonly className: string; readonly label: string }>>;

/** An inserted or deleted part: visible by colour and line, audible by words. */
function marked(name: MarkName, content: readonly ElementContent[]): ElementContent {
  const { className, label } = MARKS[name];
  const unseen = (text: string): ElementContent => node("span", [words(text)], { className: ["unseen"] });
  return node(name, [unseen(label), ...content, unseen("]")], { className: [className] });
}

function markedContent(
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
