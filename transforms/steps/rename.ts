import { z } from "zod";
import type { TransformContext, TransformSpec } from "../../src/core/formats.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import type { Report } from "../../src/core/model/issue.js";
import type { CodeTable } from "../../src/core/model/issue-codes.js";
import { type GuideItem, type Item, type ItemOf, ownPageTitle } from "../../src/core/model/item.js";
import { type Key, wikiKey } from "../../src/core/model/key.js";
import { rewriteFound } from "../references/rewrite-references.js";
import { readerOf } from "../references/text-reader.js";
import { mapTexts, ownId, withFields } from "./map-texts.js";

/** Without characters that an address can't hold (api-facts 1.1). */
const title = z
  .string("expected the title of a category")
  .trim()
  .min(1, "expected the title of a category")
  .regex(/^[^/?#%&+_\\<]*$/, "expected the title of a category without / ? # % & + _ \\ <");

const categoryOptions = z
  .strictObject({
    from: title.optional(),
    to: title.optional(),
    titles: z.record(title, title, 'expected an object of titles: {"Old": "New"}').optional(),
  })
  .refine(({ from, to, titles }) => (from === undefined) === (to === undefined) && (from ?? titles) !== undefined, {
    error: "expected from and to, or titles: an object from the old title of each to the new one",
  });

const CATEGORY_CODES = {
  "category-renamed": ["note", "A category has another title on the target."],
  "category-merged": [
    "loss",
    "Two categories become one. The page of the first one is not loaded.",
    "Copy its content to the other page by hand.",
  ],
  "parent-merged": [
    "loss",
    "The parent of a category becomes the category itself. The category stays at the top.",
    "Move the category by hand.",
  ],
} as const satisfies CodeTable;

type CategoryReport = Report<keyof typeof CATEGORY_CODES>;

/**
 * `rename-category`: changes a category's title on the target. Its key stays, and references
 * follow it; names change here only where two categories merge.
 */
export const renameCategory: TransformSpec<z.infer<typeof categoryOptions>, keyof typeof CATEGORY_CODES> = {
  name: "rename-category",
  about: 'give categories another title on the target: from=Old,to=New, or {"titles": {"Old": "New"}}',
  options: categoryOptions,
  codes: CATEGORY_CODES,
  create: ({ from, to, titles = {} }, context) => {
    const pair = from === undefined || to === undefined ? [] : [[from, to] as const];
    const renaming = renamingOf(new Map([...pair, ...Object.entries(titles)]), context);
    return (item, report) => {
      if (item.kind === "category") return inCategory(item, renaming, report);
      return [inTexts(item.kind === "guide" ? inGuide(item, renaming, report) : item, renaming)];
    };
  },
};

function inCategory(item: ItemOf<"category">, renaming: Renaming, report: CategoryReport): readonly Item[] {
  const { title: own, parent } = item.body;
  const into = renaming.mergedInto(own);
  if (into !== undefined) {
    report({ ...MERGED, key: item.key, path: "", message: mergedMessage(own, into, renaming.titleOf(into)) });
    return [];
  }
  const above = parent === null ? null : renaming.namedAs(parent);
  const isOwn = parent !== null && above === own;
  if (isOwn) report({ ...LOOSE, key: item.key, path: "parent", message: looseMessage(own, parent) });
  const body = withFields(item.body, { parent: isOwn ? null : above });
  return [inTexts(withFields(item, { body: retitled(item.key, body, renaming, report) }), renaming)];
}

function retitled(
  key: Key,
  body: ItemOf<"category">["body"],
  renaming: Renaming,
  report: CategoryReport,
): ItemOf<"category">["body"] {
  const to = renaming.titleOf(body.title);
  if (to === body.title) return body;
  report({ ...RENAMED, key, path: "title", message: `On the target its title is ${to}.` });
  // A display title that repeats the title follows it.
  const displayTitle = body.displayTitle === body.title ? to : body.displayTitle;
  const pageTitle = ownPageTitle(body);
  return withFields(body, { title: to, displayTitle, pageTitle });
}

const RENAMED = { code: "category-renamed", level: "note" } as const;
const MERGED = {
  code: "category-merged",
  level: "loss",
  remedy: "Copy the content of its page to the other page by hand.",
} as const;
const LOOSE = { code: "parent-merged", level: "loss", remedy: "Move it by hand." } as const;

function mergedMessage(own: string, into: string, title: string): string {
  const other = into === title ? title : `${title} (${into} at the source)`;
  return `The category ${other} exists already, so ${own} is merged into it: guides, children and links move there, and its own page is not loaded.`;
}

function looseMessage(own: string, parent: string): string {
  return `Its parent ${parent} is merged into ${own} itself, so it moves to the top.`;
}

function inGuide(item: GuideItem, renaming: Renaming, report: CategoryReport): GuideItem {
  const own = item.body.category;
  const category = own === "" ? "" : renaming.namedAs(own);
  const there = renaming.titleOf(category);
  // The guide refers to it by key, so the item does not change.
  if (there !== own) {
    report({
      ...RENAMED,
      key: item.key,
      path: "category",
      message: `On the target its category is ${there} (${own} at the source).`,
    });
  }
  return withFields(item, { body: withFields(item.body, { category }) });
}

function inTexts<I extends Item>(item: I, { merged, source }: Renaming): I {
  if (merged.size === 0) return item;
  const resolve = (key: Key) => ({ id: merged.get(key) ?? ownId(key) });
  return mapTexts(
    item,
    (text, where) =>
      rewriteFound(text, readerOf(source).references(text, where), { source, target: source, resolve }).text,
  ) as I;
}

interface Renaming {
  readonly source: SiteIdentity;
  /** The title at the target. */
  titleOf(name: string): string;
  /** The category that this one merges into; undefined: none. */
  mergedInto(name: string): string | undefined;
  /** The name in guides and children of this category. */
  namedAs(name: string): string;
  /** Keys of merged categories with the name of the other one. */
  readonly merged: ReadonlyMap<Key, string>;
}

/**
 * Categories with equal new titles merge into the one with that title, else into the first. A
 * renamed category no longer has its title.
 */
function renamingOf(titles: ReadonlyMap<string, string>, { source, titleOf }: TransformContext): Renaming {
  const isThere = (name: string): boolean => titleOf(wikiKey("CATEGORY", name)) !== undefined;
  const owners = ownersOf(titles, isThere);
  const mergedInto = (name: string): string | undefined => {
    const to = titles.get(name);
    const owner = to === undefined ? undefined : owners.get(to);
    return owner === name ? undefined : owner;
  };
  const merged = [...titles.keys()].flatMap((name) => {
    const into = mergedInto(name);
    return into === undefined ? [] : [[wikiKey("CATEGORY", name), into] as const];
  });
  return {
    source,
    titleOf: (name) => titles.get(name) ?? name,
    mergedInto,
    // A category outside of the workspace has no key for references, so its title changes here.
    namedAs: (name) => mergedInto(name) ?? (isThere(name) ? name : (titles.get(name) ?? name)),
    merged: new Map(merged),
  };
}

function ownersOf(
  titles: ReadonlyMap<string, string>,
  isThere: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [name, to] of titles) {
    const holder = isThere(to) && (titles.get(to) ?? to) === to ? to : name;
    if (!owners.has(to) && isThere(holder)) owners.set(to, holder);
  }
  return owners;
}

const type = z.string("expected a type of guides").trim().min(1, "expected a type of guides");

const typeOptions = z
  .strictObject({
    from: type.optional(),
    to: type.optional(),
    types: z.record(type, type, 'expected an object of types: {"repair": "how-to"}').optional(),
  })
  .refine(({ from, to, types }) => (from === undefined) === (to === undefined) && (from ?? types) !== undefined, {
    error: "expected from and to, or types: an object from the old type of each to the new one",
  });

const TYPE_CODES = {
  "type-renamed": ["note", "A guide has another type on the target."],
} as const satisfies CodeTable;

/** `rename-type`: changes the type of guides, since each site defines its own types. */
export const renameType: TransformSpec<z.infer<typeof typeOptions>, keyof typeof TYPE_CODES> = {
  name: "rename-type",
  about: 'give guides another type: from=repair,to=how-to, or {"types": {"repair": "how-to"}}',
  options: typeOptions,
  codes: TYPE_CODES,
  create: ({ from, to, types = {} }) => {
    const pair = from === undefined || to === undefined ? [] : [[from, to] as const];
    const renamed: ReadonlyMap<string, string> = new Map([...pair, ...Object.entries(types)]);
    return (item, report) => {
      const there = item.kind === "guide" ? renamed.get(item.body.type) : undefined;
      if (item.kind !== "guide" || there === undefined || there === item.body.type) return [item];
      const message = `On the target it has the type "${there}" ("${item.body.type}" at the source).`;
      report({ code: "type-renamed", level: "note", key: item.key, path: "type", message });
      return [withFields(item, { body: withFields(item.body, { type: there }) })];
    };
  },
};
