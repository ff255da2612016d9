import type { ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { contentType } from "../media-bytes.js";
import { type Answer, numberAt, objectAt, objectsAt, textAt } from "../site/answer.js";

/**
 * A guide's JSON answer as `type=XML`: its keys in the form of oManual 1.0, known ones as
 * attributes, others as children, and raw texts as attributes next to their HTML (omanual 8).
 * `guide`: without steps of prerequisites, which XML is not known to have.
 */
export function guideXml(guide: Answer): string {
  const plain = (name: string) => element(name, {}, words(guide[name]));
  const author = objectAt(guide, "author");
  const parts = (name: "part" | "tool") =>
    listXml(
      `${name}s`,
      objectsAt(guide, `${name}s`).map((each) => partXml(name, each)),
    );
  const prerequisites = objectsAt(guide, "prerequisites").map((each) => referenceXml("prerequisite", each, "../"));
  return xmlDocument("guide", { locale: textAt(guide, "locale") }, [
    titleXml(textAt(guide, "title"), { subject: textAt(guide, "subject"), type: textAt(guide, "type") }),
    plain("summary"),
    imageXml("image", objectAt(guide, "image")),
    element("author", { id: numberAt(author, "userid") ?? "" }, words(author["username"])),
    plain("time_required"),
    plain("difficulty"),
    plain("category"),
    textXml(guide, "introduction"),
    parts("tool"),
    parts("part"),
    flagsXml(guide["flags"]),
    listXml("documents", objectsAt(guide, "documents").map(documentXml)),
    listXml("prerequisites", prerequisites),
    listXml("steps", objectsAt(guide, "steps").map(stepXml)),
    textXml(guide, "conclusion"),
    dateXml("modified_date", guide["modified_date"]),
    dateXml("created_date", guide["created_date"]),
  ]);
}

function textXml(guide: Answer, name: "introduction" | "conclusion"): string {
  return element(name, { [`${name}_raw`]: textAt(guide, `${name}_raw`) }, xmlOfHtml(guide[`${name}_rendered`]));
}

function documentXml(document: Answer): string {
  const children = (["download_url", "icon", "extension"] as const)
    .filter((name) => document[name] != null)
    .map((name) => element(name, {}, words(document[name])));
  return element("document", { url: textAt(document, "url") }, words(document["text"]), ...children);
}

/** The schema's limit for one container; a longer step has several. */
const LINES = 8;

/** Numbers begin at 0, as in real files (omanual 5). */
function stepXml(step: Answer, number: number): string {
  const lines = objectsAt(step, "lines").map(lineXml);
  const containers = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES)) }, (_, index) =>
    listXml("lines", lines.slice(index * LINES, (index + 1) * LINES)),
  );
  const title = textAt(step, "title");
  return element("step", { number, title }, ...containers, mediaXml(objectAt(step, "media")));
}

function lineXml(line: Answer): string {
  const attributes = { bullet: textAt(line, "bullet"), level: numberAt(line, "level") ?? 0 };
  return element("line", { ...attributes, text_raw: textAt(line, "text_raw") }, xmlOfHtml(line["text_rendered"]));
}

/** The JSON answer of a CATEGORY wiki as `type=XML`, which has no raw text (omanual 10). */
export function categoryXml(wiki: Answer): string {
  const titles = (field: string, name: string) =>
    objectsAt(wiki, field).map((each) => element(name, {}, words(each["title"])));
  const ancestors = [...titles("ancestors", "ancestor"), element("ancestor", {}, "Root")];
  return xmlDocument("category", { locale: textAt(wiki, "langid") }, [
    infoXml(wiki),
    titleXml(textAt(wiki, "display_title") || textAt(wiki, "title")),
    imageXml("image", objectAt(wiki, "image")),
    element("description", {}, words(wiki["description"])),
    flagsXml(wiki["flags"]),
    solutionsXml(wiki),
    listXml(
      "parts",
      objectsAt(wiki, "parts").map((part) => partXml("part", asPart(part))),
    ),
    listXml(
      "tools",
      objectsAt(wiki, "tools").map((tool) => partXml("tool", asPart(tool))),
    ),
    listXml("ancestors", ancestors),
    listXml("children", titles("children", "child")),
    element("contents", {}, xmlOfHtml(wiki["contents_rendered"])),
    listXml(
      "guides",
      objectsAt(wiki, "guides").map((guide) => referenceXml("guide", guide, "")),
    ),
    listXml("documents", objectsAt(wiki, "documents").map(categoryDocumentXml)),
  ]);
}

/** Categories name the tools of their guides by other keys than guides do (facts, 8.3). */
function asPart(tool: Answer): Answer {
  return { text: tool["title"], url: tool["target_url"], thumbnail: tool["image_url"], ...tool };
}

const INFOS = ["discontinued", "introduced", "manufacturer"] as const;

