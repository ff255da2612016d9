import { EXIT, FerryError } from "../../../src/core/errors.js";
import type { Issue } from "../../../src/core/model/issue.js";
import type {
  Guide,
  GuideItem,
  Line,
  MediaItem,
  MediaUse,
  Part,
  Step,
  StepMedia,
  WikiItem,
} from "../../../src/core/model/item.js";
import { idIn, type Key, kindOf, languageIn, wikiKey, wikiOf } from "../../../src/core/model/key.js";
import { digest } from "../../../src/core/util/json.js";
import { derivedId, idOf, resolvePath } from "../addresses.js";
import { type Bundle, bundleOfOne, categoryName } from "../bundle.js";
import {
  embedAddress,
  type Manual,
  type ManualCategory,
  type ManualEmbed,
  type ManualGuide,
  type ManualLine,
  type ManualMedia,
  type ManualPart,
  type ManualPlace,
  type ManualReference,
  type ManualStep,
} from "../manual.js";
import type { ManualIssue } from "../read/reading.js";
import { readManual } from "../read-manual.js";
import { isoDate, parseTime } from "../values.js";
import { type Converting, flagIds, type ItemOptions, keysOf, remark } from "./converting.js";
import { embeddedVideo, lineText, pageText, pickDocument, pickImage, pickVideo } from "./texts-and-media.js";
import { emptyCategory, toWiki } from "./to-wiki.js";

export interface ReadDocument {
  readonly path: string;
  readonly file: string;
  readonly manual: Manual;
  /** The item keeps the document, so that nothing is lost. */
  readonly xml: string;
  readonly issues: readonly ManualIssue[];
}

/** undefined: a manifest, which is only an index. */
export function manualItem(
  document: ReadDocument,
  bundle: Bundle,
  options: ItemOptions = {},
): GuideItem | WikiItem | undefined {
  const { manual, path, file, xml } = document;
  const key = keyOf(document, bundle);
  if (key === undefined || manual.kind === "manifest") return undefined;
  const issues: Issue[] = document.issues.map((issue) => ({ ...issue, key }));
  const uses = new Map<Key, MediaUse>();
  const converting: Converting = { ...options, key, path, file, bundle, issues, uses };
  // Bodies first: they fill `issues` and `uses`.
  const common = () => ({
    key,
    revision: digest(xml),
    raw: { path, xml },
    media: [...uses.values()],
    translations: translationsOf(key, bundle),
    issues,
  });
  if (manual.kind === "category") {
    const body = toWiki(manual, converting);
    return { ...common(), kind: "category", body };
  }
  const body = toGuide(manual, converting);
  return { ...common(), kind: "guide", body };
}

/** undefined: a manifest. */
export function keyOf({ manual, path }: Pick<ReadDocument, "manual" | "path">, bundle: Bundle): Key | undefined {
  if (manual.kind === "guide") return bundle.guides.get(path) ?? `guide/${derivedId(path.slice(bundle.top.length))}`;
  return manual.kind === "category" ? categoryKey(manual, path) : undefined;
}

function categoryKey(manual: Pick<ManualCategory, "name" | "title">, path: string): Key {
  return wikiKey("CATEGORY", categoryName(manual, path));
}

/** A media item without its bytes; undefined: the use has no address. */
export function mediaItem(use: MediaUse): MediaItem | undefined {
  const { key, url, guid, fileName } = use;
  if (url === null) return undefined;
  const body = { id: idIn(key), guid, fileName, url, width: null, height: null, markup: null, sourceImage: null };
  const kind = kindOf(key) as MediaItem["kind"];
  return { key, kind, ...BARE, revision: guid ?? url, raw: { use }, body: { ...body, content: null } };
}

export function bareCategory(title: string, parent: string | null, language: string, file: string): WikiItem {
  const key = wikiKey("CATEGORY", title);
  const body = { ...emptyCategory(title, language), parent };
  const message = `${file}: no document describes the category ${title}, which other documents name. It becomes an empty page.`;
  const issues = [{ code: "category-without-document", level: "note", key, path: "", message } as const];
  return { key, kind: "category", ...BARE, revision: digest(body), raw: null, body, issues };
}

