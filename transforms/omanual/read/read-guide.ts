import { elementsIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualGuide, ManualMedia, ManualText, ManualVersion } from "../manual.js";
import { type Fields, fieldsOf, names, ownText, plainText } from "./fields.js";
import { hintedVersion } from "./hinted-version.js";
import { readImage } from "./image.js";
import { readDocument, readFlag, readList, readPart, readReference } from "./lists.js";
import { readMedia } from "./media.js";
import { placeOf, type Reading, report } from "./reading.js";
import { readSteps } from "./steps.js";
import { isHtml, readText } from "./text.js";

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

/** `guide` and `procedure`, by what stands in them; all versions at once, since each field has one meaning in all. */
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
    const what = "a guide without a <title>; a title was expected";
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

/** 1.0 has one `category`, before it was a list of any number. */
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
 * 0.2 has the author's text in the element, and in a second one, `…_rendered`, what the site made of it: HTML of wiki text,
 * or the same HTML with lists of parts and tools put to it. Later the wiki text is an attribute.
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

/** What tells the versions apart; only for people and for the writer's tests, nothing is read differently by it. */
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
