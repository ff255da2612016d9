import type { Tell } from "../../settle/draft.js";
import { HEADINGS } from "../labels.js";
import type { PagePiece } from "./page-source.js";
import { plainWords } from "./words.js";

export type SectionKind = keyof typeof HEADINGS | "step";

/** What stands under one heading of a page. */
export interface Section {
  readonly kind: SectionKind;
  readonly title: string;
  readonly level: number;
  /** The heading itself. */
  readonly heading: PagePiece;
  readonly tell: Tell;
  readonly pieces: PagePiece[];
}

export interface Outline {
  readonly title: string;
  /** Between the title and the first section, and before the title. */
  readonly front: readonly PagePiece[];
  readonly sections: readonly Section[];
}

/** The sections of a guide's page: the first heading is its title. undefined: there is no heading. */
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

/** Texts hold headings of their own, where these are deeper. */
function isText({ kind }: Section): boolean {
  return kind === "introduction" || kind === "conclusion";
}

/** What a heading says, in words alone; undefined for any other piece. */
export function headingOf(piece: PagePiece | undefined): Pick<Section, "title" | "level" | "tell"> | undefined {
  if (piece?.type !== "block" || piece.draft.block.type !== "heading") return undefined;
  const { block, tell } = piece.draft;
  return { title: plainWords(block.children, "A title", tell), level: block.level, tell };
}

export function isHeading(piece: PagePiece): boolean {
  return piece.type === "block" && piece.draft.block.type === "heading";
}

/** Headings as people write them, beside those of our own pages. */
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