/** Empty for unknown values, which breaks the schema: so do real servers (omanual 8). */
function infoXml(wiki: Answer): string {
  const rows = objectsAt(wiki, "info").filter((row) => !row["inheritedFrom"]);
  const rowOf = (name: string) => rows.find((row) => textAt(row, "name").toLowerCase() === name) ?? {};
  const known = objectAt(wiki, "category_info");
  const attributes = INFOS.map((name) => [name, textAt(rowOf(name), "value") || textAt(known, name)] as const);
  return element("category_info", Object.fromEntries(attributes), words(wiki["title"]));
}

function solutionsXml(wiki: Answer): string {
  const solutions = objectAt(wiki, "solutions");
  const url = textAt(wiki, "solutions_url", textAt(solutions, "url"));
  return element("solutions", { count: numberAt(solutions, "count") ?? 0, url });
}

/** A category's documents have only an id. */
function categoryDocumentXml(document: Answer): string {
  const type = contentType(textAt(document, "text"));
  return element("document", { id: numberAt(document, "documentid") ?? 0, type }, words(document["download_url"]));
}

/** Nothing for a step without media: an empty element is not valid. */
function mediaXml(media: Answer): string {
  const type = textAt(media, "type");
  const shown = KINDS[type]?.(media) ?? "";
  return shown === "" ? "" : element("media", { type }, shown);
}

const KINDS: Readonly<Record<string, (media: Answer) => string>> = {
  image: (media) =>
    objectsAt(media, "data")
      .map((image) => imageXml("image", image))
      .join(""),
  video: (media) => (media["data"] === null ? "" : videoXml(objectAt(media, "data"))),
  embed: (media) => embedXml(objectAt(media, "data")),
};

function videoXml(video: Answer): string {
  const encodings = objectsAt(video, "encodings").map(encodingXml);
  const poster = objectAt(objectAt(video, "image"), "image");
  return element(
    "video",
    {},
    element("objectid", {}, words(video["objectid"])),
    // The schema needs one, also while the video is being prepared.
    ...(encodings.length === 0 ? [element("encoding", {})] : encodings),
    element("source", sourceAttributes(objectAt(video, "meta"))),
    imageXml("poster", poster, { guid: textAt(poster, "guid") }),
  );
}

/** The schema has no attribute for the address, so it is the text (omanual 2). */
function encodingXml(encoding: Answer): string {
  const attributes = { width: numberAt(encoding, "width") ?? null, height: numberAt(encoding, "height") ?? null };
  const named = ["codecs", "format", "mime"].map((name) => [name, textAt(encoding, name) || null] as const);
  const always = encoding["always_generate"] === undefined ? "" : Number(Boolean(encoding["always_generate"]));
  return element(
    "encoding",
    { ...attributes, ...Object.fromEntries(named) },
    words(encoding["url"]),
    ...(["column", "label"] as const).map((name) => element(name, {}, words(encoding[name]))),
    ...(always === "" ? [] : [element("always_generate", {}, words(always))]),
  );
}

/** Attributes that servers write empty for unknown values (omanual 8). */
const EMPTY = ["audio_bitrate_in_kbps", "audio_sample_rate", "total_bitrate_in_kbps", "audio_codec", "channels"];
const WHOLE = ["duration_in_ms", "video_bitrate_in_kbps", "file_size_in_bytes", "width", "height"];
const OTHER = ["video_codec", "frame_rate", "format"];

function sourceAttributes(meta: Answer): Readonly<Record<string, string | null>> {
  const known = (name: string) => String(meta[name] ?? "");
  return {
    ...Object.fromEntries(EMPTY.map((name) => [name, known(name)])),
    ...Object.fromEntries(WHOLE.map((name) => [name, /^\d+$/.test(known(name)) ? known(name) : null])),
    ...Object.fromEntries(OTHER.map((name) => [name, known(name) || null])),
  };
}

const CHILDREN = [
  ...["url", "title", "type", "provider_url", "html", "provider_name", "author_url", "author_name", "objectid"],
] as const;
const NUMBERS = ["cache_age", "height", "width"] as const;

/** Texts as children, numbers as attributes (omanual 8). */
function embedXml(embed: Answer): string {
  const numbers = NUMBERS.map((name) => [name, numberAt(embed, name) ?? null] as const);
  const children = CHILDREN.filter((name) => embed[name] != null).map((name) => element(name, {}, words(embed[name])));
  return element("embed", { version: textAt(embed, "version") || null, ...Object.fromEntries(numbers) }, ...children);
}

// Parts of guides and categories. Each takes the object of the JSON answer.

/** Titles are stored as HTML, so XML escapes them again (omanual 8: `&amp;amp;`). */
function titleXml(title: string, attributes: Readonly<Record<string, string>> = {}): string {
  const html = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return element("title", attributes, words(html));
}

const SIZES = ["large", "medium", "standard", "thumbnail", "mini"] as const;

/** The sizes as attributes, the original as text, no ids; an empty element for none. */
function imageXml(name: "image" | "poster", image: Answer, more: Readonly<Record<string, string>> = {}): string {
  const sizes = SIZES.map((size) => [size, textAt(image, size) || null] as const);
  return element(name, { ...more, ...Object.fromEntries(sizes) }, words(image["original"]));
}

