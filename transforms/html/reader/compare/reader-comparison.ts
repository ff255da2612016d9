import type { ElementContent } from "hast";
import { node, showable, words } from "../node.js";
import { readerContent } from "../reader-html.js";
import type { ReaderOptions } from "../reader-links.js";
import { type SafeHtml, safeHtml } from "../safe-html.js";
import { foreignContent } from "../safe-html-of.js";
import { type ContentToken, contentTokens } from "./content-tokens.js";
import { type Differing, differing } from "./differing-tokens.js";
import { type MarkName, markedContent } from "./marked-content.js";

/** A text at one of two times. */
export interface ComparedText {
  readonly text: string;
  /** Wiki text, HTML that the site made of one, or characters that are only compared as a whole. */
  readonly form: "wiki" | "html" | "characters";
  readonly options: ReaderOptions;
  /** What stands before all addresses that are of this time alone; empty: nothing does. */
  readonly root: string;
}

/** Two texts as people read them, with what differs marked in each: `del.went` and `ins.came`. */
export interface Comparison {
  readonly before: SafeHtml;
  readonly after: SafeHtml;
  /** They read alike, however they were typed. */
  readonly isSame: boolean;
}

const FORMS = { wiki: readerContent, html: foreignContent } as const;

/** Of characters that are only compared as a whole so many are shown (UTF-16 units). */
const LONGEST = 20_000;

/**
 * Compares two texts word by word as they are read: a word that is set otherwise or leads elsewhere differs too, a picture by what it shows. Blocks as before that
 * are not beside a change are only counted. Any texts are compared, in time that has a bound; the HTML holds what `READER_SCHEMA` lists.
 */
export function readerComparison(before: ComparedText, after: ComparedText): Comparison {
  const [old, now] = [contentOf(before), contentOf(after)];
  const [gone, come] = differing(
    old.tokens.map(({ key }) => key),
    now.tokens.map(({ key }) => key),
  );
  return {
    before: safeHtml(shown(old, gone, "del")),
    after: safeHtml(shown(now, come, "ins")),
    isSame: gone.changed.size === 0 && come.changed.size === 0,
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

/** So few blocks in a row are shown though nothing in them changed. */
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
