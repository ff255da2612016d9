import type { Report } from "../../../src/core/model/issue.js";
import type { GuideItem, Item, ItemOf, MediaItem } from "../../../src/core/model/item.js";
import { type Key, kindOf } from "../../../src/core/model/key.js";
import { categoryFolder, guideFolder, mediaName, Names } from "./names.js";
import { printSidecar, type SidecarEntry, sidecarName } from "./sidecar.js";
import type { CategoryPlace, GuideCard, WriteContext } from "./write-context.js";
import { writeItem } from "./write-item.js";

export interface BundleOptions {
  /** Writes values that oManual does not have to `guideferry.json` files. Default: true. */
  readonly sidecar?: boolean;
  /** Scheme and host of the items' site, for relative addresses. Default: they stay relative. */
  readonly origin?: string;
}

/**
 * Package of oManual 1.0 (omanual 7): the top category in the root, a folder for each other
 * category and guide. Memory holds one guide. `items` is iterated twice, so it is no generator.
 * Throws RangeError when the iterations differ.
 */
export async function* writeBundle(
  items: AsyncIterable<Item>,
  media: MediaLookup,
  report: Report,
  options: BundleOptions = {},
): AsyncIterable<BundleFile> {
  const survey = await surveyBundle(items, media);
  const writing: BundleWriting = { ...options, survey, index: indexBundle(survey), media, report, placed: new Set() };
  const loose: Key[] = [];
  const names = new Names();
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (item.kind === "guide" || item.kind === "category") yield* writeDocument(item, writing, names);
    else if (item.kind === "wiki" || item.kind === "record") yield* writeOther(item, writing, names);
    else loose.push(item.key);
  }
  if (count !== survey.items) {
    throw new RangeError(
      `The items of a bundle are iterated twice: first ${survey.items} items came, then ${count}. Pass an iterable that gives the same items again.`,
    );
  }
  for (const key of loose) if (!writing.placed.has(key)) yield* writeLoose(key, writing, names);
}

interface BundleWriting extends BundleOptions {
  readonly survey: BundleSurvey;
  readonly index: BundleIndex;
  readonly media: MediaLookup;
  readonly report: Report;
  /** Media with a document. */
  readonly placed: Set<Key>;
}

async function* writeDocument(
  item: GuideItem | ItemOf<"category">,
  writing: BundleWriting,
  baseNames: Names,
): AsyncIterable<BundleFile> {
  const { survey, index, media, report, placed, origin } = writing;
  const folder =
    item.kind === "guide" ? survey.guides.get(item.key)?.folder : survey.categories.get(item.body.title)?.folder;
  if (folder === undefined) return;
  // The top folder's `media/` also holds media that no document needs.
  const needed = await placeMedia(item, media, folder === "" ? baseNames : new Names());
  const context = documentContext(survey, index, folder, needed.files, origin);
  const { xml, issues } = writeItem(item, context);
  for (const issue of issues) report(issue);
  for (const medium of needed.items) {
    if (!placed.has(medium.key)) reportMedia(medium, report);
    placed.add(medium.key);
  }
  const document = item.kind === "guide" ? "guide.xml" : "category.xml";
  yield { path: folder + document, content: xml };
  if (writing.sidecar !== false) {
    const entry: SidecarEntry = {
      document,
      xml,
      item,
      media: needed.items.map((medium) => ({ file: needed.files.get(medium.key) ?? null, item: medium })),
    };
    yield { path: `${folder}guideferry.json`, content: printSidecar([entry]) };
  }
  yield* mediaFiles(folder, needed);
}

/** Pages and records have no document; their media are written like those of guides. */
async function* writeOther(item: Item, writing: BundleWriting, names: Names): AsyncIterable<BundleFile> {
  const { report, placed } = writing;
  const kept = writing.sidecar !== false;
  const message = `oManual 1.0 has only guides and categories: ${kindOf(item.key)} ${kept ? "is only in guideferry.json" : "is left out"}.`;
  report({ code: "no-manual", level: "loss", key: item.key, path: "", message });
  if (!kept) return;
  const media = await placeMedia(item, writing.media, names);
  for (const medium of media.items) placed.add(medium.key);
  const entry: SidecarEntry = {
    document: null,
    xml: null,
    item,
    media: media.items.map((medium) => ({ file: media.files.get(medium.key) ?? null, item: medium })),
  };
  yield { path: sidecarName(item.key), content: printSidecar([entry]) };
  yield* mediaFiles("", media);
}

