import type { Guide, Line, MediaUse, Part, Step, StepMedia } from "../../core/model/item.js";
import { idIn, type Key, languageIn } from "../../core/model/key.js";
import { readComments } from "./comments.js";
import { answerOf, JsonCursor, type ParseContext } from "./json-cursor.js";
import { MediaUses, readDocuments, readImage, readVideo } from "./media.js";
import { readPerson } from "./people.js";
import { readDifficulty, readFlags } from "./shared-fields.js";

/** Answers of other calls, or the list row (api-facts 11.6). */
export interface GuideExtras {
  readonly tags: readonly string[];
  readonly archived: boolean;
  readonly viewers: Guide["viewers"];
  readonly releases: readonly number[];
}

const NO_EXTRAS: GuideExtras = { tags: [], archived: false, viewers: null, releases: [] };

interface GuideRead {
  readonly guide: Guide;
  readonly media: readonly MediaUse[];
}

/** A full guide (api-facts 3.3). Any JSON gives a guide. */
export function readGuide(json: unknown, reading: ParseContext, extras: GuideExtras = NO_EXTRAS): GuideRead {
  const answer = answerOf(json, reading);
  const uses = new MediaUses();
  const id = answer.at("guideid").integer() ?? (idIn(reading.key) || 0);
  const flags = readFlags(answer.at("flags"));
  const guide: Guide = {
    id,
    ...readTexts(answer),
    timeRequired: readTime(answer),
    flags,
    ...readMedia(answer, uses),
    parts: readParts(answer.at("parts")),
    tools: readParts(answer.at("tools")),
    prerequisites: readPrerequisites(answer.at("prerequisites"), id),
    steps: readSteps(answer.at("steps"), id, suffixOf(reading.key), uses),
    tags: extras.tags,
    comments: readComments(answer.at("comments")),
    author: readPerson(answer.at("author")),
    public: answer.at("public").flag() ?? false,
    archived: extras.archived || flags.includes("GUIDE_ARCHIVED"),
    viewers: extras.viewers,
    releases: extras.releases,
    workLogEnabled: answer.at("work_log_enabled").flag(),
    createdDate: answer.at("created_date").number(),
    publishedDate: answer.at("published_date").number(),
    modifiedDate: answer.at("modified_date").number(),
    url: answer.at("url").text(),
  };
  return { guide, media: uses.list() };
}

/** The languages of a guide, if the site names them (newer iFixit: api-facts 3.3). */
export function readAvailableLanguages(json: unknown, reading: ParseContext): readonly string[] | undefined {
  const place = answerOf(json, reading).at("available_langids");
  return place.value === undefined ? undefined : place.texts();
}

/** `langid`, else `locale`. */
export function readLanguage(answer: JsonCursor): string {
  return answer.at("langid").textOrNull() || answer.at("locale").text();
}

/** The source language may come instead (api-facts 3.1): every language in the answer counts. */
export function isInLanguage(language: string, json: unknown, reading: ParseContext): boolean {
  const answer = new JsonCursor(json, reading);
  const named = [answer.at("langid").textOrNull(), answer.at("locale").textOrNull()].filter((one) => one !== null);
  return named.length > 0 && named.every((one) => one === language);
}

/** Decides whether the viewers of a guide are read. */
export function readGuideAccess(answer: JsonCursor): { readonly private: boolean; readonly granular: boolean } {
  return {
    private: answer.at("public").flag() === false,
    granular: answer.at("should_use_granular_permissions").flag() === true,
  };
}

function readTexts(answer: JsonCursor) {
  return {
    language: readLanguage(answer),
    title: answer.at("title").text(),
    category: answer.at("category").text(),
    type: answer.at("type").text(),
    subject: answer.at("subject").text(),
    summary: answer.at("summary").text(),
    introduction: answer.at("introduction_raw").text(),
    conclusion: answer.at("conclusion_raw").text(),
    difficulty: readDifficulty(answer.at("difficulty")),
  };
}

function readTime(answer: JsonCursor): Guide["timeRequired"] {
  return {
    min: answer.at("time_required_min").number() ?? 0,
    max: answer.at("time_required_max").number() ?? 0,
  };
}

function readMedia(answer: JsonCursor, uses: MediaUses) {
  return {
    image: readImage(answer.at("image"), uses, "image"),
    introductionVideo: readIntroductionVideo(answer.at("intro_video"), uses),
    documents: readDocuments(answer.at("documents"), uses),
    featuredDocument: readFeaturedDocument(answer.at("featured_documentid"), uses),
  };
}

