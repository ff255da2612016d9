import type { Guide, Part } from "../../../src/core/model/item.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import { parseTime } from "../../omanual/values.js";
import type { Draft, Tell } from "../../wiki/draft.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Link, List, ListItem } from "../../wiki/tree.js";
import { GUIDE_LABELS, onOneLine, PART_LABELS, USUAL_LANGUAGE, YES } from "./labels.js";
import {
  firstValue,
  frontOf,
  type Outline,
  plainWords,
  type ReadFact,
  type Section,
  valuesOf,
  wikiText,
  wordsOfParagraph,
} from "./outline.js";
import { asText, documentsOf, draftsOf, imagesAlone } from "./page-blocks.js";
import { COUNTED } from "./page-of.js";
import type { PagePiece, PageReading } from "./page-source.js";
import { stepOf } from "./steps.js";

/** Content without a place of its own goes to the introduction, or to the lines of its step. */
export function toGuide({ title, front, sections }: Outline, reading: PageReading): Guide {
  const { before, facts, after } = frontOf(front, areGuideFacts);
  const guide = new GuideReader(reading);
  guide.takeSummary(before);
  for (const piece of after) guide.takeFront(piece);
  for (const section of sections.filter(({ kind }) => kind !== "step")) guide.takeSection(section);
  const steps = sections.filter(({ kind }) => kind === "step");
  reportNestedSteps(steps);
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
function reportNestedSteps(steps: readonly Section[]): void {
  const top = steps.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY);
  for (const { level, title, tell } of steps) {
    if (level === top) continue;
    const message = `A guide does not have steps in steps. ${JSON.stringify(title.slice(0, 60))} becomes a step like the others.`;
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

  /** One paragraph of words before the facts is the summary, even with an image next to it. */
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

  /** Other content goes to the introduction, under its heading. */
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

export type GuideFacts = Pick<
  Guide,
  | "category"
  | "type"
  | "subject"
  | "difficulty"
  | "timeRequired"
  | "author"
  | "createdDate"
  | "modifiedDate"
  | "flags"
  | "tags"
  | "public"
  | "language"
>;

const LABELS: ReadonlySet<string> = new Set(Object.values(GUIDE_LABELS));

/** Whether all facts are facts of guides. */
function areGuideFacts(facts: readonly ReadFact[]): boolean {
  return facts.every(({ label }) => LABELS.has(label));
}

function readGuideFacts(facts: readonly ReadFact[]): GuideFacts {
  const value = (name: keyof typeof GUIDE_LABELS): string => firstValue(facts, GUIDE_LABELS[name]) ?? "";
  const tell = facts[0]?.tell ?? (() => undefined);
  const unread = (name: keyof typeof GUIDE_LABELS): void =>
    tell(
      "unknown-fact",
      "loss",
      `${GUIDE_LABELS[name]}: ${JSON.stringify(value(name))} cannot be read. It is left out.`,
    );
  const time = parseTime(value("time"));
  if (time === undefined) unread("time");
  const date = (name: "created" | "modified"): number | null => {
    const written = value(name);
    const seconds = DATE.test(written) ? Date.parse(written) / 1000 : Number.NaN;
    if (Number.isNaN(seconds) && written !== "") unread(name);
    return Number.isNaN(seconds) ? null : seconds;
  };
  return {
    category: value("category"),
    type: value("type"),
    subject: value("subject"),
    difficulty: value("difficulty") || null,
    timeRequired: time ?? { min: 0, max: 0 },
    author: authorOf(value("author")),
    createdDate: date("created"),
    modifiedDate: date("modified"),
    flags: valuesOf(facts, GUIDE_LABELS.flag),
    tags: valuesOf(facts, GUIDE_LABELS.tag),
    public: value("public").toLowerCase() === YES,
    language: value("language") || USUAL_LANGUAGE,
  };
}

/** The zone makes the date the same on every machine. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/;

/** 0: no id of a site, as for a manual's author. */
function authorOf(words: string): Guide["author"] {
  const [, named, id] = /^(.*) \(user (\d{1,15})\)$/s.exec(words) ?? [];
  if (words === "") return null;
  return { id: Number(id ?? 0), name: named ?? words, uniqueName: null };
}

/** Words below an item describe it: a labelled field, else its notes. */
function partsOf(list: List, tell: Tell): readonly Part[] {
  return list.children.map((item) => partOf(item, tell));
}

function partOf({ children, lists }: ListItem, tell: Tell): Part {
  const linked = children.find((inline): inline is Link => inline.type === "link" && inline.kind === "url");
  const words = plainWords(
    children.map((inline) => (inline === linked ? { type: "text", value: plainText([inline]) } : inline)),
    "The name of a part",
    tell,
  );
  const below = lists.flatMap((list) => partFactsBelow(list, tell));
  const facts = new Map(below.flatMap(({ label, value }) => (label === undefined ? [] : [[label, value] as const])));
  const notes = [
    facts.get("notes") ?? "",
    ...below.flatMap(({ label, value }) => (label === undefined ? [value] : [])),
  ];
  const [counted, count] = COUNTED.exec(words) ?? [];
  return {
    name: counted === undefined ? words : words.slice(counted.length),
    quantity: count === undefined ? 1 : Number(count),
    type: facts.get("type") ?? "",
    notes: notes.filter((note) => note !== "").join("; "),
    url: facts.get("url") ?? linked?.target ?? null,
    optional: flagOf(facts.get("optional")),
    featured: flagOf(facts.get("featured")),
  };
}

interface PartFact {
  readonly label: keyof typeof PART_LABELS | undefined;
  readonly value: string;
}

function partFactsBelow({ children }: List, tell: Tell): readonly PartFact[] {
  return children.flatMap((item) => [
    partFactIn(plainWords(item.children, "The description of a part", tell)),
    ...item.lists.flatMap((list) => partFactsBelow(list, tell)),
  ]);
}

function partFactIn(words: string): PartFact {
  for (const [label, name] of Object.entries(PART_LABELS)) {
    if (words.startsWith(`${name}: `))
      return { label: label as keyof typeof PART_LABELS, value: words.slice(name.length + 2) };
  }
  return { label: undefined, value: words };
}

function flagOf(value: string | undefined): boolean | null {
  return value === undefined ? null : value.toLowerCase() === YES;
}

/** undefined: an item is not a guide. */
function prerequisitesOf({ children }: List): readonly Key[] | undefined {
  const keys = children.map(prerequisiteOf);
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function prerequisiteOf({ children, lists }: ListItem): Key | undefined {
  const [only, ...more] = children;
  if (lists.length > 0 || more.length > 0) return undefined;
  if (only?.type === "link" && only.kind === "guide") return `guide/${only.target.trim()}`;
  const [, rest] = /^Guide (\d{1,16}(?:@[\w-]{1,20})?)$/.exec(onOneLine(plainText(children))) ?? [];
  return rest === undefined ? undefined : `guide/${rest}`;
}