async function* writeLoose(key: Key, writing: BundleWriting, names: Names): AsyncIterable<BundleFile> {
  const item = await writing.media(key);
  if (item === undefined) return;
  const message = "No guide or category uses it, and oManual 1.0 has only media of guides and categories.";
  writing.report({ code: "no-manual", level: "loss", key, path: "", message });
  if (writing.sidecar === false) return;
  const use = { key, url: item.body.url, guid: item.body.guid, fileName: item.body.fileName, path: "" };
  const media = await placeMedia({ ...item, media: [use] }, writing.media, names);
  const [placed] = media.items;
  if (placed === undefined) return;
  const entry: SidecarEntry = { document: null, xml: null, item: placed, media: [] };
  const file = media.files.get(key) ?? null;
  yield { path: sidecarName(key), content: printSidecar([{ ...entry, media: [{ file, item: placed }] }]) };
  yield* mediaFiles("", media);
}

interface BundleSurvey {
  readonly guides: ReadonlyMap<Key, SurveyedGuide>;
  readonly categories: ReadonlyMap<string, SurveyedCategory>;
  readonly items: number;
}

interface SurveyedGuide {
  readonly key: Key;
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  readonly url: string;
  readonly category: string;
  /** With a slash at its end. */
  readonly folder: string;
  /** The main image relative to the bundle, or its address; empty: none. */
  readonly image: string;
}

interface SurveyedCategory {
  readonly title: string;
  readonly parent: string | null;
  readonly position: number | null;
  /** Empty: the top. Else with a slash at its end. */
  readonly folder: string;
}

/** Names at the top next to folders of guides and categories. */
const BASE_NAMES = ["category.xml", "media", "guideferry", "guideferry.json"];

/** undefined: not in the workspace. */
export type MediaLookup = (key: Key) => Promise<MediaItem | undefined>;

/** The first iteration over the items. */
async function surveyBundle(items: AsyncIterable<Item>, media: MediaLookup): Promise<BundleSurvey> {
  const names = new Names(BASE_NAMES);
  const guides = new Map<Key, SurveyedGuide>();
  const categories: Omit<SurveyedCategory, "folder">[] = [];
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (item.kind === "guide") guides.set(item.key, await surveyGuide(item, names, media));
    if (item.kind === "category") {
      const { title, parent, position } = item.body;
      categories.push({ title, parent, position });
    }
  }
  return { guides, categories: withFolders(categories, names), items: count };
}

async function surveyGuide(item: GuideItem, names: Names, media: MediaLookup): Promise<SurveyedGuide> {
  const { language, title, subject, type, url, category } = item.body;
  const folder = `${guideFolder(item, names)}/`;
  const key = mainImage(item);
  const found = key === null ? undefined : await media(key);
  // The main image gets the first name of its folder, so that no other file can change it.
  const file = found?.body.content == null ? undefined : `${folder}media/${mediaName(found, new Names())}`;
  const use = item.media.find((each) => each.key === key);
  return { key: item.key, language, title, subject, type, url, category, folder, image: file ?? use?.url ?? "" };
}

/** Its own, else the first of its steps. */
function mainImage({ body: { image, steps } }: GuideItem): Key | null {
  return image ?? steps.flatMap(({ media }) => (media.type === "images" ? media.images : []))[0] ?? null;
}

/** A single top category is the root; all others have folders. */
function withFolders(
  categories: readonly Omit<SurveyedCategory, "folder">[],
  names: Names,
): ReadonlyMap<string, SurveyedCategory> {
  const titles = new Set(categories.map(({ title }) => title));
  const tops = categories.filter(({ parent }) => parent === null || !titles.has(parent));
  const [top] = tops;
  return new Map(
    categories.map((category) => {
      const folder = tops.length === 1 && category === top ? "" : `${categoryFolder(category.title, names)}/`;
      return [category.title, { ...category, folder }];
    }),
  );
}