/** The model has no field for an embed: it stays in `raw`. */
function readIntroductionVideo(place: JsonCursor, uses: MediaUses): Key | null {
  const key = readVideo(place, uses, "introductionVideo");
  if (key === null && place.object() !== undefined) {
    place.report("introduction-embed", "loss", `is an embed (${place.at("url").text()}), not a video. It is left out`);
  }
  return key;
}

function readFeaturedDocument(place: JsonCursor, uses: MediaUses): Key | null {
  const id = place.integer();
  if (id === null || id === 0) return null;
  const key: Key = `document/${id}`;
  uses.add({ key, url: null, guid: null, fileName: null, path: "featuredDocument" });
  return key;
}

/** Plain ids in old data; a guide is not its own prerequisite. */
function readPrerequisites(list: JsonCursor, own: number): readonly Key[] {
  const ids = list
    .items()
    .map((place) =>
      typeof place.value === "number" ? place.integer() : (place.object()?.at("guideid").integer() ?? null),
    );
  return [...new Set(ids)].filter((id) => id !== null && id !== own).map((id): Key => `guide/${id}`);
}

function suffixOf(key: Key): string {
  const language = languageIn(key);
  return language === undefined ? "" : `@${language}`;
}

/** The guide's own (api-facts 3.1). `suffix`: `@de` in a translation, which shares step ids. */
function readSteps(list: JsonCursor, guide: number, suffix: string, uses: MediaUses): readonly Step[] {
  return list
    .items()
    .filter((place) => (place.at("guideid").integer() ?? guide) === guide)
    .flatMap((place, index) => {
      const step = readStep(place, suffix, uses, `steps[${index}]`);
      return step === undefined ? [] : [step];
    });
}

/** undefined: no id (api-facts 3.4). */
function readStep(place: JsonCursor, suffix: string, uses: MediaUses, path: string): Step | undefined {
  const step = place.object();
  const id = step?.at("stepid").integer() ?? null;
  if (step === undefined || id === null) {
    place.report("step-without-id", "loss", "is a step without an id, which is left out");
    return undefined;
  }
  const key: Key = `step/${id}${suffix}`;
  return {
    key,
    title: step.at("title").text(),
    lines: step.at("lines").items().map(readLine),
    media: readStepMedia(step.at("media"), uses, `${path}.media`),
    comments: readComments(step.at("comments")),
  };
}

function readLine(line: JsonCursor): Line {
  return { text: line.at("text_raw").text(), ...readBullet(line), level: line.at("level").integer() ?? 0 };
}

/** The bullets of every site with colours (api-facts 3.4; light blue, violet: guideferry's). */
const COLOURS: Readonly<Record<string, readonly [red: number, green: number, blue: number]>> = {
  black: [0x11, 0x16, 0x1a],
  red: [0xc1, 0x28, 0x0b],
  orange: [0xff, 0x90, 0x24],
  yellow: [0xf3, 0xe0, 0x0e],
  green: [0x16, 0xdc, 0x81],
  light_blue: [0x5a, 0xc8, 0xfa],
  blue: [0x23, 0x43, 0xe8],
  violet: [0x8f, 0x30, 0xd8],
};

const PICTURES = [
  { words: /caution|warning|danger/i, bullet: "icon_caution" },
  { words: /remind/i, bullet: "icon_reminder" },
  { words: /note/i, bullet: "icon_note" },
] as const;

const PICTURE_BULLETS: readonly string[] = PICTURES.map(({ bullet }) => bullet);
/** Higher ids are a site's own styles (api-facts 3.4, inferred). */
const HIGHEST_COMMON_STYLE = 11;

/**
 * A site's own style becomes the nearest named bullet: by its label, else a note for a `char`, else
 * by colour. The style is kept too.
 */
export function readBullet(line: JsonCursor): Pick<Line, "bullet" | "bulletStyle"> {
  const name = line.at("bullet").textOrNull() ?? "";
  const id = line.at("bullet_styleid").integer();
  const named = name in COLOURS || PICTURE_BULLETS.includes(name);
  if (named && (id === null || id <= HIGHEST_COMMON_STYLE)) return { bullet: name, bulletStyle: null };
  const style = line.at("bullet_style").object();
  const label = style?.at("label").textOrNull() ?? null;
  const nearest = style === undefined ? undefined : nearestBullet(style, label);
  if (!named && nearest === undefined && name !== "") unknown(line, name);
  return {
    bullet: nearest ?? (named ? name : "black"),
    bulletStyle: id === null ? null : { id, label },
  };
}

function unknown(line: JsonCursor, name: string): void {
  line.at("bullet").report("unknown-bullet", "note", `is "${name}", which is not a known bullet. It is read as black`);
}

