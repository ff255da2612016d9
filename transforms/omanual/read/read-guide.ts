import { elementsIn, printXml, textIn, type XmlElement } from "../../xml/xml-document.js";
import type {
  ManualEmbed,
  ManualEncoding,
  ManualGuide,
  ManualImage,
  ManualLine,
  ManualMedia,
  ManualStep,
  ManualText,
  ManualVersion,
  ManualVideo,
} from "../manual.js";
import { entriesOf, type Fields, fieldsOf, names, numberIn, ownText, plainText } from "./fields.js";
import { readDocument, readFlag, readImage, readList, readPart, readReference } from "./lists.js";
import { hintedVersion, isHtml, placeOf, type Reading, readText, report, undouble } from "./reading.js";

const TEXTS = [
  "introduction",
  "introduction_raw",
  "introduction_rendered",
  "conclusion",
  "conclusion_raw",
  "conclusion_rendered",
];
const LISTS = ["tools", "parts", "flags", "documents", "prerequisites", "steps", "categories"];
const PLAIN = [
  "title",
  "summary",
  "image",
  "author",
  "time_required",
  "difficulty",
  "category",
  "modified_date",
  "created_date",
];
const GUIDE = names("locale", "lang", "langid", "id", "guideid", "subject", "type", ...PLAIN, ...TEXTS, ...LISTS);

/** Each field has one meaning in all versions. */
export function readGuide(root: XmlElement, reading: Reading): ManualGuide {
  const fields = fieldsOf(root, "", GUIDE, reading);
  const { fact } = fields;
  const title = readTitle(fields);
  const image = fields.child("image");
  const [introduction, introductionMedia] = readIntroduction(fields);
  return {
    kind: "guide",
    version: versionOf(fields),
    id: fact("id") ?? fact("guideid"),
    locale: fact("locale") ?? fact("langid") ?? fact("lang"),
    ...title,
    summary: fact("summary"),
    image: image === null ? null : readImage(image, "image", reading),
    author: readAuthor(fields),
    timeRequired: fact("time_required"),
    difficulty: fact("difficulty"),
    categories: readCategories(fields),
    introduction,
    introductionMedia,
    conclusion: readMixed(fields, "conclusion"),
    tools: readList(fields, "tools", "tool", readPart),
    parts: readList(fields, "parts", "part", readPart),
    flags: readList(fields, "flags", "flag", readFlag),
    documents: readList(fields, "documents", "document", readDocument),
    prerequisites: readList(fields, "prerequisites", "prerequisite", readReference),
    steps: readSteps(fields),
    createdDate: fact("created_date"),
    modifiedDate: fact("modified_date"),
    extra: reading.extra,
    at: placeOf(root),
  };
}

function readTitle(fields: Fields): Pick<ManualGuide, "title" | "subject" | "type"> {
  const { reading } = fields;
  const element = fields.child("title");
  if (element === null) {
    const what = "a guide has no <title>";
    report(reading, { code: "title-missing", level: "loss", path: "title" }, placeOf(fields.element), what);
    return { title: "", subject: fields.fact("subject"), type: fields.fact("type") };
  }
  const { fact } = fieldsOf(element, "title", names("subject", "type"), reading);
  return {
    title: plainText(element, "title", reading),
    subject: fact("subject") ?? fields.fact("subject"),
    type: fact("type") ?? fields.fact("type"),
  };
}

function readAuthor(fields: Fields): ManualGuide["author"] {
  const element = fields.child("author");
  if (element === null) return null;
  const author = fieldsOf(element, "author", names("id", "userid", "username", "text"), fields.reading);
  const name = ownText(author) || (author.fact("username") ?? author.fact("text") ?? "");
  const id = author.fact("id") ?? author.fact("userid");
  return name === "" && id === null ? null : { id, name };
}

/** 1.0 has one `category`, older versions a list. */
function readCategories(fields: Fields): readonly string[] {
  const { reading } = fields;
  const listed = fields
    .children("categories")
    .flatMap((list) => fieldsOf(list, "categories", names("category"), reading).children("category"));
  return [...fields.children("category"), ...listed]
    .map((element) => plainText(element, "category", reading))
    .filter((name) => name !== "");
}

/** 0.3 and 0.4 may begin it with a medium (omanual 6). */
function readIntroduction(fields: Fields): readonly [ManualText | null, ManualMedia | null] {
  const { reading } = fields;
  const element = fields.child("introduction");
  const medium = element === null ? undefined : elementsIn(element).find(({ name }) => name === "media");
  const text = readMixed(fields, "introduction", medium);
  return [text, medium === undefined ? null : readMedia(medium, "introductionVideo", reading)];
}

/**
 * 0.2 has the author's text in the element and HTML in `…_rendered`; later versions an attribute.
 */
function readMixed(fields: Fields, name: string, without?: XmlElement): ManualText | null {
  const { reading } = fields;
  const rendered = fields.child(`${name}_rendered`);
  const own = fields.child(name);
  const words = rendered === null || own === null ? "" : plainText(own, name, reading);
  const isWiki = rendered !== null && (own === null || !isHtml(own));
  const element = isWiki ? rendered : own;
  if (element === null) return null;
  const content = { ...element, children: element.children.filter((child) => child !== without) };
  return readText(content, isWiki ? words : rawOf(fields, name, element), name, reading);
}

