import type { Namespace } from "../../src/core/model/key.js";

/** The headings under which a page has what is no step; whatever the guide's language, so that they are known again. */
export const HEADINGS = {
  introduction: "Introduction",
  prerequisites: "Before you begin",
  tools: "Tools",
  parts: "Parts",
  conclusion: "Conclusion",
  documents: "Documents",
} as const;

/** What stands before the colon of a fact about a guide, in the order of the page. */
export const GUIDE_LABELS = {
  category: "Category",
  type: "Type",
  subject: "Subject",
  difficulty: "Difficulty",
  time: "Time",
  author: "Author",
  created: "Created",
  modified: "Changed",
  flag: "Flag",
  tag: "Tag",
  public: "Public",
  language: "Language",
} as const;

/** The same of a category or wiki. The first one tells pages from guides. */
export const WIKI_LABELS = {
  namespace: "Namespace",
  title: "Name",
  parent: "Part of",
  flag: "Flag",
  tag: "Tag",
  language: "Language",
} as const;

/** The same of a part or tool. */
export const PART_LABELS = {
  type: "Type",
  notes: "Notes",
  url: "Address",
  optional: "Optional",
  featured: "Featured",
} as const;

/** The title of what has none: a page begins with one. */
export const UNTITLED = "Untitled";

export const YES = "yes";
export const NO = "no";

/** The language that nobody need name; importers take it too (omanual 5). */
export const USUAL_LANGUAGE = "en";

/** The namespace of categories, as their pages say it. */
export const CATEGORY: Namespace = "CATEGORY";

/** What a link to an image is called in wiki text where the image has no name. */
export const WORD_FOR_IMAGES = "image";

/** A fact in words. */
export function fact(label: string, value: string): string {
  return `${label}: ${value}`;
}

/** What a step's heading says before its title. */
export function stepName(number: number): string {
  return `Step ${number}`;
}