function nearestBullet(style: JsonCursor, label: string | null): string | undefined {
  const type = style.at("type").text();
  const picture = PICTURES.find(({ words }) => words.test(`${type} ${label ?? ""}`));
  if (picture !== undefined) return picture.bullet;
  return type === "char" ? "icon_note" : nearestColour(style.at("bullet_color").text());
}

function nearestColour(hexadecimal: string): string | undefined {
  const digits = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hexadecimal)?.slice(1);
  if (digits === undefined) return undefined;
  const wanted = digits.map((pair) => Number.parseInt(pair, 16));
  const distance = (colour: readonly number[]) =>
    colour.reduce((sum, part, index) => sum + (part - (wanted[index] ?? 0)) ** 2, 0);
  const [nearest] = Object.entries(COLOURS).toSorted(([, a], [, b]) => distance(a) - distance(b));
  return nearest?.[0];
}

const NONE: StepMedia = { type: "none" };

type Reader = (data: JsonCursor, uses: MediaUses, path: string) => StepMedia;

/** By `media.type` (api-facts 3.5); writes call videos and embeds `object`. */
const READERS: Readonly<Record<string, Reader>> = {
  image: readImages,
  video: readObject,
  embed: readObject,
  object: readObject,
};

/** Missing or malformed media read as none, as in the official client. */
function readStepMedia(media: JsonCursor, uses: MediaUses, path: string): StepMedia {
  const type = media.at("type").value;
  if (typeof type !== "string") return NONE;
  const reader = READERS[type.toLowerCase()];
  if (reader !== undefined) return reader(media.at("data"), uses, path);
  media.report("unknown-media", "loss", `is of the type "${type}", which is unknown. The step is read without it`);
  return NONE;
}

function readImages(data: JsonCursor, uses: MediaUses, path: string): StepMedia {
  const images = data.items().flatMap((place, index): readonly Key[] => {
    const key = readImage(place, uses, `${path}.images[${index}]`);
    return key === null ? [] : [key];
  });
  return images.length === 0 ? NONE : { type: "images", images };
}

function readObject(data: JsonCursor, uses: MediaUses, path: string): StepMedia {
  const video = readVideo(data, uses, `${path}.video`);
  if (video !== null) return { type: "video", video };
  const embed = data.object();
  const url = embed?.at("url").textOrNull() ?? null;
  if (embed !== undefined && url !== null) return { type: "embed", url, title: embed.at("title").textOrNull() };
  if (embed !== undefined)
    data.report("unknown-media", "loss", "has neither the id of a video nor an address, and is left out");
  return NONE;
}

/** The parts or tools of a guide (api-facts 3.7); reading calls the name `text`, writing `name`. */
function readParts(list: JsonCursor): readonly Part[] {
  return list.items().flatMap((place) => {
    const part = place.object();
    return part === undefined ? [] : [readPart(part)];
  });
}

function readPart(part: JsonCursor): Part {
  return {
    name: part.at("text").textOrNull() ?? part.at("name").text(),
    type: part.at("type").text(),
    quantity: readQuantity(part.at("quantity")),
    notes: part.at("notes").text(),
    url: part.at("url").textOrNull(),
    optional: part.at("isoptional").flag(),
    featured: part.at("featured").flag(),
  };
}

/** Current sites answer a number, older ones text; both are valid (api-facts 3.7). */
function readQuantity(place: JsonCursor): number | null {
  return typeof place.value === "string" && /^\d+$/.test(place.value) ? Number(place.value) : place.number();
}

/** The HTML that a site rendered from a guide's texts. */
export interface RenderedGuide {
  /** undefined: the answer has none. */
  readonly introduction: string | undefined;
  readonly conclusion: string | undefined;
  /** By step id: the HTML of each line. */
  readonly steps: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** The HTML of a guide (api-facts 3.3, 3.4). Any JSON gives a result. */
export function readRenderedGuide(json: unknown, reading: ParseContext): RenderedGuide {
  const answer = answerOf(json, reading);
  const steps = answer.at("steps").items();
  return {
    introduction: html(answer.at("introduction_rendered")),
    conclusion: html(answer.at("conclusion_rendered")),
    steps: new Map(
      steps.map((step) => [
        String(step.at("stepid").value),
        step
          .at("lines")
          .items()
          .map((line) => html(line.at("text_rendered"))),
      ]),
    ),
  };
}

/** The rendered contents of a page; undefined: none. */
export function readRenderedWiki(json: unknown, reading: ParseContext): string | undefined {
  return html(answerOf(json, reading).at("contents_rendered"));
}

function html({ value }: JsonCursor): string | undefined {
  return typeof value === "string" ? value : undefined;
}