function rawOf(fields: Fields, name: string, element: XmlElement): string | null {
  const inner = fieldsOf({ ...element, children: [] }, name, names(`${name}_raw`), fields.reading);
  return inner.fact(`${name}_raw`) ?? fields.fact(`${name}_raw`);
}

/** For people and tests only; all versions are read alike. */
function versionOf({ element, children }: Fields): ManualVersion {
  if (element.name === "guide") return "1.0";
  const has = (...wanted: readonly string[]) => wanted.some((name) => children(name).length > 0);
  if (has("introduction_rendered", "conclusion_rendered") || hasImages(children("steps"))) return "0.2";
  return hintedVersion(element) ?? (has("modified_date", "created_date") ? "0.4" : "0.3");
}

/** Steps of 0.2 have `images`, later ones `media`. */
function hasImages(lists: readonly XmlElement[]): boolean {
  const steps = lists.flatMap(elementsIn);
  return steps.some((step) => elementsIn(step).some(({ name }) => name === "images"));
}

/** Numbers begin at 0 or 1; a step without one stays after its neighbour. */
function readSteps(fields: Fields): readonly ManualStep[] {
  const { reading } = fields;
  const steps = fields
    .children("steps")
    .flatMap((list) => entriesOf(list, "steps", STEPS, reading))
    .map((element, index) => readStep(element, `steps[${index}]`, reading));
  const ranks = new Map<ManualStep, number>();
  let rank = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    rank = step.number ?? rank;
    ranks.set(step, rank);
  }
  reportTwins(steps, reading);
  return steps.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || 0);
}

const STEPS = names("step");
const STEP = names(
  "number",
  "orderby",
  "title",
  "lines",
  "line",
  "media",
  "images",
  "stepid",
  "id",
  "guideid",
  "revisionid",
);

function readStep(element: XmlElement, path: string, reading: Reading): ManualStep {
  const fields = fieldsOf(element, path, STEP, reading);
  const { fact } = fields;
  return {
    id: fact("stepid") ?? fact("id"),
    guideId: fact("guideid"),
    number: numberIn(fact("number") ?? fact("orderby"), "number", fields),
    title: fact("title") ?? "",
    lines: readLines(fields),
    media: readStepMedia(fields),
    at: placeOf(element),
  };
}

/** Of all containers in their order (omanual 2), then those outside of containers. */
function readLines({ children, path, reading }: Fields): readonly ManualLine[] {
  const contained = children("lines").flatMap((list) => entriesOf(list, `${path}.lines`, LINES, reading));
  return [...contained, ...children("line")].map((element, index) =>
    readLine(element, `${path}.lines[${index}]`, reading),
  );
}

const LINES = names("line");

/** A line's elements are its text; servers may print fields as children. */
function readLine(element: XmlElement, path: string, reading: Reading): ManualLine {
  const printed = elementsIn(element).some(({ name }) => LINE.has(name));
  const fields = fieldsOf(printed ? element : { ...element, children: [] }, path, LINE, reading);
  const { fact, child } = fields;
  const text = child("text_rendered") ?? child("text") ?? (printed ? { ...element, children: [] } : element);
  return {
    bullet: fact("bullet"),
    level: numberIn(fact("level"), "level", fields),
    text: readText(text, fact("text_raw"), `${path}.text`, reading),
  };
}

const LINE = names("bullet", "level", "text", "text_raw", "text_rendered", "lineid", "bullet_styleid");

function readStepMedia(fields: Fields): ManualMedia | null {
  const element = fields.child("media") ?? fields.child("images");
  if (element === null) return null;
  const media = readMedia(element, `${fields.path}.media`, fields.reading);
  if (media === null && (elementsIn(element).length > 0 || textIn(element).trim() !== "")) {
    const what = `<${element.name}> has no image, video or embed`;
    report(
      fields.reading,
      { code: "media-empty", level: "loss", path: `${fields.path}.media` },
      placeOf(element),
      what,
    );
  }
  return media;
}

function reportTwins(steps: readonly ManualStep[], reading: Reading): void {
  const seen = new Set<number>();
  for (const [index, { number, at }] of steps.entries()) {
    if (number === null) continue;
    const what = `step number ${number} occurs a second time. Both steps are kept in the order of the document`;
    if (seen.has(number))
      report(reading, { code: "step-number-twice", level: "note", path: `steps[${index}]` }, at, what);
    seen.add(number);
  }
}

const MEDIA = names("type", "image", "video", "embed", "object");

