import { z } from "zod";
import type { Transform, TransformSpec } from "../../src/core/contracts.js";
import type { Report } from "../../src/core/model/issue.js";
import type { GuideItem, Item, ItemOf } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { ownPageTitle } from "../../src/core/model/wiki.js";
import { rewriteReferences } from "../references/rewrite-references.js";
import { type Renaming, renamingOf } from "./category/renaming.js";
import { mapTexts } from "./map-texts.js";
import { ownId } from "./own-id.js";
import { withFields } from "./same.js";

/** Characters that no known category title has and that its address could not carry (api-facts 1.1). */
const title = z
  .string("expected the title of a category")
  .trim()
  .min(1, "expected the title of a category")
  .regex(/^[^/?#%&+_\\<]*$/, "expected the title of a category, which holds none of / ? # % & + _ \\ <");

const options = z
  .strictObject({
    from: title.optional(),
    to: title.optional(),
    titles: z.record(title, title, 'expected an object of titles: {"Old": "New"}').optional(),
  })
  .refine(({ from, to, titles }) => (from === undefined) === (to === undefined) && (from ?? titles) !== undefined, {
    error: "expected from and to, or titles: an object from the old title of each to the new one",
  });

/**
 * `rename-category`: a category gets another title at the target. Its key stays what it is at the source, and everything that
 * names it (guides, children, texts) follows by that key; only where two become one are the names changed here.
 */
export const renameCategory: TransformSpec<z.infer<typeof options>> = {
  name: "rename-category",
  about: 'give categories another title at the target: from=Old,to=New, or {"titles": {"Old": "New"}}',
  options,
  create: ({ from, to, titles = {} }, context): Transform => {
    const pair = from === undefined || to === undefined ? [] : [[from, to] as const];
    const renaming = renamingOf(new Map([...pair, ...Object.entries(titles)]), context);
    return (item, report) => {
      if (item.kind === "category") return inCategory(item, renaming, report);
      return [inTexts(item.kind === "guide" ? inGuide(item, renaming, report) : item, renaming)];
    };
  },
};

function inCategory(item: ItemOf<"category">, renaming: Renaming, report: Report): readonly Item[] {
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
  report: Report,
): ItemOf<"category">["body"] {
  const to = renaming.titleOf(body.title);
  if (to === body.title) return body;
  report({ ...RENAMED, key, path: "title", message: `At the target it is titled ${to}.` });
  // What only repeats the old title follows it; a name of its own stays.
  const displayTitle = body.displayTitle === body.title ? to : body.displayTitle;
  const pageTitle = ownPageTitle(body);
  return withFields(body, { title: to, displayTitle, pageTitle });
}

const RENAMED = { code: "category-renamed", level: "note" } as const;
const MERGED = {
  code: "category-merged",
  level: "loss",
  remedy: "Put what its page says into the other one by hand.",
} as const;
const LOOSE = { code: "parent-merged", level: "loss", remedy: "Move it by hand." } as const;

function mergedMessage(own: string, into: string, title: string): string {
  const other = into === title ? title : `${title} (${into} at the source)`;
  return `There is a category ${other} already, so ${own} becomes one with it: guides, children and links go there, and its own page is not carried.`;
}

function looseMessage(own: string, parent: string): string {
  return `Its parent ${parent} becomes one with ${own} itself, so it stands at the top.`;
}

function inGuide(item: GuideItem, renaming: Renaming, report: Report): GuideItem {
  const own = item.body.category;
  const category = own === "" ? "" : renaming.namedAs(own);
  const there = renaming.titleOf(category);
  // The guide names it by its key, so that the item itself does not tell.
  if (there !== own) {
    report({
      ...RENAMED,
      key: item.key,
      path: "category",
      message: `At the target its category is ${there} (${own} at the source).`,
    });
  }
  return withFields(item, { body: withFields(item.body, { category }) });
}

function inTexts<I extends Item>(item: I, { merged, source }: Renaming): I {
  if (merged.size === 0) return item;
  const resolve = (key: Key) => ({ id: merged.get(key) ?? ownId(key) });
  return mapTexts(
    item,
    (text, context) => rewriteReferences(text, { source, target: source, context, resolve }).text,
  ) as I;
}
