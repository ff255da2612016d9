import type { Answer } from "./answer.js";

export const NAMESPACES = ["CATEGORY", "ITEM", "TEAM", "USER", "INFO", "WIKI"] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** A wiki in one language. `title` is its place for ever; `displayTitle` only how it is shown. */
export interface WikiRecord {
  readonly wikiid: number;
  readonly namespace: Namespace;
  readonly title: string;
  readonly langid: string;
  readonly revisionid: number;
  readonly sourceRevisionid: number | null;
  readonly contents: string;
  readonly displayTitle: string | null;
  readonly description: string;
  readonly image: number | null;
  readonly flags: readonly string[];
  readonly documents: readonly number[];
  readonly info: readonly Answer[];
  readonly suppliers: readonly Answer[];
  readonly tableOfContents: boolean;
  readonly pageTitle: string;
  /** A CATEGORY of ifixit. */
  readonly repairability: number | null;
  readonly tags: readonly string[];
  readonly author: number;
  readonly dates: { readonly created: number; readonly modified: number };
  readonly loaded: Answer;
}

/** The key of a wiki in the site's table: `WIKI/Some title`, a translation `WIKI/Some title@de`. */
export function wikiKey(namespace: Namespace, title: string, langid?: string): string {
  return langid === undefined ? `${namespace}/${title}` : `${namespace}/${title}@${langid}`;
}
