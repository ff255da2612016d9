import type { Key } from "../../../../src/core/model/key.js";
import type { CategoryPlace, GuideCard, WriteContext } from "../items/write-context.js";
import type { BundleSurvey, SurveyedCategory, SurveyedGuide } from "./survey.js";

/** What the document in `folder` says of other things of the bundle. */
export function documentContext(
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

/** What stands in each category, by its title. */
export interface BundleIndex {
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly guides: ReadonlyMap<string, readonly SurveyedGuide[]>;
}

export function indexBundle({ categories, guides }: BundleSurvey): BundleIndex {
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

/** Nearest first; a category above itself ends the way up. */
function ancestorsOf(category: SurveyedCategory, { categories }: BundleSurvey): readonly string[] {
  const found = new Set<string>();
  let { parent } = category;
  while (parent !== null && parent !== category.title && !found.has(parent)) {
    found.add(parent);
    parent = categories.get(parent)?.parent ?? null;
  }
  return [...found];
}

/** Documents stand in the base or in a folder of it. */
function relative(path: string, folder: string): string {
  if (path === "" || folder === "") return path;
  return path.startsWith(folder) ? path.slice(folder.length) : `../${path}`;
}
