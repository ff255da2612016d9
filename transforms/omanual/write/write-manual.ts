import {
  embedAddress,
  IMAGE_SIZES,
  type ManualCategory,
  type ManualDocument,
  type ManualEmbed,
  type ManualFlag,
  type ManualGuide,
  type ManualImage,
  type ManualLine,
  type ManualMedia,
  type ManualPart,
  type ManualReference,
  type ManualStep,
  type ManualText,
  type ManualVideo,
} from "../manual.js";
import { address, dateTime, dateTimeOf, decimal, integer, writeProductDate } from "../values.js";
import { type Attributes, holdableIn, printElement, type ReportFinding, type WrittenElement } from "./print-element.js";
import { simplify } from "./simplify.js";

/** The namespace of 1.0 has the slash (omanual 1). */
const NAMESPACE = "http://omanual.com/";

/**
 * Canonical oManual 1.0: equal documents give equal bytes (UTF-8, `\n`, two blanks, schema order).
 * Valid by both 1.0 schemas, by the older one with five more required elements, and by the vendor's
 * patch (omanual 13). Reports and omits the rest. Never throws.
 */
export function writeManual(manual: ManualGuide | ManualCategory, report: ReportFinding = () => undefined): string {
  const { at: _, extra: __, ...content } = manual;
  const clean = holdableIn(content, "", report) as typeof manual;
  const root = clean.kind === "guide" ? writeGuide(clean, report) : writeCategory(clean, report);
  const attributes = { xmlns: NAMESPACE, ...root.attributes };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printElement({ ...root, attributes })}`;
}

/** Writes all elements, since older schemas require optional ones (omanual 13). */
function writeGuide(manual: ManualGuide, report: ReportFinding): WrittenElement {
  const { title, subject, type, author, categories, steps } = manual;
  const [created, modified] = writeDates(manual, report);
  const list = <T>(name: string, entries: readonly T[], write: (entry: T, index: number) => WrittenElement) =>
    branch(name, entries.map(write));
  reportCategories(categories, report);
  const content = [
    leaf("title", title, { subject: subject || null, type: type || null }),
    leaf("summary", manual.summary ?? ""),
    writeMainImage(manual, report),
    leaf("author", author?.name ?? "", { id: author?.id || null }),
    leaf("time_required", manual.timeRequired ?? ""),
    leaf("difficulty", manual.difficulty ?? ""),
    leaf("category", categories[0] ?? ""),
    writeIntroduction(manual, report),
    list("tools", manual.tools, (tool, index) => writeGuidePart("tool", tool, `tools[${index}]`, report)),
    list("parts", manual.parts, (part, index) => writeGuidePart("part", part, `parts[${index}]`, report)),
    list("flags", manual.flags, (flag, index) => writeFlag(flag, `flags[${index}]`, report)),
    list("documents", manual.documents, (document, index) =>
      writeGuideDocument(document, `documents[${index}]`, report),
    ),
    list("prerequisites", manual.prerequisites, (reference, index) =>
      writePrerequisite(reference, `prerequisites[${index}]`, report),
    ),
    list("steps", steps, (step, index) => writeStep(step, index, report)),
    mixed("conclusion", writeText(manual.conclusion, "conclusion", report)),
    leaf("modified_date", modified),
    leaf("created_date", created),
  ];
  return branch("guide", content, { locale: manual.locale ?? "" });
}

/** Required (documentation): a step's first image replaces a missing one; `orderby` marks it. */
function writeMainImage({ image, steps }: ManualGuide, report: ReportFinding): WrittenElement {
  const first = steps.flatMap(({ media }) => (media?.type === "image" ? media.images : []))[0];
  if (image !== null && image.path + Object.values(image.sizes).join("") !== "")
    return writeImage(image, image.order !== null && image.path === first?.path ? { orderby: "1" } : {});
  if (first === undefined) return writeImage(null);
  const message = "The guide has no main image, which oManual requires. The first image of the steps is repeated.";
  report({ code: "main-image-repeated", level: "note", path: "image", message });
  return writeImage(first, { orderby: "1" });
}

/** The documentation has a medium before the text; the schema allows it. */
function writeIntroduction(
  { introduction, introductionMedia: media }: ManualGuide,
  report: ReportFinding,
): WrittenElement {
  const written = media === null ? null : writeMedia(media, "introductionVideo", report);
  const medium = written === null ? "" : `\n${printElement(written, "    ")}    `;
  return mixed("introduction", medium + writeText(introduction, "introduction", report));
}

function reportCategories([first, ...more]: readonly string[], report: ReportFinding): void {
  if (more.length === 0) return;
  const message = `oManual 1.0 has one category for each guide. ${first} is written, ${more.join(", ")} left out.`;
  report({ code: "categories", level: "loss", path: "category", message });
}

/** Both are required; equal for a new guide (documentation). */
function writeDates(
  { createdDate, modifiedDate }: ManualGuide,
  report: ReportFinding,
): readonly [created: string, modified: string] {
  const [created, modified] = [dateTime(createdDate), dateTime(modifiedDate)];
  const fallback = created ?? modified ?? dateTimeOf(0) ?? "";
  for (const [path, known, given] of [
    ["createdDate", created, createdDate],
    ["modifiedDate", modified, modifiedDate],
  ] as const) {
    if (known !== null) continue;
    const why = given === null || given === "" ? "is not known" : `is "${given.slice(0, 40)}", which is not a date`;
    const message = `The date ${why}, and oManual 1.0 requires a date. ${fallback} is written.`;
    report({ code: "date-unknown", level: "loss", path, message });
  }
  return [created ?? fallback, modified ?? fallback];
}

/** Lines of a container, and containers of a step (schema). */
const MOST_LINES = 8;
const MOST_CONTAINERS = 8;

/** The number is the place, from 1 (documentation). */
function writeStep({ title, lines, media }: ManualStep, index: number, report: ReportFinding): WrittenElement {
  const path = `steps[${index}]`;
  const containers = containersOf(lines, path, report).map((some, container) =>
    branch(
      "lines",
      some.map((line, place) => writeLine(line, `${path}.lines[${container * MOST_LINES + place}]`, report)),
    ),
  );
  const medium = media === null ? null : writeMedia(media, `${path}.media`, report);
  return branch("step", medium === null ? containers : [...containers, medium], {
    number: String(index + 1),
    title: title || null,
  });
}

/** At least one. */
function containersOf(
  lines: readonly ManualLine[],
  path: string,
  report: ReportFinding,
): readonly (readonly ManualLine[])[] {
  const most = MOST_LINES * MOST_CONTAINERS;
  if (lines.length > most) {
    const message = `A step of oManual 1.0 has at most ${most} lines. ${lines.length - most} of ${lines.length} are left out.`;
    report({ code: "too-many-lines", level: "loss", path: `${path}.lines`, message });
  }
  const kept = lines.slice(0, most);
  const count = Math.max(1, Math.ceil(kept.length / MOST_LINES));
  return Array.from({ length: count }, (_, place) => kept.slice(place * MOST_LINES, (place + 1) * MOST_LINES));
}

function writeLine({ bullet, level, text }: ManualLine, path: string, report: ReportFinding): WrittenElement {
  return mixed("line", simplify(text.html, { context: "line", path: `${path}.text` }, report), {
    bullet: bulletOf(bullet, path, report),
    level: String(Math.trunc(level ?? 0)),
  });
}

/** The documentation's list (omanual 5). */
const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

const NEAREST: ReadonlyMap<string, string> = new Map([["light_blue", "blue"]]);

function bulletOf(bullet: string | null, path: string, report: ReportFinding): string {
  const name = bullet?.trim().toLowerCase() || "black";
  if (BULLETS.has(name)) return name;
  const written = NEAREST.get(name) ?? "black";
  const message = `oManual does not have the bullet "${name}". ${written} is written.`;
  report({ code: "bullet", level: "loss", path: `${path}.bullet`, message });
  return written;
}

function writeCategory(manual: ManualCategory, report: ReportFinding): WrittenElement {
  const { solutions } = manual;
  const list = <T>(name: string, entries: readonly T[], write: (entry: T, index: number) => WrittenElement) =>
    branch(name, entries.map(write));
  const content = [
    leaf("title", manual.title ?? manual.name ?? ""),
    writeInfo(manual, report),
    writeImage(manual.image),
    mixed("description", writeText(manual.description, "description", report)),
    list("flags", manual.flags, (flag, index) => writeFlag(flag, `flags[${index}]`, report)),
    list("ancestors", manual.ancestors, (name) => leaf("ancestor", name)),
    list("children", manual.children, (name) => leaf("child", name)),
    branch("solutions", [], { count: integer(solutions?.count) ?? "0", url: address(solutions?.url) ?? "" }),
    list("parts", manual.parts, (part, index) => writeCategoryPart("part", part, `parts[${index}]`, report)),
    list("tools", manual.tools, (tool, index) => writeCategoryPart("tool", tool, `tools[${index}]`, report)),
    mixed("contents", writeText(manual.contents, "contents", report)),
    list("guides", manual.guides, (guide, index) => writeGuideRow(guide, `guides[${index}]`, report)),
    list("documents", manual.documents, writeCategoryDocument),
  ];
  return branch("category", content, { locale: manual.locale ?? "" });
}

function writeInfo(
  { name, title, manufacturer, introduced, discontinued }: ManualCategory,
  report: ReportFinding,
): WrittenElement {
  return leaf("category_info", name ?? title ?? "", {
    discontinued: dateOf(discontinued, "discontinued", report),
    introduced: dateOf(introduced, "introduced", report),
    manufacturer: manufacturer || null,
  });
}

/** Product dates are integers in the schema (omanual 3). */
function dateOf(value: string | null, path: string, report: ReportFinding): string | null {
  const written = writeProductDate(value);
  if (written === null && value !== null && value.trim() !== "") {
    const message = `"${value.slice(0, 40)}" is neither a date nor a whole number, which the schema requires. It is left out.`;
    report({ code: "not-a-number", level: "loss", path, message });
  }
  return written;
}

function checkedAddress(value: string | null, path: string, report: ReportFinding): string | null {
  const written = address(value);
  if (written === value || value === null) return written;
  const shown = value.slice(0, 100);
  if (written !== null) {
    const message = `The address "${shown}" has characters that an address cannot have. They are escaped.`;
    report({ code: "address-escaped", level: "note", path, message });
  } else if (value.trim() !== "") {
    const message = `"${shown}" is not an address of the schema. It is left out.`;
    report({ code: "not-an-address", level: "loss", path, message });
  }
  return written;
}

function partAttributes(part: ManualPart, path: string, report: ReportFinding) {
  return {
    name: part.name,
    quantity: part.quantity || null,
    sku: part.sku || null,
    thumbnail: checkedAddress(part.thumbnail, `${path}.thumbnail`, report),
    notes: part.notes || null,
    type: part.type || null,
    url: checkedAddress(part.url, `${path}.url`, report),
  };
}

/** Parts require a quantity; a missing one means 1 (documentation). */
function writeGuidePart(name: "tool" | "part", part: ManualPart, path: string, report: ReportFinding): WrittenElement {
  const attributes = partAttributes(part, path, report);
  const quantity = name === "part" ? (attributes.quantity ?? "1") : attributes.quantity;
  const sources = part.externalSources.map(({ id, url, notes }, index) =>
    branch("external_source", [], {
      id: id || null,
      url: checkedAddress(url, `${path}.externalSources[${index}].url`, report),
      notes: notes || null,
    }),
  );
  const content = sources.length === 0 ? [] : [branch("external_sources", sources)];
  return branch(name, content, { ...attributes, quantity });
}

/** Has no sources in the schema. */
function writeCategoryPart(
  name: "tool" | "part",
  part: ManualPart,
  path: string,
  report: ReportFinding,
): WrittenElement {
  if (part.externalSources.length > 0) {
    const message = "The parts of a category do not have external sources in oManual 1.0. They are left out.";
    report({ code: "external-sources", level: "loss", path, message });
  }
  return branch(name, [], partAttributes(part, path, report));
}

/** The title is required; the id replaces a missing one. */
function writeFlag({ id, title, image, text }: ManualFlag, path: string, report: ReportFinding): WrittenElement {
  return leaf("flag", text, {
    id: id || null,
    title: title ?? id ?? "",
    image: checkedAddress(image, `${path}.image`, report),
  });
}

/** The text is the path, as in real files; the documentation has it in `url` (omanual 2). */
function writeGuideDocument(document: ManualDocument, path: string, report: ReportFinding): WrittenElement {
  const { text, downloadUrl, url } = document;
  return leaf("document", text || (downloadUrl ?? url ?? ""), { url: checkedAddress(url, `${path}.url`, report) });
}

function writeCategoryDocument({ text, downloadUrl, url, id, type, date }: ManualDocument): WrittenElement {
  return leaf("document", text || (downloadUrl ?? url ?? ""), {
    id: integer(id),
    type: type || null,
    date: dateTime(date),
  });
}

/** The id is required; 0 means no site's id. Other facts are written together or not at all. */
function writePrerequisite(reference: ManualReference, path: string, report: ReportFinding): WrittenElement {
  const { id, locale, subject, type, title, url, path: file, image } = reference;
  const isKnown = [title, url, file, image].some((value) => value !== null);
  return branch("prerequisite", isKnown ? referenceContent(reference, path, report) : [], {
    id: checkedId(id, path, report),
    locale: locale ?? "",
    subject: subject ?? "",
    type: type ?? "",
  });
}

function writeGuideRow(reference: ManualReference, path: string, report: ReportFinding): WrittenElement {
  const { id, subject, type } = reference;
  return branch("guide", referenceContent(reference, path, report), {
    id: checkedId(id, path, report),
    subject: subject ?? "",
    type: type ?? "",
  });
}

function checkedId(id: string | null, path: string, report: ReportFinding): string {
  const written = integer(id);
  if (written === null && id !== null && id !== "") {
    const message = `The id "${id.slice(0, 40)}" is not a number, which the schema requires. 0 is written.`;
    report({ code: "not-a-number", level: "loss", path, message });
  }
  return written ?? "0";
}

function referenceContent({ title, url, path: file, image }: ManualReference, path: string, report: ReportFinding) {
  return [
    leaf("title", title ?? ""),
    leaf("url", checkedAddress(url, `${path}.url`, report) ?? ""),
    leaf("path", file ?? ""),
    writeImage(image),
  ];
}

/** Images of a step (schema). */
const MOST_IMAGES = 3;

/** null: nothing can be written, since an empty `media` is invalid (omanual 2). */
function writeMedia(media: ManualMedia, path: string, report: ReportFinding): WrittenElement | null {
  if (media.type === "image") return writeImages(media.images, path, report);
  return media.type === "embed" ? writeEmbed(media.embed, path, report) : writeVideo(media.video, path, report);
}

function writeImages(images: readonly ManualImage[], path: string, report: ReportFinding): WrittenElement | null {
  const kept = images.slice(0, MOST_IMAGES);
  if (images.length > MOST_IMAGES) {
    const message = `A step of oManual 1.0 has up to ${MOST_IMAGES} images. ${images.length - MOST_IMAGES} more are left out.`;
    report({ code: "too-many-images", level: "loss", path: `${path}.images`, message });
  }
  const written = kept.map((image, index) => writeImage(image, { orderby: String(index + 1) }));
  return written.length === 0 ? null : branch("media", written, { type: "image" });
}

/** Without an image: the empty required element. Only read images have known sizes. */
function writeImage(image: ManualImage | null, attributes: Readonly<Record<string, string>> = {}): WrittenElement {
  const sizes = Object.fromEntries(IMAGE_SIZES.map((size) => [size, image?.sizes[size] || null]));
  return leaf("image", image?.path ?? "", { ...attributes, ...sizes });
}

/** Attributes of `embed` in all schemas, by type. */
const EMBED_FACTS: Readonly<Record<string, (value: string) => string | null>> = {
  version: decimal,
  width: integer,
  height: integer,
  cache_age: integer,
  thumbnail_url: address,
  thumbnail_width: integer,
  thumbnail_height: integer,
};

/** Facts that the address repeats, or that every embed has. */
const EMBED_OTHERS: ReadonlySet<string> = new Set(["url", "version", "objectid"]);

/**
 * The schema has facts as attributes, the vendor's patch as children (omanual 8): the address is
 * the text, which both allow; shared facts are attributes.
 */
function writeEmbed(embed: ManualEmbed, path: string, report: ReportFinding): WrittenElement | null {
  const { facts } = embed;
  const url = embedAddress(embed);
  const lost = Object.keys(facts).filter((name) => !(name in EMBED_FACTS || EMBED_OTHERS.has(name)) && facts[name]);
  if (lost.length > 0) {
    const message = `Both schemas of oManual 1.0 do not have the same form of the ${lost.join(", ")} of an embed. Only its address is written.`;
    report({ code: "embed-facts", level: "loss", path, message });
  }
  if (url === "") {
    const message = "An embed has no address. It is left out.";
    report({ code: "embed-without-address", level: "loss", path, message });
    return null;
  }
  const attributes = Object.fromEntries(
    Object.entries(EMBED_FACTS).map(([name, read]) => [name, read(facts[name] ?? "")] as const),
  );
  return branch("media", [leaf("embed", url, { ...attributes, version: attributes["version"] ?? "1.0" })], {
    type: "embed",
  });
}

/** An embed of its file: the vendor's patch requires an `objectid`, which the schema forbids. */
function writeVideo({ encodings }: ManualVideo, path: string, report: ReportFinding): WrittenElement | null {
  const pixels = ({ facts }: ManualVideo["encodings"][number]) => Number(facts["width"]) * Number(facts["height"]) || 0;
  const best = encodings.toSorted((a, b) => pixels(b) - pixels(a)).find((encoding) => encoding.path !== "");
  if (best === undefined) {
    const message = "A video has no address. It is left out.";
    report({ code: "video-without-address", level: "loss", path, message });
    return null;
  }
  const message =
    "Both schemas of oManual 1.0 do not have the same form of a video. It is written as an embed of its file.";
  report({ code: "video-as-embed", level: "loss", path, message });
  return branch("media", [leaf("embed", best.path, { version: "1.0" })], { type: "embed" });
}

/** The markup of a page's text. Raw wiki syntax is omitted: no schema has an attribute for it. */
function writeText(text: ManualText | null, path: string, report: ReportFinding): string {
  return text === null ? "" : simplify(text.html, { context: "page", path }, report);
}

/** Readers ignore outer blanks. */
function leaf(name: string, text: string, attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content: text.trim() };
}

/** An empty list gives an empty element. */
function branch(name: string, content: readonly WrittenElement[], attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content };
}

function mixed(name: string, markup: string, attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content: { markup } };
}
