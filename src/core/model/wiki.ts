import { z } from "zod";
import { commentSchema } from "./guide.js";
import { NAMESPACES } from "./key.js";
import { keySchema, personSchema } from "./shared.js";

/** A page in another language than its own: what a translation has for itself. */
export const wikiTranslationSchema = z.object({
  language: z.string(),
  displayTitle: z.string().nullable(),
  /** Wiki syntax. */
  contents: z.string(),
  description: z.string(),
  pageTitle: z.string().nullable(),
  modifiedDate: z.number().nullable(),
});
export type WikiTranslation = Readonly<z.infer<typeof wikiTranslationSchema>>;

/** A wiki page in one language; a category is one too (namespace CATEGORY) and stands in a tree. */
export const wikiSchema = z.object({
  id: z.number().int().nullable(),
  namespace: z.enum(NAMESPACES),
  language: z.string(),
  /** Together with the namespace, the page's identity. */
  title: z.string(),
  /** Shown in place of the title; null when none. */
  displayTitle: z.string().nullable(),
  /** Wiki syntax: the source of truth (wiki-syntax 4.3). */
  contents: z.string(),
  /** The document tree as it came, for readers elsewhere; an empty tree does not mean an empty page. */
  tree: z.unknown(),
  /** The HTML that the site made of it. */
  html: z.string(),
  description: z.string(),
  image: keySchema.nullable(),
  flags: z.array(z.string()).readonly(),
  documents: z.array(keySchema).readonly(),
  tags: z.array(z.string()).readonly(),
  info: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  /** ITEM pages: the rows as they came (`part_#`, `type`, `supplier`, `url`). */
  suppliers: z.array(z.record(z.string(), z.unknown())).readonly(),
  tableOfContents: z.boolean().nullable(),
  pageTitle: z.string().nullable(),
  /** CATEGORY: the title of the parent; null at the top. */
  parent: z.string().nullable(),
  /** CATEGORY: the place among its siblings, from 0; null when the site gave no order. */
  position: z.number().int().nullable(),
  author: personSchema.nullable(),
  createdDate: z.number().nullable(),
  modifiedDate: z.number().nullable(),
  url: z.string().nullable(),
  /** In the order of their languages; absent: there are none that were to be taken. They have no key of their own: a page is one item. */
  translations: z.array(wikiTranslationSchema).readonly().optional(),
  /** Only on the way to a target that they are posted at: a page's own answer has none. */
  comments: z.array(commentSchema).readonly().optional(),
});
export type Wiki = Readonly<z.infer<typeof wikiSchema>>;

/** The page title, where somebody gave the page one of its own: else it follows from the title. */
export function ownPageTitle(wiki: Wiki): string | null {
  const { pageTitle, title, displayTitle } = wiki;
  return pageTitle === null || ["", title, displayTitle].includes(pageTitle) ? null : pageTitle;
}