const BARE = { media: [], translations: [], issues: [] } as const;

function translationsOf(key: Key, { languages }: Bundle): readonly Key[] {
  const same = kindOf(key) === "guide" ? languages.get(idIn(key)) : undefined;
  return (same ?? []).filter((other) => other !== key);
}

interface ServiceAnswer {
  readonly key: Key;
  readonly xml: string;
  readonly file: string;
  readonly site: NonNullable<ItemOptions["site"]>;
}

/** Throws FerryError with file, line, column and element for an unreadable or unrelated answer. */
export function readAnswer({ key, xml, file, site }: ServiceAnswer): GuideItem | WikiItem {
  const result = readManual(xml, { file });
  if (!result.ok) throw unreadable(key, result.fault.message);
  const path = "answer.xml";
  const item = manualItem({ ...result, path, file }, bundleOfOne(path, key), { site });
  if (item?.kind !== kindOf(key)) throw unreadable(key, `${file} answers with a ${result.manual.kind}.`);
  const issues = item.issues.map((issue) => ({ ...issue, key }));
  if (item.kind === "guide") return { ...item, key, issues };
  return { ...item, key, issues, body: { ...item.body, title: wikiOf(key).title } };
}

function unreadable(key: Key, what: string): FerryError {
  return new FerryError(
    `The XML of ${key} cannot be read. ${what} Run the same command again later, or with --format json, which does not read XML.`,
    { exitCode: EXIT.someFailed },
  );
}

function toGuide(manual: ManualGuide, converting: Converting): Guide {
  return {
    id: idIn(converting.key),
    language: manual.locale || "en",
    title: manual.title,
    category: toCategory(manual, converting),
    // Sites have types in lower case; manuals before 1.0 have them capitalised (omanual 5).
    type: manual.type?.trim().toLowerCase() ?? "",
    subject: manual.subject ?? "",
    summary: manual.summary ?? "",
    introduction: pageText(manual.introduction, "introduction", converting),
    conclusion: pageText(manual.conclusion, "conclusion", converting),
    difficulty: toDifficulty(manual, converting),
    timeRequired: toTime(manual, converting),
    flags: flagIds(manual.flags, converting),
    image: toMainImage(manual, converting),
    introductionVideo: toIntroductionVideo(manual, converting),
    documents: keysOf(manual.documents, (document, index) => pickDocument(document, `documents[${index}]`, converting)),
    featuredDocument: null,
    parts: manual.parts.map((part, index) => toPart(part, `parts[${index}]`, converting)),
    tools: manual.tools.map((tool, index) => toPart(tool, `tools[${index}]`, converting)),
    prerequisites: keysOf(manual.prerequisites, (reference, index) =>
      toPrerequisite(reference, `prerequisites[${index}]`, converting),
    ),
    steps: toSteps(manual, converting),
    author: toAuthor(manual),
    public: converting.public ?? false,
    createdDate: dateOf(manual.createdDate, "createdDate", converting, manual.at),
    modifiedDate: dateOf(manual.modifiedDate, "modifiedDate", converting, manual.at),
    ...NOT_IN_MANUALS,
  };
}

const NOT_IN_MANUALS = {
  tags: [],
  comments: [],
  archived: false,
  viewers: null,
  releases: [],
  workLogEnabled: null,
  publishedDate: null,
  url: "",
} as const;

/** An image that is also in a step repeats the first one, for a guide without a main image. */
function toMainImage({ image, steps }: ManualGuide, converting: Converting): Key | null {
  if (image === null) return null;
  const first = steps.flatMap(({ media }) => (media?.type === "image" ? media.images : []))[0];
  const isRepeated = image.order !== null && image.path !== "" && image.path === first?.path;
  return isRepeated ? null : pickImage(image, "image", converting);
}

/** A site has one category for each guide. */
function toCategory({ categories, at }: ManualGuide, converting: Converting): string {
  const [first, ...more] = categories;
  if (more.length > 0) {
    const what = `a guide has one category. ${first} is used, ${more.join(", ")} left out`;
    remark(converting, { code: "categories", level: "loss", path: "category", what }, at);
  }
  return first ?? converting.bundle.listedIn.get(converting.path) ?? "";
}

