import type { Draft, Tell } from "../../wiki/draft.js";
import { normalisePage } from "../../wiki/normalise.js";
import { print } from "../../wiki/print.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Block, Inline } from "../../wiki/tree.js";
import { HEADINGS, onOneLine } from "./labels.js";
import type { PagePiece } from "./page-source.js";

type SectionKind = keyof typeof HEADINGS | "step";

export interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  readonly level: number;
  readonly heading: PagePiece;
  readonly tell: Tell;
  readonly pieces: PagePiece[];
}

export interface Outline {
  readonly title: string;
  /** The pieces before the first section, without the title. */
  readonly front: readonly PagePiece[];
  readonly sections: readonly Section[];
}

/** The first heading is the title; undefined: no heading. */
export function outlineOf(pieces: readonly PagePiece[]): Outline | undefined {
  const at = pieces.findIndex(isHeading);
  const title = headingOf(pieces[at]);
  if (title === undefined) return undefined;
  const front: PagePiece[] = pieces.slice(0, at);
  const sections: Section[] = [];
  for (const piece of pieces.slice(at + 1)) {
    const section = sections.at(-1);
    const heading = headingOf(piece);
    if (heading === undefined || (section !== undefined && isText(section) && heading.level > section.level))
      (section?.pieces ?? front).push(piece);
    else sections.push({ ...heading, kind: kindOf(heading.title), heading: piece, pieces: [] });
  }
  return { title: title.title, front, sections };
}

/** A text may contain deeper headings. */
function isText({ kind }: Section): boolean {
  return kind === "introduction" || kind === "conclusion";
}

/** The plain words of a heading; undefined: another piece. */
export function headingOf(piece: PagePiece | undefined): Pick<Section, "title" | "level" | "tell"> | undefined {
  if (piece?.type !== "block" || piece.draft.block.type !== "heading") return undefined;
  const { block, tell } = piece.draft;
  return { title: plainWords(block.children, "A title", tell), level: block.level, tell };
}

export function isHeading(piece: PagePiece): boolean {
  return piece.type === "block" && piece.draft.block.type === "heading";
}

/** Other headings that authors use. */
const NAMES: Readonly<Record<string, keyof typeof HEADINGS>> = {
  ...Object.fromEntries(
    Object.entries(HEADINGS).map(([kind, name]) => [name.toLowerCase(), kind as keyof typeof HEADINGS]),
  ),
  prerequisites: "prerequisites",
  "required tools": "tools",
  "tools needed": "tools",
  "tools required": "tools",
  "required parts": "parts",
  "parts needed": "parts",
  "parts required": "parts",
};

function kindOf(title: string): SectionKind {
  const name = title.toLowerCase().replace(/\s*:$/, "");
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? "step") : "step";
}

/** `Difficulty: Easy` */
export interface ReadFact {
  readonly label: string;
  readonly value: string;
  readonly tell: Tell;
}

const FACT = /^([^:]{1,200}):(?: (.*))?$/s;

/** undefined: not all items are facts. */
function factsOf(piece: PagePiece): readonly ReadFact[] | undefined {
  if (piece.type !== "block" || piece.draft.block.type !== "list") return undefined;
  const { block, tell } = piece.draft;
  const facts = itemWords(block).map((words) => FACT.exec(words));
  if (facts.some((found) => found === null)) return undefined;
  return facts.map((found) => ({ label: found?.[1] ?? "", value: found?.[2] ?? "", tell }));
}

/** An item with a nested list has none. */
function itemWords(block: Extract<Block, { type: "list" }>): readonly string[] {
  return block.children.map(({ children, lists }) => (lists.length > 0 ? "" : onOneLine(plainText(children))));
}

/** Reports further values. */
export function firstValue(facts: readonly ReadFact[], label: string): string | undefined {
  const [first, ...more] = facts.filter((each) => each.label === label);
  for (const { value, tell } of more)
    tell("fact-twice", "loss", `${label} occurs twice. ${JSON.stringify(value.slice(0, 60))} is left out.`);
  return first?.value;
}

export function valuesOf(facts: readonly ReadFact[], label: string): readonly string[] {
  return facts.filter((each) => each.label === label).map(({ value }) => value);
}

interface Front {
  /** Empty for a page without facts. */
  readonly before: readonly PagePiece[];
  readonly facts: readonly ReadFact[];
  readonly after: readonly PagePiece[];
}

/** `isOwn`: whether guideferry writes such a list of facts. */
export function frontOf(pieces: readonly PagePiece[], isOwn: (facts: readonly ReadFact[]) => boolean): Front {
  for (const [at, piece] of pieces.entries()) {
    const facts = factsOf(piece);
    if (facts !== undefined && isOwn(facts)) return { before: pieces.slice(0, at), facts, after: pieces.slice(at + 1) };
  }
  return { before: [], facts: [], after: pieces };
}

export function wikiText(drafts: readonly Draft[]): string {
  const [first] = drafts;
  if (first === undefined) return "";
  return print(normalisePage(drafts, first.tell)).trim();
}

/** For places that hold no markup; `what` names the place. */
export function plainWords(inlines: readonly Inline[], what: string, tell: Tell): string {
  const words = onOneLine(plainText(inlines));
  if (!inlines.every(isWords)) {
    tell(
      "plain-words",
      "loss",
      `${what} contains only words. The markup in ${JSON.stringify(words.slice(0, 60))} is left out.`,
    );
  }
  return words;
}

/** An address in running text is a word. */
function isWords(inline: Inline): boolean {
  return inline.type === "text" || (inline.type === "link" && inline.kind === "bare");
}

/** undefined: any other block. */
export function wordsOfParagraph(block: Block): string | undefined {
  return block.type === "paragraph" && block.children.every(isWords) ? onOneLine(plainText(block.children)) : undefined;
}
