import { EXIT, FerryError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Guide, GuideItem, Part, Step, StepMedia, Wiki, WikiItem } from "../../core/model/item.js";
import { idIn, type Key, languageIn, originalGuide, wikiOf } from "../../core/model/key.js";
import { type Query, segment } from "../http/client.js";
import { NOT_AVAILABLE, REFUSED } from "../http/status-error.js";
import { JsonCursor } from "../wire/json-cursor.js";
import { otherLanguages, parseContextOf, type SiteSession } from "./session.js";
import { ArchivedGuideError } from "./version.js";

/**
 * With `--format xml`: puts the XML into `raw`, and adds a note for each difference from the JSON,
 * or for a site without XML. Throws like `readXml`.
 */
export async function withXml<Item extends GuideItem | WikiItem>(
  session: SiteSession,
  item: Item,
  place: Omit<XmlPlace, "expect">,
  signal: AbortSignal,
): Promise<Item> {
  if (session.options.format !== "xml") return item;
  const issues = [...item.issues];
  // Sites may lack this form.
  const { status, read } = await readXml(session, { ...place, expect: [...REFUSED, 400] }, signal);
  if (read === undefined) {
    const reading = parseContextOf(session, item.key, place.path, (issue) => issues.push(issue));
    new JsonCursor(undefined, reading).report("no-xml", "note", `has no XML form: type=XML was answered ${status}`);
    return { ...item, issues };
  }
  const raw = { ...Object(item.raw), xml: read.xml };
  return { ...item, raw, issues: [...issues, ...disagreements(item, read.item)] };
}

/**
 * A guide or its translation, from XML and the JSON of lists. undefined: it does not exist, or not
 * in that language. Throws like `readXml`, and ArchivedGuideError like `readGuideItem`.
 */