/** `media`, or `images` of 0.2. `type` decides between several kinds. */
function readMedia(element: XmlElement, path: string, reading: Reading): ManualMedia | null {
  const fields = fieldsOf(unwrapped(element), path, MEDIA, reading);
  const kinds = KINDS.filter(({ elements }) => elements.some((name) => fields.children(name).length > 0));
  const type = fields.fact("type")?.trim().toLowerCase() ?? "";
  const kind = kinds.find(({ type: own }) => own === type) ?? kinds[0];
  if (kind === undefined) return null;
  if (kinds.length > 1) {
    const what = `<${element.name}> holds ${kinds.map((each) => each.type).join(" and ")}. Only the ${kind.type} is used`;
    report(reading, { code: "media-mixed", level: "loss", path }, placeOf(element), what);
  }
  return kind.read(fields, kind.elements);
}

/** The API's form, `type` and the rest in `data`, which servers may print (omanual 8). */
function unwrapped(element: XmlElement): XmlElement {
  if (!elementsIn(element).some(({ name }) => name === "data")) return element;
  const type = [...element.attributes, ...elementsIn(element)].find(({ name }) => name === "type");
  const kind = type === undefined ? "" : "value" in type ? type.value : textIn(type).trim();
  const children = element.children.flatMap((child) => {
    if (typeof child === "string" || child.name !== "data") return [child];
    const isWrapper = elementsIn(child).some(({ name }) => KINDS.some(({ elements }) => elements.includes(name)));
    return isWrapper ? child.children : [{ ...child, name: kind.toLowerCase() }];
  });
  return { ...element, children };
}

interface Kind {
  readonly type: ManualMedia["type"];
  readonly elements: readonly string[];
  readonly read: (fields: Fields, elements: readonly string[]) => ManualMedia | null;
}

const KINDS: readonly Kind[] = [
  { type: "image", elements: ["image"], read: readImages },
  { type: "video", elements: ["video"], read: readFirstVideo },
  { type: "embed", elements: ["embed", "object"], read: readFirstEmbed },
];

/** Images without `orderby` keep their place. */
function readImages({ children, path, reading }: Fields): ManualMedia | null {
  const images = children("image").flatMap((element, index): readonly ManualImage[] => {
    const image = readImage(element, `${path}.images[${index}]`, reading);
    return image === null ? [] : [image];
  });
  if (images.length === 0) return null;
  const ordered = images.every(({ order }) => order !== null);
  return { type: "image", images: ordered ? images.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)) : images };
}

function readFirstVideo(fields: Fields): ManualMedia | null {
  const element = fields.child("video");
  return element === null ? null : { type: "video", video: readVideo(element, `${fields.path}.video`, fields.reading) };
}

const VIDEO = names("objectid", "id", "videoid", "encoding", "encodings", "source", "poster", "image");

function readVideo(element: XmlElement, path: string, reading: Reading): ManualVideo {
  const fields = fieldsOf(element, path, VIDEO, reading);
  const wrapped = fields
    .children("encodings")
    .flatMap((list) => fieldsOf(list, path, names("encoding"), reading).children("encoding"));
  const source = fields.child("source");
  const poster = fields.child("poster") ?? fields.child("image");
  return {
    id: fields.fact("objectid") ?? fields.fact("videoid") ?? fields.fact("id"),
    encodings: [...fields.children("encoding"), ...wrapped].map((each) => readEncoding(each, path, reading)),
    source: source === null ? {} : factsIn(source, path, reading),
    poster: poster === null ? null : readImage(poster, `${path}.poster`, reading),
    at: placeOf(element),
  };
}

/** Documentation and schema differ: the address is an attribute or the text (omanual 2). */
function readEncoding(element: XmlElement, path: string, reading: Reading): ManualEncoding {
  const { url = "", ...facts } = factsIn(element, path, reading);
  return { path: url || textOf(element, path, reading), facts };
}

function readFirstEmbed(fields: Fields, elements: readonly string[]): ManualMedia | null {
  const [element] = elements.flatMap((name) => fields.children(name));
  if (element === undefined) return null;
  const { path, reading } = fields;
  const frame = elementsIn(element).find(({ name }) => FRAMES.has(name.toLowerCase()));
  const others =
    frame === undefined ? element : { ...element, children: element.children.filter((child) => child !== frame) };
  const html = frame === undefined ? {} : { html: printXml(frame) };
  const embed: ManualEmbed = {
    facts: { ...html, ...factsIn(others, path, reading) },
    text: textOf(others, path, reading),
    at: placeOf(element),
  };
  return { type: "embed", embed };
}

/** HTML of an embed as elements instead of text. */
const FRAMES: ReadonlySet<string> = new Set(["iframe", "object", "embed", "video"]);

/** Any attributes and children, since servers add new ones. */
function factsIn(element: XmlElement, path: string, reading: Reading): Readonly<Record<string, string>> {
  const children = elementsIn(element).map(
    (child) => [child.name, undouble(textIn(child), child, path, reading).trim()] as const,
  );
  const attributes = element.attributes.map(
    ({ name, value }) => [name, undouble(value, element, path, reading)] as const,
  );
  return Object.fromEntries([...children, ...attributes]);
}

function textOf(element: XmlElement, path: string, reading: Reading): string {
  const text = element.children.filter((child) => typeof child === "string").join("");
  return undouble(text, element, path, reading).trim();
}
