import type { GuideItem, Item, MediaItem } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import { categoryFolder, guideFolder, mediaName, Names } from "./names.js";

/** What the documents of a bundle must know of each other: some hundred bytes an item. */
export interface BundleSurvey {
  readonly guides: ReadonlyMap<Key, SurveyedGuide>;
  /** By title. */
  readonly categories: ReadonlyMap<string, SurveyedCategory>;
  /** How many items there were. */
  readonly items: number;
}

export interface SurveyedGuide {
  readonly key: Key;
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  readonly url: string;
  readonly category: string;
  /** With a slash at its end. */
  readonly folder: string;
  /** Its main image from the base of the bundle, or its address; empty where it has none. */
  readonly image: string;
}

export interface SurveyedCategory {
  readonly title: string;
  readonly parent: string | null;
  readonly position: number | null;
  /** Empty: the base. Else with a slash at its end. */
  readonly folder: string;
}

/** What the base holds beside folders of guides and categories. */
const BASE_NAMES = ["category.xml", "media", "guideferry", "guideferry.json"];

/** A medium as the workspace has it; undefined: it is not there. */
export type MediaLookup = (key: Key) => Promise<MediaItem | undefined>;

/** The first way through the items. */
export async function surveyBundle(items: AsyncIterable<Item>, media: MediaLookup): Promise<BundleSurvey> {
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
  // The main image is the first one that its folder names, so that no other one can change its name.
  const file = found?.body.content == null ? undefined : `${folder}media/${mediaName(found, new Names())}`;
  const use = item.media.find((each) => each.key === key);
  return { key: item.key, language, title, subject, type, url, category, folder, image: file ?? use?.url ?? "" };
}

/** Its own, else the first one of its steps, as in its document. */
export function mainImage({ body: { image, steps } }: GuideItem): Key | null {
  return image ?? steps.flatMap(({ media }) => (media.type === "images" ? media.images : []))[0] ?? null;
}

/** The one category above all others is that of the bundle; the others have folders, and so has each of several. */
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