export async function readGuideXmlOnly(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<GuideItem | undefined> {
  const language = languageIn(key);
  const facts = session.listing().rows.get(originalGuide(key));
  const query = { excludePrerequisiteSteps: true, langid: language } as const;
  const expect = facts?.archived === true ? [...NO_FORM, 403] : NO_FORM;
  const found = await readOnly(session, { key, path: `guides/${idIn(key)}`, query, expect }, signal);
  if (found?.item.kind !== "guide") return undefined;
  const { item, xml } = found;
  if (language !== undefined && item.body.language !== language) return undefined;
  const { byGuide } = await session.listing().releases(signal);
  return {
    ...item,
    revision: facts?.token ?? "",
    raw: { xml, ...(facts === undefined ? {} : { summary: facts.rest, tags: facts.tags }) },
    translations:
      language === undefined ? await otherLanguages(session, item.body, undefined, signal) : [originalGuide(key)],
    issues: [...(facts?.issues ?? []), ...item.issues, missing(key, "guide")],
    body: {
      ...item.body,
      tags: facts?.tags ?? [],
      archived: (facts?.archived ?? false) || item.body.flags.includes("GUIDE_ARCHIVED"),
      // A guide in no list stays private, so that a person checks it first.
      public: facts?.public ?? false,
      releases: byGuide.get(idIn(key))?.ids ?? [],
    },
  };
}

/** A category from its XML and the tree. undefined: it does not exist. Throws like `readXml`. */
export async function readCategoryXmlOnly(
  session: SiteSession,
  key: Key,
  signal: AbortSignal,
): Promise<WikiItem | undefined> {
  const { title } = wikiOf(key);
  const { places } = await session.listing().hierarchy(signal);
  const place = { key, path: `wikis/CATEGORY/${segment(title)}`, query: {}, expect: NO_FORM };
  const found = await readOnly(session, place, signal);
  if (found?.item.kind !== "category") return undefined;
  const { item, xml } = found;
  const facts = session.listing().rows.get(key);
  return {
    ...item,
    revision: facts?.token ?? "",
    raw: { xml, ...(facts === undefined ? {} : { summary: facts.rest }) },
    issues: [...(facts?.issues ?? []), ...item.issues, missing(key, "category")],
    // The title in XML is the display title, also if there is no other.
    body: { ...item.body, displayTitle: item.body.displayTitle ?? title, ...places.get(title) },
  };
}

/** Other refusals are not about the form. */
const NO_FORM: readonly number[] = [400, ...NOT_AVAILABLE];

async function readOnly(session: SiteSession, place: XmlPlace, signal: AbortSignal) {
  const { status, read } = await readXml(session, place, signal);
  if (status === 403) throw new ArchivedGuideError(place.key, status);
  if (read === undefined && status !== 404) throw noXmlForm(place.key, place.path, status);
  return read;
}

const MISSING = {
  guide:
    "XML does not contain the ids of steps, images and documents, annotations of images, exact times, the author's unique name, and the " +
    "introduction's video. It also lacks the featured document, optional and featured marks of parts and tools, custom bullets, comments, viewers, " +
    "and whether the work log is enabled. The date of publishing, the page's address, and line ends and markup that HTML does not show are missing too.",
  category:
    "XML does not contain its id, the raw text and document tree of its contents, tags, and facts other than manufacturer and dates. " +
    "It also lacks the page title, author, dates and address, and the ids of its image.",
} as const;

function missing(key: Key, kind: keyof typeof MISSING): Issue {
  return {
    code: "xml-only",
    level: "loss",
    key,
    path: "",
    message: `It was read as XML only. ${MISSING[kind]}`,
    remedy: "Run extract with --format xml, which also reads the items as JSON, or with --format json.",
  };
}

interface XmlPlace {
  readonly key: Key;
  readonly path: string;
  readonly query: Query;
  readonly expect: readonly number[];
}

interface XmlAnswer {
  readonly status: number;
  /** The unchanged answer and its content; undefined for a refusal. */
  readonly read: { readonly xml: string; readonly item: GuideItem | WikiItem } | undefined;
}

/** Throws FerryError with line, column and element when the answer can't be read. */
async function readXml(
  session: SiteSession,
  { key, path, query, expect }: XmlPlace,
  signal: AbortSignal,
): Promise<XmlAnswer> {
  const { client } = session;
  const { status, text: xml } = await client.get(path, { query: { ...query, type: "XML" }, expect }, signal);
  if (status !== 200) return { status, read: undefined };
  const { origin, hosts } = await session.identify(signal);
  const file = `GET ${client.root}/${path}?type=XML`;
  // Most runs read no XML: the reader is loaded with the first answer.
  const { readAnswer } = await import("../../../transforms/omanual/items/manual-items.js");
  return { status, read: { xml, item: readAnswer({ key, xml, file, site: { origin, hosts } }) } };
}

function noXmlForm(key: Key, path: string, status: number): FerryError {
  return new FerryError(
    `${key} has no XML form: GET ${path}?type=XML was answered ${status}, and --format xml-only reads nothing else. ` +
      "Run extract with --format xml, which uses JSON where an item has no XML.",
    { exitCode: EXIT.someFailed },
  );
}

type ManualItem = GuideItem | WikiItem;

/** With more differences, the XML is another version. */
const MOST_ISSUES = 20;

/** Differences of XML and JSON, as notes: JSON is used. Fields that XML lacks always differ. */
export function disagreements(json: ManualItem, xml: ManualItem): readonly Issue[] {
  const [inJson, inXml] = [factsOf(json), factsOf(xml)];
  const found = [...new Set([...inJson.keys(), ...inXml.keys()])].filter(
    (path) => !isSame(inJson.get(path), inXml.get(path)),
  );
  const issues = found.slice(0, MOST_ISSUES).map((path) => {
    const message = `The XML has ${shown(inXml.get(path))} and the JSON has ${shown(inJson.get(path))}. guideferry uses the JSON.`;
    return noteOf(json.key, path, message);
  });
  const more = found.length - MOST_ISSUES;
  return more > 0 ? [...issues, noteOf(json.key, "", `The XML differs from the JSON in ${more} more places.`)] : issues;
}

/** null: only one of the two forms has it. */
type Fact = readonly [path: string, value: string | null];
type NameOf = (key: Key | null) => string;

function factsOf({ kind, body, media }: ManualItem): ReadonlyMap<string, Fact[1]> {
  const names = new Map(media.map(({ key, url }) => [key, url === null ? key : fileIn(url)]));
  // XML names pictures and documents by their addresses only.
  const nameOf: NameOf = (key) => (key === null ? "" : (names.get(key) ?? key));
  return new Map(kind === "guide" ? guideFacts(body, nameOf) : wikiFacts(body, nameOf));
}

/** Hosts, size suffixes and signatures of one picture's addresses vary (api-facts 3.5). */
function fileIn(address: string): string {
  const [path = ""] = address.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
}

function guideFacts(guide: Guide, nameOf: NameOf): readonly Fact[] {
  const { language, title, category, type, subject, summary, difficulty } = guide;
  return [
    ...Object.entries({ language, title, category, type: type.toLowerCase(), subject, summary }),
    // Null for a word in the translation's own language, which readers of manuals don't know.
    ["difficulty", difficulty],
    ["flags", guide.flags.join(", ")],
    ["image", nameOf(guide.image)],
    ["documents", guide.documents.map(nameOf).join(", ")],
    ["parts", guide.parts.map(partFacts).join("; ")],
    ["tools", guide.tools.map(partFacts).join("; ")],
    ["prerequisites", guide.prerequisites.join(", ")],
    ["createdDate", dateFact(guide.createdDate)],
    ["modifiedDate", dateFact(guide.modifiedDate)],
    ...guide.steps.flatMap((step, index) => stepFacts(step, `steps[${index}]`, nameOf)),
  ];
}

function stepFacts({ title, media, lines }: Step, path: string, nameOf: NameOf): readonly Fact[] {
  return [
    [`${path}.title`, title],
    [`${path}.media`, mediaFacts(media, nameOf)],
    ...lines.flatMap(({ text, level, bullet, bulletStyle }, index): readonly Fact[] => [
      [`${path}.lines[${index}].text`, text],
      [`${path}.lines[${index}].level`, String(level)],
      [`${path}.lines[${index}].bullet`, bulletStyle === null ? bullet : null],
    ]),
  ];
}

function wikiFacts(wiki: Wiki, nameOf: NameOf): readonly Fact[] {
  return [
    ["language", wiki.language],
    ["displayTitle", wiki.displayTitle ?? wiki.title],
    ["description", wiki.description],
    ["image", nameOf(wiki.image)],
    ["flags", wiki.flags.join(", ")],
    ["documents", wiki.documents.map(nameOf).join(", ")],
    ["parent", wiki.parent ?? ""],
  ];
}

function partFacts({ name, type, quantity, notes, url }: Part): string {
  return [quantity ?? 1, name, type, notes, (url ?? "").replace(/^(?:https?:)?\/\/[^/]+/, "")].join(" | ");
}

function mediaFacts(media: StepMedia, nameOf: NameOf): string {
  if (media.type === "images") return media.images.map(nameOf).join(", ");
  if (media.type === "video") return media.video;
  return media.type === "embed" ? media.url : "";
}

/** XML has whole seconds. */
function dateFact(seconds: number | null): string {
  return seconds === null ? "" : String(Math.floor(seconds));
}

const REFERENCE = /&(?:#\d+|#x[\da-f]+|\w+);/i;

/** XML loses line ends and repeated spaces, and decodes character references. */
function isSame(json: Fact[1] = "", xml: Fact[1] = ""): boolean {
  if (json === null || xml === null) return true;
  if (spaced(json) === spaced(xml)) return true;
  return REFERENCE.test(json) && wordsOf(json.split(REFERENCE).join("")) === wordsOf(xml);
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

function shown(text: Fact[1] | undefined): string {
  return text == null ? "nothing" : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function noteOf(key: Key, path: string, message: string): Issue {
  return { code: "xml-disagrees", level: "note", key, path, message };
}