function listXml(container: string, entries: readonly string[]): string {
  return element(container, {}, ...entries);
}

function partXml(name: "part" | "tool", part: Answer): string {
  const quantity = numberAt(part, "quantity") ?? textAt(part, "quantity");
  const rest = ["thumbnail", "notes", "type", "url"].map((field) => [field, textAt(part, field)] as const);
  return element(name, { name: textAt(part, "text"), quantity, ...Object.fromEntries(rest) });
}

/** Flags are a list of objects on guides, a map of them on wikis. */
function flagsXml(flags: unknown): string {
  const list = objectsAt(
    { flags: Array.isArray(flags) ? flags : Object.values(objectAt({ flags }, "flags")) },
    "flags",
  );
  const entries = list.map((flag) => {
    const image = textAt(flag, "image") || null;
    return element("flag", { id: textAt(flag, "flagid"), title: textAt(flag, "title"), image }, words(flag["text"]));
  });
  return listXml("flags", entries);
}

/** `folder`: the place of the guide's file in a bundle. */
function referenceXml(name: "prerequisite" | "guide", guide: Answer, folder: string): string {
  const [id, title] = [numberAt(guide, "guideid") ?? 0, textAt(guide, "title")];
  const locale = name === "prerequisite" ? { locale: textAt(guide, "locale") } : {};
  const facts = { subject: textAt(guide, "subject"), type: textAt(guide, "type") };
  return element(
    name,
    { id, ...locale, ...facts },
    element("url", {}, words(guide["url"])),
    titleXml(title),
    imageXml("image", objectAt(guide, "image")),
    element("path", {}, words(`${folder}${folderOf(title)}-${id}/guide.xml`)),
  );
}

/** UNIX seconds as `2013-08-21T16:46:31+00:00`. */
function dateXml(name: string, seconds: unknown): string {
  const time = typeof seconds === "number" ? seconds : 0;
  return element(name, {}, `${new Date(Math.floor(time) * 1000).toISOString().slice(0, 19)}+00:00`);
}

/** Characters such as `&` are removed without closing the gap (omanual 7). */
function folderOf(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N} .-]/gu, "").replaceAll(" ", "-");
}

/** The simplified set of oManual 1.0 (omanual 4); of other elements the content stays. */
function xmlOfHtml(html: unknown): string {
  return typeof html === "string" ? contentOf(fromHtml(html, { fragment: true })) : "";
}

type Parent = Root | Extract<ElementContent, { readonly type: "element" }>;

function contentOf({ children }: Parent): string {
  return children.map((child) => xmlOf(child)).join("");
}

function xmlOf(node: RootContent): string {
  if (node.type === "text") return words(node.value);
  if (node.type !== "element" || DROPPED.has(node.tagName)) return "";
  const name = ALSO[node.tagName] ?? node.tagName;
  if (!SIMPLE.has(name)) return contentOf(node);
  const attributes = ATTRIBUTES.map(([attribute, property]) => [attribute, textOf(node.properties[property])] as const);
  return element(name, Object.fromEntries(attributes), contentOf(node));
}

const SIMPLE: ReadonlySet<string> = new Set([
  ...["p", "a", "strong", "em", "h1", "h2", "h3", "h4", "h5", "h6", "tt", "pre", "code", "br", "ul", "li"],
  ...["sub", "sup", "del", "ins", "div"],
]);

const ALSO: Readonly<Record<string, string>> = { b: "strong", i: "em", u: "ins", s: "del", ol: "ul" };

/** Without a video's frame its box is empty, as on real servers (omanual 8). */
const DROPPED: ReadonlySet<string> = new Set(["iframe", "script", "style", "img"]);

const ATTRIBUTES = [
  ["id", "id"],
  ["class", "className"],
  ["href", "href"],
  ["style", "style"],
  ["rel", "rel"],
  ["title", "title"],
  ["target", "target"],
] as const;

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" ? value : null;
}

/** null: the attribute is left out. */
type Attributes = Readonly<Record<string, string | number | null>>;

/** `children` are XML already: other elements, or {@link words}. */
function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === null ? [] : [` ${attribute}="${attributeText(String(value))}"`],
  );
  const inner = children.join("");
  return inner === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inner}</${name}>`;
}

/** Text for an element; a field that is not text or a number is empty. */
function words(value: unknown): string {
  return escaped(typeof value === "number" ? String(value) : typeof value === "string" ? value : "");
}

/** A whole answer, in the namespace of oManual 1.0 unless it is an error. */
function xmlDocument(name: string, attributes: Attributes, children: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, { xmlns: "http://omanual.com/", ...attributes }, ...children)}\n`;
}

/** An error answer to a request for XML (facts, 1.1). */
export function errorXml(message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("error", {}, element("message", {}, words(message)))}\n`;
}

/** A space for each line end, like parsers read them in attributes (omanual 8). */
function attributeText(text: string): string {
  return escaped(text)
    .replaceAll('"', "&quot;")
    .replaceAll(/\r\n|[\r\n\t]/g, " ");
}

/** Characters that XML can't represent are left out. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text.replaceAll(NOT_XML, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
