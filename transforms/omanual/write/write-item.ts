import type { Issue } from "../../../src/core/model/issue.js";
import type {
  Guide,
  GuideItem,
  ItemOf,
  Line,
  Part,
  Step,
  StepMedia,
  Wiki,
  WikiItem,
} from "../../../src/core/model/item.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import { plainWords } from "../items/texts-and-media.js";
import {
  documentOf,
  type ManualCategory,
  type ManualGuide,
  type ManualImage,
  type ManualLine,
  type ManualMedia,
  type ManualPart,
  type ManualReference,
  type ManualStep,
  type ManualText,
} from "../manual.js";
import { readManual } from "../read-manual.js";
import { dateTimeOf, parseTime, readProductDate, writeProductDate } from "../values.js";
import { NOT_IN_CATEGORIES, NOT_IN_GUIDES, reportMissingPlaces } from "./missing-places.js";
import { escapeText, holdableIn, type ReportFinding } from "./print-element.js";
import {
  attributeText,
  documentsOf,
  flagsOf,
  type GuideCard,
  imageOf,
  manualText,
  mediumOf,
  NO_CONTEXT,
  reportReferences,
  reportTags,
  siteId,
  type WriteContext,
  type Writing,
} from "./write-context.js";
import { writeManual } from "./write-manual.js";

interface WrittenItem {
  readonly xml: string;
  readonly issues: readonly Issue[];
}

export function writeItem(item: GuideItem | ItemOf<"category">, context: WriteContext = NO_CONTEXT): WrittenItem {
  const issues: Issue[] = [];
  const report = (finding: Omit<Issue, "key">) => void issues.push({ ...finding, key: item.key });
  const manual =
    item.kind === "guide"
      ? manualOfGuide({ ...item, body: holdableBody(item.body, report) }, context, report)
      : manualOfCategory({ ...item, body: holdableBody(item.body, report) }, context, report);
  return { xml: writeManual(manual, report), issues };
}

const UNWRITTEN = ["html", "tree", "comments", "tags", "suppliers", "viewers", "url"];

/** Applied to the item, so that issues name its fields. */
function holdableBody<B extends object>(body: B, report: ReportFinding): B {
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => UNWRITTEN.includes(name)));
  const written = Object.fromEntries(Object.entries(body).filter(([name]) => !UNWRITTEN.includes(name)));
  return { ...kept, ...holdableIn(written, "", report) } as B;
}

