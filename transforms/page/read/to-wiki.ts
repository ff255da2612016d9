import { type Key, NAMESPACES, type Namespace } from "../../../src/core/model/key.js";
import type { Wiki } from "../../../src/core/model/wiki.js";
import { plainText } from "../../html/plain-text.js";
import { emptyCategory } from "../../omanual/items/to-wiki.js";
import { CATEGORY, HEADINGS, USUAL_LANGUAGE, WIKI_LABELS } from "../labels.js";
import { documentsOf } from "./documents.js";
import { firstValue, frontOf, type ReadFact, valuesOf } from "./fact-list.js";
import { headingOf, isHeading } from "./outline.js";
import { asText, draftsOf, imagesAlone } from "./page-blocks.js";
import type { PageReading } from "./page-reading.js";
import type { PagePiece } from "./page-source.js";
import { wikiText, wordsOfParagraph } from "./words.js";

/** What a page says of itself that is no guide's: its namespace is its first fact. */
export function namespaceOf(pieces: readonly PagePiece[]): Namespace | undefined {
  return namespaceIn(frontOf(pieces, areWikiFacts).facts);
}

function areWikiFacts(facts: readonly ReadFact[]): boolean {
  return facts[0]?.label === WIKI_LABELS.namespace && namespaceIn(facts) !== undefined;
}

function namespaceIn(facts: readonly ReadFact[]): Namespace | undefined {
  return NAMESPACES.find((namespace) => namespace === facts[0]?.value);
}

export interface WikiPage {
  /** The canonical title, by which the page is known. */
  readonly title: string;
  readonly body: (reading: PageReading) => Wiki;
}

/** The category or wiki of a page: its title is the first heading, what has no place of its own stands in its contents. */
export function wikiPageOf(pieces: readonly PagePiece[]): WikiPage | undefined {
  const at = pieces.findIndex(isHeading);
  const shown = headingOf(pieces[at])?.title;
  if (shown === undefined) return undefined;
  const { before, facts, after } = frontOf([...pieces.slice(0, at), ...pieces.slice(at + 1)], areWikiFacts);
  const title = firstValue(facts, WIKI_LABELS.title) ?? shown;
  return {
    title,
    body: (reading) => {
      const wiki = emptyCategory(title, firstValue(facts, WIKI_LABELS.language) || USUAL_LANGUAGE);
      return {
        ...wiki,
        namespace: namespaceIn(facts) ?? CATEGORY,
        displayTitle: shown === title ? null : shown,
        parent: firstValue(facts, WIKI_LABELS.parent) ?? null,
        flags: valuesOf(facts, WIKI_LABELS.flag),
        tags: valuesOf(facts, WIKI_LABELS.tag),
        info: facts.filter(({ label }) => !LABELS.has(label)).map(({ label, value }) => ({ name: label, value })),
        ...contentOf(before, after, reading),
      };
    },
  };
}

const LABELS: ReadonlySet<string> = new Set(Object.values(WIKI_LABELS));

function contentOf(
  before: readonly PagePiece[],
  after: readonly PagePiece[],
  reading: PageReading,
): Pick<Wiki, "description" | "image" | "documents" | "contents"> {
  const words = before.filter((piece) => !isOwnImage(piece, reading));
  const [only, ...more] = words;
  const description = only?.type === "block" && more.length === 0 ? wordsOfParagraph(only.draft.block) : undefined;
  const rest = [...before, ...after].filter((piece) => piece !== only || description === undefined);
  const shown = rest.find((piece) => isOwnImage(piece, reading));
  const documents: Key[] = [];
  const others = rest.filter((piece, at) => {
    if (piece === shown || isHeadingOfDocuments(piece, rest[at + 1])) return false;
    const keys = piece.type === "file" ? documentsOf(piece, reading, documents.length) : undefined;
    for (const key of keys ?? []) documents.push(key);
    return keys === undefined;
  });
  return {
    description: description ?? "",
    image: shown === undefined ? null : imageOf(shown, reading),
    documents: [...new Set(documents)],
    contents: wikiText(others.flatMap(draftsOf).map((draft) => asText(draft, reading))),
  };
}

function isOwnImage(piece: PagePiece, reading: PageReading): boolean {
  const images = piece.type === "block" ? imagesAlone(piece.draft.block) : [];
  return images.length === 1 && images.every(({ target }) => reading.imageAt(target) !== undefined);
}

function imageOf(piece: PagePiece, reading: PageReading): Key | null {
  const [image] = piece.type === "block" ? imagesAlone(piece.draft.block) : [];
  return image === undefined || piece.type !== "block"
    ? null
    : reading.useImage(image.target, "image", piece.draft.tell);
}

/** The heading says nothing where only documents follow it. */
function isHeadingOfDocuments(piece: PagePiece, next: PagePiece | undefined): boolean {
  if (piece.type !== "block" || piece.draft.block.type !== "heading") return false;
  const words = plainText(piece.draft.block.children).trim();
  return words === HEADINGS.documents && next?.type === "file" && next.role === "document";
}