const DIFFICULTIES = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"];

function toDifficulty({ difficulty, at }: ManualGuide, converting: Converting): string | null {
  const word = difficulty?.trim().replace(/[\s_-]+/g, " ") ?? "";
  const label = DIFFICULTIES.find((each) => each.toLowerCase() === word.toLowerCase());
  if (label !== undefined || word === "") return label ?? null;
  const what = `the difficulty is "${word}", which is not one of ${DIFFICULTIES.join(", ")}. It becomes unset`;
  remark(converting, { code: "unknown-difficulty", level: "loss", path: "difficulty", what }, at);
  return null;
}

function toTime({ timeRequired, at }: ManualGuide, converting: Converting): Guide["timeRequired"] {
  const time = parseTime(timeRequired ?? "");
  if (time !== undefined) return time;
  const what = `the time required is "${timeRequired}", which is not a span of time. The guide gets no estimate`;
  remark(converting, { code: "unknown-time", level: "loss", path: "timeRequired", what }, at);
  return { min: 0, max: 0 };
}

/** 0.4 allows any medium here, sites only a video; an embed of a packaged file is a video. */
function toIntroductionVideo({ introductionMedia: media, at }: ManualGuide, converting: Converting): Key | null {
  if (media === null) return null;
  if (media.type === "video") return pickVideo(media.video, "introductionVideo", converting);
  const video = media.type === "embed" ? embeddedVideo(media.embed, "introductionVideo", converting) : undefined;
  if (video !== undefined) return video;
  const what = `the introduction begins with an ${media.type}, and sites accept only a video there. It is left out`;
  remark(converting, { code: "introduction-media", level: "loss", path: "introduction", what }, at);
  return null;
}

/** Thumbnails come from the site's page of a tool or part. */
function toPart(part: ManualPart, path: string, converting: Converting): Part {
  const { name, quantity, notes, type, url, sku, externalSources, at } = part;
  const digits = quantity?.trim() ?? "";
  const count = /^\d{1,9}(?:\.0+)?$/.test(digits) ? Number(digits) : null;
  if (digits !== "" && count === null) {
    const what = `the quantity of "${name}" is "${digits}", and sites accept only a number. It becomes 1`;
    remark(converting, { code: "unknown-quantity", level: "loss", path: `${path}.quantity`, what }, at);
  }
  const lost = [
    ...(sku ? [`sku ${sku}`] : []),
    ...externalSources.map((source) => `external source ${source.url ?? source.id ?? ""}`),
  ];
  if (lost.length > 0) {
    const what = `sites do not have these details of "${name}": ${lost.join(", ")}`;
    remark(converting, { code: "part-details", level: "loss", path, what }, at);
  }
  // A missing quantity is 1 (documentation, omanual 2).
  return {
    name,
    type: type ?? "",
    quantity: count ?? 1,
    notes: notes ?? "",
    url: url || null,
    optional: null,
    featured: null,
  };
}

function toPrerequisite(reference: ManualReference, path: string, converting: Converting): Key | null {
  const { bundle, key } = converting;
  const file = reference.path === null ? undefined : resolvePath(reference.path, converting.path, bundle);
  const id = idOf(reference.id);
  const found =
    (file === undefined ? undefined : bundle.guides.get(file)) ?? (id === null ? null : (`guide/${id}` as const));
  if (found === null) {
    const what = `the prerequisite "${reference.title ?? reference.path ?? ""}" has no id and is not in the package. It is left out`;
    remark(converting, { code: "prerequisite-missing", level: "loss", path, what }, reference.at);
  }
  return found === key ? null : found;
}

/** Sites identify people by unique names, which manuals lack; the name stays for readers. */
function toAuthor({ author }: ManualGuide): Guide["author"] {
  return author === null ? null : { id: idOf(author.id) ?? 0, name: author.name, uniqueName: null };
}