function documentContext(
  survey: BundleSurvey,
  index: BundleIndex,
  folder: string,
  files: ReadonlyMap<Key, string>,
  origin: string | undefined,
): WriteContext {
  const card = (guide: SurveyedGuide): GuideCard => ({
    ...guide,
    path: relative(`${guide.folder}guide.xml`, folder),
    image: /^[a-z][a-z0-9+.-]*:/i.test(guide.image) ? guide.image : relative(guide.image, folder),
  });
  return {
    origin,
    fileOf: (key) => files.get(key),
    guide: (key) => {
      const guide = survey.guides.get(key);
      return guide === undefined ? undefined : card(guide);
    },
    place: (title): CategoryPlace | undefined => {
      const category = survey.categories.get(title);
      if (category === undefined) return undefined;
      return {
        ancestors: ancestorsOf(category, survey),
        children: index.children.get(title) ?? [],
        guides: (index.guides.get(title) ?? []).map(card),
      };
    },
  };
}

interface BundleIndex {
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly guides: ReadonlyMap<string, readonly SurveyedGuide[]>;
}

function indexBundle({ categories, guides }: BundleSurvey): BundleIndex {
  const children = new Map<string, string[]>();
  const placed = [...categories.values()].toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || 0);
  for (const { title, parent } of placed) if (parent !== null) push(children, parent, title);
  const byCategory = new Map<string, SurveyedGuide[]>();
  for (const guide of guides.values()) push(byCategory, guide.category, guide);
  return { children, guides: byCategory };
}

function push<T>(groups: Map<string, T[]>, name: string, value: T): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [value]);
  else group.push(value);
}

/** Nearest first; ends at a cycle. */
function ancestorsOf(category: SurveyedCategory, { categories }: BundleSurvey): readonly string[] {
  const found = new Set<string>();
  let { parent } = category;
  while (parent !== null && parent !== category.title && !found.has(parent)) {
    found.add(parent);
    parent = categories.get(parent)?.parent ?? null;
  }
  return [...found];
}

function relative(path: string, folder: string): string {
  if (path === "" || folder === "") return path;
  return path.startsWith(folder) ? path.slice(folder.length) : `../${path}`;
}

interface PlacedMedia {
  /** Relative to the document's folder. */
  readonly files: ReadonlyMap<Key, string>;
  readonly items: readonly MediaItem[];
}

/** Media without bytes get no name. */
async function placeMedia(item: Item, media: MediaLookup, names = new Names()): Promise<PlacedMedia> {
  const main = item.kind === "guide" ? mainImage(item) : null;
  const keys = new Set<Key>([...(main === null ? [] : [main]), ...item.media.map(({ key }) => key)]);
  const files = new Map<Key, string>();
  const items: MediaItem[] = [];
  for (const key of keys) {
    const found = await media(key);
    if (found === undefined) continue;
    items.push(found);
    // The set grows during the iteration: the poster of a video follows it.
    if (found.body.poster !== undefined) keys.add(found.body.poster);
    if (found.body.content !== null) files.set(key, `media/${mediaName(found, names)}`);
  }
  return { files, items };
}

function mediaFiles(folder: string, { files, items }: PlacedMedia): readonly BundleFile[] {
  return items.flatMap(({ key, body: { content } }): readonly BundleFile[] => {
    const file = files.get(key);
    return file === undefined || content === null ? [] : [{ path: folder + file, content: { media: content.sha256 } }];
  });
}

/** oManual has files without any data about them. */
function reportMedia({ key, body }: MediaItem, report: Report): void {
  if (body.markup !== null) {
    const message = "oManual 1.0 does not have the annotations of an image.";
    report({ code: "image-markup", level: "loss", key, path: "markup", message });
  }
  if (body.sourceImage !== null) {
    const message = "oManual 1.0 does not have the image that another image was made from.";
    report({ code: "source-image", level: "loss", key, path: "sourceImage", message });
  }
}

export interface BundleFile {
  readonly path: string;
  /** Text in UTF-8, or a medium by its sha256. */
  readonly content: string | { readonly media: string };
}
