import type { Guide, Part } from "../../../src/core/model/guide.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import type { Draft } from "../../settle/draft.js";
import { documentsOf } from "./documents.js";
import { frontOf } from "./fact-list.js";
import { areGuideFacts, readGuideFacts } from "./guide-facts.js";
import type { Outline, Section } from "./outline.js";
import { asText, draftsOf, imagesAlone } from "./page-blocks.js";
import type { PageReading } from "./page-reading.js";
import type { PagePiece } from "./page-source.js";
import { partsOf, prerequisitesOf } from "./parts.js";
import { stepOf } from "./steps.js";
import { wikiText, wordsOfParagraph } from "./words.js";

/** The guide of a page. What has no place of its own stands in the introduction, what is under a step's heading in its lines. */
export function toGuide({ title, front, sections }: Outline, reading: PageReading): Guide {
  const { before, facts, after } = frontOf(front, areGuideFacts);
  const guide = new GuideReader(reading);
  guide.takeSummary(before);
  for (const piece of after) guide.takeFront(piece);
  for (const section of sections.filter(({ kind }) => kind !== "step")) guide.takeSection(section);
  const steps = sections.filter(({ kind }) => kind === "step");
  tellOfLevels(steps);
  return {
    ...NOT_ON_PAGES,
    id: idIn(reading.key),
    title,
    ...readGuideFacts(facts),
    ...guide.content(),
    steps: steps.map((section, index) => stepOf(section, index, reading)),
  };
}

/** Steps do not nest. */
function tellOfLevels(steps: readonly Section[]): void {
  const top = steps.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY);
  for (const { level, title, tell } of steps) {
    if (level === top) continue;
    const message = `A guide has no steps in steps; ${JSON.stringify(title.slice(0, 60))} is a step like the others.`;
    tell("heading-level", "note", message);
  }
}

const NOT_ON_PAGES = {
  featuredDocument: null,
  comments: [],
  archived: false,
  viewers: null,
  releases: [],
  workLogEnabled: null,
  publishedDate: null,
  url: "",
} as const;

type Content = Pick<
  Guide,
  | "summary"
  | "image"
  | "introduction"
  | "introductionVideo"
  | "conclusion"
  | "prerequisites"
  | "tools"
  | "parts"
  | "documents"
>;

class GuideReader {
  readonly #reading: PageReading;
  #summary = "";
  #image: Key | null = null;
  #video: Key | null = null;
  readonly #introduction: Draft[] = [];
  readonly #conclusion: Draft[] = [];
  readonly #prerequisites: Key[] = [];
  readonly #documents: Key[] = [];
  readonly #lists: Readonly<Record<"tools" | "parts", Part[]>> = { tools: [], parts: [] };

  constructor(reading: PageReading) {
    this.#reading = reading;
  }

  content(): Content {
    return {
      summary: this.#summary,
      image: this.#image,
      introduction: wikiText(this.#introduction),
      introductionVideo: this.#video,
      conclusion: wikiText(this.#conclusion),
      prerequisites: [...new Set(this.#prerequisites)],
      ...this.#lists,
      documents: [...new Set(this.#documents)],
    };
  }

  /** One paragraph of words before the facts is the summary, whatever image is beside it. */
  takeSummary(pieces: readonly PagePiece[]): void {
    const words = pieces.flatMap((piece) => (isImage(piece) ? [] : [piece]));
    const [only, ...more] = words;
    const summary = only?.type === "block" && more.length === 0 ? wordsOfParagraph(only.draft.block) : undefined;
    for (const piece of pieces) {
      if (piece === only && summary !== undefined) this.#summary = summary;
      else this.takeFront(piece);
    }
  }

  takeFront(piece: PagePiece): void {
    const { draft } = piece.type === "block" ? piece : { draft: undefined };
    const [image] = draft === undefined ? [] : imagesAlone(draft.block);
    const isOwn = image !== undefined && this.#reading.imageAt(image.target) !== undefined;
    if (draft !== undefined && isOwn && this.#image === null && imagesAlone(draft.block).length === 1)
      this.#image = this.#reading.useImage(image.target, "image", draft.tell);
    else if (piece.type === "file" && piece.role === "video" && this.#video === null)
      this.#video = this.#reading.useFile("video", piece, "introductionVideo") ?? null;
    else this.addTo("introduction", [piece]);
  }

  takeSection(section: Section): void {
    TAKERS[section.kind](section, this);
  }

  addTo(field: "introduction" | "conclusion", pieces: readonly PagePiece[]): void {
    const drafts = field === "introduction" ? this.#introduction : this.#conclusion;
    for (const draft of pieces.flatMap(draftsOf)) drafts.push(asText(draft, this.#reading));
  }

  /** What is no list stands in the introduction, under its heading. */
  takeParts(field: "tools" | "parts", { pieces, heading }: Section): void {
    const others = pieces.filter((piece) => {
      if (piece.type !== "block" || piece.draft.block.type !== "list") return true;
      for (const part of partsOf(piece.draft.block, piece.draft.tell)) this.#lists[field].push(part);
      return false;
    });
    if (others.length > 0) this.addTo("introduction", [heading, ...others]);
  }

  takePrerequisites({ pieces, heading }: Section): void {
    const others = pieces.filter((piece) => {
      const list = piece.type === "block" ? piece.draft.block : undefined;
      const keys = list?.type === "list" ? prerequisitesOf(list) : undefined;
      for (const key of keys ?? []) this.#prerequisites.push(key);
      return keys === undefined;
    });
    if (others.length > 0) this.addTo("introduction", [heading, ...others]);
  }

  takeDocuments({ pieces, heading }: Section): void {
    const others = pieces.filter((piece) => {
      const keys = documentsOf(piece, this.#reading, this.#documents.length);
      for (const key of keys ?? []) this.#documents.push(key);
      return keys === undefined;
    });
    if (others.length > 0) this.addTo("conclusion", [heading, ...others]);
  }
}

const TAKERS: Readonly<Record<Section["kind"], (section: Section, guide: GuideReader) => void>> = {
  introduction: ({ pieces }, guide) => guide.addTo("introduction", pieces),
  prerequisites: (section, guide) => guide.takePrerequisites(section),
  tools: (section, guide) => guide.takeParts("tools", section),
  parts: (section, guide) => guide.takeParts("parts", section),
  conclusion: ({ pieces }, guide) => guide.addTo("conclusion", pieces),
  documents: (section, guide) => guide.takeDocuments(section),
  step: () => undefined,
};

function isImage(piece: PagePiece): boolean {
  return piece.type === "block" && imagesAlone(piece.draft.block).length > 0;
}