/** Omanual 10, direction E. Reports values that 1.0 does not have. Total. */
function manualOfGuide(
  { body, media }: Pick<GuideItem, "body" | "media">,
  context: WriteContext,
  report: ReportFinding,
): ManualGuide {
  const writing: Writing = { context, uses: new Map(media.map((use) => [use.key, use])), report };
  reportMissingPlaces(body, NOT_IN_GUIDES, report);
  const page = (text: string, path: string) => manualText(text, "page", path, writing);
  return {
    ...NOT_WRITTEN_OF_GUIDES,
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

const NOT_WRITTEN_OF_GUIDES = { kind: "guide", version: "1.0", id: null, extra: [] } as const;

/** Whole seconds, in UTC. */
function dateText(seconds: number | null, path: string, { report }: Writing): string | null {
  if (seconds === null) return null;
  const message = "The fraction of a second is left out.";
  if (!Number.isInteger(seconds)) report({ code: "date-fraction", level: "note", path, message });
  return dateTimeOf(Math.floor(seconds));
}

/** Readers turn it into lower case (omanual 5). */
function typeOf(type: string, writing: Writing): string {
  const written = type.trim().toLowerCase();
  if (written !== type) {
    const message = `The type "${type}" is written as "${written}", the form that readers accept.`;
    writing.report({ code: "type-spelling", level: "note", path: "type", message });
  }
  return attributeText(written, "type", writing);
}

function authorOf({ author }: Guide, writing: Writing): ManualGuide["author"] {
  if (author === null) return null;
  if (author.name.trim() === "" && siteId(author.id) === null) {
    const message = "The author has neither a name nor an id of a site.";
    writing.report({ code: "author-empty", level: "note", path: "author", message });
  }
  return { id: siteId(author.id), name: elementText(author.name, "author.name", writing) };
}

const DIFFICULTIES: ReadonlySet<string> = new Set(["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"]);

/** The format has the service's five values, in English. */
function difficultyOf({ difficulty }: Guide, { report }: Writing): string {
  if (difficulty === null || DIFFICULTIES.has(difficulty)) return difficulty ?? "";
  const message = `The difficulty "${difficulty}" is not one of the five of oManual. Readers may not know it.`;
  report({ code: "difficulty", level: "loss", path: "difficulty", message });
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
    const message = `The quantity ${quantity ?? "is not known"}${quantity === null ? "" : " is not a whole number"}. Readers use 1.`;
    writing.report({ code: "quantity", level: "loss", path: `${path}.quantity`, message });
  }
  if (part.url !== null && part.url.trim() === "") {
    const message = "An empty address reads as no address.";
    writing.report({ code: "empty-address", level: "note", path: `${path}.url`, message });
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

/** Adds the card of a guide in the bundle; of others only the id is known. */
function fromPrerequisite(key: Key, path: string, writing: Writing): ManualReference {
  const card = writing.context.guide(key);
  const id = siteId(idIn(key));
  if (card === undefined) {
    reportPrerequisite(key, id, path, writing);
    return { id, locale: "", subject: "", type: "", title: null, url: null, path: null, image: null };
  }
  const { language: locale, subject, type, title, url } = card;
  const image = card.image === "" ? null : { path: card.image, sizes: {}, order: null, id: null, guid: null };
  return { id, locale, subject, type, title, url, path: card.path, image };
}

function reportPrerequisite(key: Key, id: string | null, path: string, { report }: Writing): void {
  if (id === null) {
    const message = `The prerequisite ${key} is not in the bundle and has no id of a site, so readers cannot identify it.`;
    report({ code: "prerequisite-lost", level: "loss", path, message });
  } else {
    const message = `The prerequisite ${key} is not in the bundle. Only its id is written.`;
    report({ code: "prerequisite-unknown", level: "note", path, message });
  }
}

function fromSteps(steps: readonly Step[], writing: Writing): readonly ManualStep[] {
  return steps.map(({ title, lines, media }, index) => {
    const path = `steps[${index}]`;
    return {
      id: null,
      guideId: null,
      number: index + 1,
      title: attributeText(title, `${path}.title`, writing),
      lines: lines.map((line, place) => fromLine(line, `${path}.lines[${place}]`, writing)),
      media: fromStepMedia(media, `${path}.media`, writing),
    };
  });
}

function fromLine({ text, bullet, level }: Line, path: string, writing: Writing): ManualLine {
  if (level < 0 || level > 2) {
    const message = `The level ${level} is not one of 0 to 2, which readers accept.`;
    writing.report({ code: "level", level: "loss", path: `${path}.level`, message });
  }
  return { bullet, level, text: manualText(text, "line", `${path}.text`, writing) };
}

function fromStepMedia(media: StepMedia, path: string, writing: Writing): ManualMedia | null {
  if (media.type === "none") return null;
  if (media.type === "embed") {
    const version = "1.0";
    return { type: "embed", embed: { facts: { version, url: media.url }, text: media.url } };
  }
  if (media.type === "images") return fromImages(media.images, path, writing);
  const file = mediumOf(media.video, path, writing);
  return file === undefined
    ? null
    : { type: "video", video: { id: null, encodings: [{ path: file, facts: {} }], source: {}, poster: null } };
}

function fromImages(keys: Extract<StepMedia, { type: "images" }>["images"], path: string, writing: Writing) {
  const images = keys.flatMap((key, index): readonly ManualImage[] => {
    const image = imageOf(key, `${path}.images[${index}]`, writing);
    return image === null ? [] : [{ ...image, order: index + 1 }];
  });
  if (images.length > 0) return { type: "image" as const, images };
  const message = "All images of the step are missing. The step is written without media.";
  if (keys.length > 0) writing.report({ code: "media-missing", level: "loss", path, message });
  return null;
}

/** The largest unit with integers at both ends is written. */
const UNITS = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** `30 minutes`, `1 - 2 hours`, which read back as equal seconds; empty: no estimate. */
export function timeText({ min, max }: Guide["timeRequired"], { report }: Writing): string {
  const text = min === 0 && max === 0 ? "" : rangeText(min, max);
  const back = parseTime(text);
  if (back?.min !== min || back.max !== max) {
    const message = `oManual writes the required time as text. "${text}" is not exactly ${min} to ${max} seconds.`;
    report({ code: "time-required", level: "loss", path: "timeRequired", message });
  }
  return text;
}

function rangeText(min: number, max: number): string {
  const [unit, size] = UNITS.find(([, each]) => min % each === 0 && max % each === 0) ?? UNITS[4];
  const [low, high] = [min / size, max / size];
  const words = `${high} ${unit}${high === 1 ? "" : "s"}`;
  return low === high ? words : `${low} - ${words}`;
}

/** The category's document and the index of its guides (omanual 10, direction E). Total. */
function manualOfCategory(
  { body, media, raw }: Pick<WikiItem, "body" | "media" | "raw">,
  context: WriteContext,
  report: ReportFinding,
): ManualCategory {
  const writing: Writing = { context, uses: new Map(media.map((use) => [use.key, use])), report };
  reportMissingPlaces(body, NOT_IN_CATEGORIES, report);
  const place = context.place(body.title);
  const title = elementText(body.title, "title", writing);
  const ancestors = place?.ancestors ?? (body.parent === null ? [] : [body.parent]);
  return {
    ...NOT_WRITTEN_OF_CATEGORIES,
    ...listsOf(raw),
    locale: body.language,
    title: body.displayTitle === null ? title : elementText(body.displayTitle, "displayTitle", writing) || title,
    name: title,
    ...infosOf(body, writing),
    image: imageOf(body.image, "image", writing),
    description: descriptionOf(body.description, writing),
    flags: flagsOf(body.flags, writing),
    // Nearest first, then `Root`, as in real files (omanual 3).
    ancestors: [...ancestors.map((name) => elementText(name, "parent", writing)), "Root"],
    children: place?.children ?? [],
    contents: manualText(body.contents, "page", "contents", writing),
    guides: (place?.guides ?? []).map(fromCard),
    documents: documentsOf(body.documents, writing),
  };
}

const NOT_WRITTEN_OF_CATEGORIES = {
  kind: "category",
  version: "1.0",
  id: null,
  extra: [],
} as const;

/** From the category's original document, since sites and the model lack them. */
function listsOf(raw: WikiItem["raw"]): Pick<ManualCategory, "parts" | "tools" | "solutions"> {
  const document = documentOf({ raw });
  const read = document === undefined ? undefined : readManual(document.xml, { file: document.path });
  if (read?.ok !== true || read.manual.kind !== "category") return { parts: [], tools: [], solutions: null };
  const { parts, tools, solutions } = read.manual;
  return { parts, tools, solutions };
}

const INFOS = [
  { name: "Manufacturer", field: "manufacturer", read: (value: string) => value.trim() || null },
  { name: "Introduced", field: "introduced", read: readable },
  { name: "Discontinued", field: "discontinued", read: readable },
] as const;

/** null: readers would derive another date from the written number. */
function readable(value: string): string | null {
  const written = writeProductDate(value);
  return written !== null && readProductDate(written) === value ? value : null;
}

/** 1.0 has three facts, two of them dates as integers; of duplicates the first counts. */
function infosOf(
  { info }: Wiki,
  writing: Writing,
): Pick<ManualCategory, "manufacturer" | "introduced" | "discontinued"> {
  const found: Record<(typeof INFOS)[number]["field"], string | null> = {
    manufacturer: null,
    introduced: null,
    discontinued: null,
  };
  for (const [index, { name, value }] of info.entries()) {
    const path = `info[${index}]`;
    const slot = INFOS.find((each) => each.name === name);
    const written = slot === undefined || found[slot.field] !== null ? null : slot.read(value);
    if (slot !== undefined && written === value) found[slot.field] = attributeText(value, path, writing);
    else
      writing.report({
        code: "info",
        level: "loss",
        path,
        message: `oManual 1.0 has no place for "${name}: ${value.slice(0, 60)}".`,
      });
  }
  reportOrder(info, found, writing);
  return found;
}

function reportOrder(info: Wiki["info"], found: Readonly<Record<string, string | null>>, { report }: Writing): void {
  const kept = info.filter(({ name }) => INFOS.some((each) => each.name === name && found[each.field] !== null));
  const order = INFOS.filter(({ field }) => found[field] !== null).map(({ name }) => name as string);
  if (kept.map(({ name }) => name).join() === order.join()) return;
  report({ code: "info-order", level: "note", path: "info", message: "oManual 1.0 does not have an order of facts." });
}

/** Text only; sites show no markup in it (omanual 11). */
function descriptionOf(description: string, writing: Writing): ManualText {
  reportReferences(description, "description", writing);
  const html = escapeText(description.trim());
  reportTags(description, html, "description", writing);
  if (plainWords(html) !== description) {
    const message = "Readers read spaces and line ends of the description as single spaces.";
    writing.report({ code: "description-blanks", level: "note", path: "description", message });
  }
  return { html, raw: null };
}

function fromCard({ key, subject, type, title, url, path, image }: GuideCard): ManualReference {
  const shown = image === "" ? null : { path: image, sizes: {}, order: null, id: null, guid: null };
  return { id: siteId(idIn(key)), locale: null, subject, type, title, url, path, image: shown };
}

/** Readers lose outer blanks. */
function elementText(value: string, path: string, writing: Writing): string {
  reportReferences(value, path, writing);
  const trimmed = value.trim();
  if (trimmed !== value) {
    const message = "Spaces at the beginning and the end are left out, because oManual ignores them.";
    writing.report({ code: "outer-blanks", level: "note", path, message });
  }
  return trimmed;
}
