/** What a reader of HTML is told, apart from how it is laid out: words, links and media in their order. */
export type Said = Words | SaidLink | Medium;

export interface Words {
  readonly type: "words";
  readonly text: string;
}

export interface SaidLink {
  readonly type: "link";
  /** As it stands in the HTML, until somebody resolves it. */
  readonly goal: string;
  /** Empty: it repeats the address. {@link ANY_LABEL}: nobody knows it. */
  readonly label: string;
  /** The site marks it as one whose goal is not there. */
  readonly dead: boolean;
}

export interface Medium {
  readonly type: "medium";
  readonly kind: "image" | "video" | "guide-list";
  /** Of the image or video at its site; null: the HTML does not say. */
  readonly id: string | null;
}

/** The label of a link whose words the site takes from its goal: it equals every other. */
export const ANY_LABEL = "\u{FFFC}";

/** Do both say the same? Of media without an id on one side only the kind is known. */
export function saysTheSame(one: readonly Said[], other: readonly Said[]): boolean {
  return one.length === other.length && one.every((piece, index) => isSame(piece, other[index]));
}

function isSame(one: Said, other: Said | undefined): boolean {
  if (other === undefined || one.type !== other.type) return false;
  if (one.type === "words") return other.type === "words" && one.text === other.text;
  if (one.type === "link") return other.type === "link" && isSameLink(one, other);
  return other.type === "medium" && one.kind === other.kind && isSameId(one.id, other.id);
}

function isSameLink(one: SaidLink, other: SaidLink): boolean {
  const anyLabel = one.label === ANY_LABEL || other.label === ANY_LABEL;
  return one.goal === other.goal && one.dead === other.dead && (anyLabel || one.label === other.label);
}

function isSameId(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** As one line of text, for people and digests: `See <guide/12: the first> .` */
export function saidText(pieces: readonly Said[]): string {
  return pieces.map(pieceText).join(" ");
}

function pieceText(piece: Said): string {
  if (piece.type === "words") return piece.text;
  if (piece.type === "medium") return `<${piece.kind}${piece.id === null ? "" : ` ${piece.id}`}>`;
  const label = piece.label === ANY_LABEL ? ": its title" : piece.label === "" ? "" : `: ${piece.label}`;
  return `<${piece.dead ? "dead link " : ""}${piece.goal}${label}>`;
}

/**
 * Do both say the same but for marks between words? For HTML against what a text surely means: sites differ in what they make of a mark
 * that may be one, such as inches. Markup that one shows as words and the other doesn't is told all the same.
 */
export function saysMuchTheSame(one: readonly Said[], other: readonly Said[]): boolean {
  return showsMarkup(one) === showsMarkup(other) && saysTheSame(lettersOf(one), lettersOf(other));
}

function lettersOf(pieces: readonly Said[]): readonly Said[] {
  return pieces.flatMap((piece): readonly Said[] => {
    if (piece.type === "words") return letters(piece.text) === "" ? [] : [{ ...piece, text: letters(piece.text) }];
    return [piece.type === "link" && piece.label !== ANY_LABEL ? { ...piece, label: letters(piece.label) } : piece];
  });
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Marks and macros as a writer types them (wiki-syntax 2). */
const MARKUP = /'''|''\S|\[\[|\[(?:guide|image|video|document|product|link|mailto|https?:[^[\]|]*)\s*\|/i;

function showsMarkup(pieces: readonly Said[]): boolean {
  return pieces.some((piece) => piece.type === "words" && MARKUP.test(piece.text));
}