/** Skips steps of prerequisites, which servers include with those guides' ids (omanual 8). */
function toSteps({ id, steps }: ManualGuide, converting: Converting): readonly Step[] {
  const own = steps.filter(({ guideId }) => guideId === null || id === null || guideId === id);
  if (own.length < steps.length) {
    const what = `${steps.length - own.length} steps belong to prerequisites, which have them. They are left out here`;
    remark(converting, { code: "prerequisite-steps", level: "note", path: "steps", what });
  }
  return own.map((step, index) => toStep(step, index, converting));
}

/** A step without an id gets a key from its place, since its content may change. */
function toStep(step: ManualStep, index: number, converting: Converting): Step {
  const path = `steps[${index}]`;
  const language = languageIn(converting.key);
  const id = idOf(step.id) ?? derivedId(`${converting.key} step ${index}`);
  const key: Key = `step/${id}${language === undefined || idOf(step.id) === null ? "" : `@${language}`}`;
  return {
    key,
    title: step.title,
    lines: step.lines.map((line, number) => toLine(line, `${path}.lines[${number}]`, converting)),
    media: step.media === null ? { type: "none" } : toStepMedia(step.media, `${path}.media`, converting),
    comments: [],
  };
}

function toLine(line: ManualLine, path: string, converting: Converting): Line {
  return {
    text: lineText(line.text, `${path}.text`, converting),
    bullet: toBullet(line, path, converting),
    bulletStyle: null,
    level: toLevel(line, path, converting),
  };
}

/** Colours of every site; `light_blue` is not in the format, but servers write it. */
const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "light_blue", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

function toBullet({ bullet, text }: ManualLine, path: string, converting: Converting): string {
  const name =
    bullet
      ?.trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_") ?? "";
  if (BULLETS.has(name)) return name;
  const what = `the bullet "${name}" is not a bullet of sites. It becomes black`;
  if (name !== "") remark(converting, { code: "unknown-bullet", level: "note", path: `${path}.bullet`, what }, text.at);
  return "black";
}

/** `fit` limits the level relative to the line before. */
const DEEPEST = 2;

function toLevel({ level, text }: ManualLine, path: string, converting: Converting): number {
  const wanted = level ?? 0;
  const kept = Math.min(Math.max(wanted, 0), DEEPEST);
  const what = `the level ${wanted} is not one of 0 to ${DEEPEST}. It becomes ${kept}`;
  if (kept !== wanted)
    remark(converting, { code: "level-clamped", level: "loss", path: `${path}.level`, what }, text.at);
  return kept;
}

const NONE: StepMedia = { type: "none" };

function toStepMedia(media: ManualMedia, path: string, converting: Converting): StepMedia {
  if (media.type === "image") {
    const images = media.images
      .map((image, index) => pickImage(image, `${path}.images[${index}]`, converting))
      .filter((key) => key !== null);
    return images.length === 0 ? NONE : { type: "images", images };
  }
  if (media.type === "embed") return toEmbed(media.embed, path, converting);
  const video = pickVideo(media.video, `${path}.video`, converting);
  return video === null ? NONE : { type: "video", video };
}

/**
 * Sites derive the rest from the address. An embed of a packaged file is a video
 * (docs/design/omanual-writing.md).
 */
function toEmbed(embed: ManualEmbed, path: string, converting: Converting): StepMedia {
  const video = embeddedVideo(embed, path, converting);
  if (video !== undefined) return video === null ? NONE : { type: "video", video };
  const { facts, at } = embed;
  const url = embedAddress(embed);
  if (url !== "") return { type: "embed", url, title: facts["title"] || null };
  remark(
    converting,
    { code: "embed-without-address", level: "loss", path, what: "an embed has no address. It is left out" },
    at,
  );
  return NONE;
}

/** ISO 8601, or in 0.4 UNIX seconds. null: none, or unreadable. */
function dateOf(text: string | null, path: string, converting: Converting, at: ManualPlace | undefined): number | null {
  const written = text?.trim() ?? "";
  if (written === "") return null;
  if (/^\d{5,11}$/.test(written)) return Number(written);
  const date = isoDate(written);
  const time = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(time)) return Math.floor(time / 1000);
  const what = `the date is "${written.slice(0, 40)}", which is not a date of ISO 8601. It becomes unknown`;
  remark(converting, { code: "unknown-date", level: "loss", path, what }, at);
  return null;
}
