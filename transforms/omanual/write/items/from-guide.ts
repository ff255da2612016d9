import type { Guide, Part } from "../../../../src/core/model/guide.js";
import type { GuideItem } from "../../../../src/core/model/item.js";
import { idIn, type Key } from "../../../../src/core/model/key.js";
import type { ManualGuide, ManualPart, ManualReference } from "../../manual.js";
import type { Tell } from "../finding.js";
import { dateTimeOf } from "../values.js";
import { attributeText, elementText, siteId } from "./fields.js";
import { documentsOf, flagsOf, imageOf } from "./from-media.js";
import { fromSteps } from "./from-steps.js";
import { manualText } from "./from-text.js";
import { NOT_IN_GUIDES, tellOfMissingPlaces } from "./not-in-guides.js";
import { timeText } from "./time-text.js";
import { mediumOf, type WriteContext, type Writing } from "./write-context.js";

/** The document of a guide (omanual 10, direction E). What 1.0 has no place for is told of. Total. */
export function manualOfGuide(
  { body, media }: Pick<GuideItem, "body" | "media">,
  context: WriteContext,
  tell: Tell,
): ManualGuide {
  const writing: Writing = { context, uses: new Map(media.map((use) => [use.key, use])), tell };
  tellOfMissingPlaces(body, NOT_IN_GUIDES, tell);
  const page = (text: string, path: string) => manualText(text, "page", path, writing);
  return {
    ...NOT_WRITTEN,
    locale: body.language,
    title: elementText(body.title, "title", writing),
    subject: attributeText(body.subject, "subject", writing),
    type: typeOf(body.type, writing),
    summary: elementText(body.summary, "summary", writing),
    image: imageOf(body.image, "image", writing),
    author: authorOf(body, writing),
    timeRequired: timeText(body.timeRequired, writing),
    difficulty: difficultyOf(body, writing),
    categories: body.category === "" ? [] : [elementText(body.category, "category", writing)],
    introduction: page(body.introduction, "introduction"),
    introductionMedia: introductionMedia(body, writing),
    conclusion: page(body.conclusion, "conclusion"),
    tools: body.tools.map((tool, index) => fromPart(tool, `tools[${index}]`, writing)),
    parts: body.parts.map((part, index) => fromPart(part, `parts[${index}]`, writing)),
    flags: flagsOf(body.flags, writing),
    documents: documentsOf(body.documents, writing),
    prerequisites: body.prerequisites.map((key, index) => fromPrerequisite(key, `prerequisites[${index}]`, writing)),
    steps: fromSteps(body.steps, writing),
    createdDate: dateText(body.createdDate, "createdDate", writing),
    modifiedDate: dateText(body.modifiedDate, "modifiedDate", writing),
  };
}

const NOT_WRITTEN = { kind: "guide", version: "1.0", id: null, extra: [] } as const;

/** Whole seconds, in UTC. */
function dateText(seconds: number | null, path: string, { tell }: Writing): string | null {
  if (seconds === null) return null;
  const message = "A part of a second is left out.";
  if (!Number.isInteger(seconds)) tell({ code: "date-fraction", level: "note", path, message });
  return dateTimeOf(Math.floor(seconds));
}

/** As sites have it: readers make it lower case (omanual 5). */
function typeOf(type: string, writing: Writing): string {
  const written = type.trim().toLowerCase();
  if (written !== type) {
    const message = `The type "${type}" is written as "${written}", as readers take it.`;
    writing.tell({ code: "type-spelling", level: "note", path: "type", message });
  }
  return attributeText(written, "type", writing);
}

function authorOf({ author }: Guide, writing: Writing): ManualGuide["author"] {
  if (author === null) return null;
  if (author.name.trim() === "" && siteId(author.id) === null) {
    const message = "The author has neither a name nor an id of a site.";
    writing.tell({ code: "author-empty", level: "note", path: "author", message });
  }
  return { id: siteId(author.id), name: elementText(author.name, "author.name", writing) };
}

const DIFFICULTIES: ReadonlySet<string> = new Set(["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"]);

/** The format's five values are those of the service, in English. */
function difficultyOf({ difficulty }: Guide, { tell }: Writing): string {
  if (difficulty === null || DIFFICULTIES.has(difficulty)) return difficulty ?? "";
  const message = `The difficulty "${difficulty}" is none of oManual's five; readers may not know it.`;
  tell({ code: "difficulty", level: "loss", path: "difficulty", message });
  return difficulty;
}

function introductionMedia({ introductionVideo: key }: Guide, writing: Writing): ManualGuide["introductionMedia"] {
  const path = key === null ? undefined : mediumOf(key, "introductionVideo", writing);
  return path === undefined ? null : { type: "video", video: { ...NO_VIDEO, encodings: [{ path, facts: {} }] } };
}

const NO_VIDEO = { id: null, source: {}, poster: null } as const;

function fromPart(part: Part, path: string, writing: Writing): ManualPart {
  const { quantity } = part;
  if (quantity === null || !/^\d{1,9}$/.test(String(quantity))) {
    const message = `The quantity ${quantity ?? "is not known"}${quantity === null ? "" : " is no whole number"}; readers take it as 1.`;
    writing.tell({ code: "quantity", level: "loss", path: `${path}.quantity`, message });
  }
  if (part.url !== null && part.url.trim() === "") {
    const message = "An empty address is read as none.";
    writing.tell({ code: "empty-address", level: "note", path: `${path}.url`, message });
  }
  return {
    name: attributeText(part.name, `${path}.name`, writing),
    quantity: quantity === null ? null : String(quantity),
    notes: attributeText(part.notes, `${path}.notes`, writing),
    type: attributeText(part.type, `${path}.type`, writing),
    url: part.url === null ? null : attributeText(part.url, `${path}.url`, writing),
    sku: null,
    thumbnail: null,
    externalSources: [],
  };
}

/** With what other guides of the bundle show of themselves; of all others the id alone is known. */
function fromPrerequisite(key: Key, path: string, writing: Writing): ManualReference {
  const card = writing.context.guide(key);
  const id = siteId(idIn(key));
  if (card === undefined) {
    tellOfPrerequisite(key, id, path, writing);
    return { id, locale: "", subject: "", type: "", title: null, url: null, path: null, image: null };
  }
  const { language: locale, subject, type, title, url } = card;
  const image = card.image === "" ? null : { path: card.image, sizes: {}, order: null, id: null, guid: null };
  return { id, locale, subject, type, title, url, path: card.path, image };
}

function tellOfPrerequisite(key: Key, id: string | null, path: string, { tell }: Writing): void {
  if (id === null) {
    const message = `The prerequisite ${key} is not in the bundle and has no id of a site; nothing says which guide it is.`;
    tell({ code: "prerequisite-lost", level: "loss", path, message });
  } else {
    const message = `The prerequisite ${key} is not in the bundle; only its id is written.`;
    tell({ code: "prerequisite-unknown", level: "note", path, message });
  }
}
