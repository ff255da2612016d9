import { type HtmlReference, htmlReferences } from "../../../../transforms/references/html-references.js";
import { keysOf, type Reference, textOf } from "../../../../transforms/references/reference.js";
import { references } from "../../../../transforms/references/references.js";
import { sameSite } from "../../../../transforms/references/site-addresses.js";
import type { SiteIdentity } from "../../../core/contracts.js";
import type { Guide } from "../../../core/model/guide.js";
import type { Item } from "../../../core/model/item.js";
import { type Key, ROOT_CATEGORY, wikiKey } from "../../../core/model/key.js";
import type { Wiki } from "../../../core/model/wiki.js";

/** A text at the target that refers to things, and its HTML where the site gives it. */
export interface ReferringText {
  readonly path: string;
  readonly where: "line" | "page";
  readonly text: string;
  readonly present: string | undefined;
}

/** What an item at the target refers to: each goal once, with the first place that names it. */
export interface FoundReferences {
  /** By the target's own keys. */
  readonly there: ReadonlyMap<Key, string>;
  /** Of those, what a text names by an address of the target, and not by a title or an id alone. */
  readonly addressed: ReadonlySet<Key>;
  /** By keys at the old site, of addresses that lead there. */
  readonly old: ReadonlyMap<Key, string>;
  /** Pages of the target that no call of its API gives. */
  readonly pages: number;
}

export interface ReferringSites {
  readonly source: SiteIdentity;
  readonly target: SiteIdentity;
}

/** Everything that the fields, texts and HTML of an item at the target refer to. */
export function foundReferences(actual: Item, texts: readonly ReferringText[], sites: ReferringSites): FoundReferences {
  const there = new Map<Key, string>();
  const addressed = new Set<Key>();
  const old = new Map<Key, string>();
  const pages = new Set<string>();
  const note = (keys: Map<Key, string>, key: Key, path: string): void => void (keys.has(key) || keys.set(key, path));
  for (const [path, key] of fieldGoals(actual)) note(there, key, path);
  for (const { path, where, text, present } of texts) {
    for (const found of inBoth(text, present, where, sites.target)) {
      for (const key of keysOf(found.reference)) note(there, key, path);
      if (!found.inHtml && isAbsolute(found.reference) && found.reference.key !== null)
        addressed.add(found.reference.key);
      if (found.reference.key === null) pages.add(found.words);
    }
    if (sameSite(sites.source, sites.target)) continue;
    // A number means another thing at the old site: only an address says that it is meant.
    for (const { reference } of inBoth(text, present, where, sites.source))
      if (isAbsolute(reference)) for (const key of keysOf(reference)) note(old, key, path);
  }
  return { there, addressed, old, pages: pages.size };
}

interface Found {
  readonly reference: Reference;
  /** Its id, title or path. */
  readonly words: string;
  /** The site writes whole addresses there, whatever the text has. */
  readonly inHtml: boolean;
}

function inBoth(
  text: string,
  html: string | undefined,
  where: ReferringText["where"],
  site: SiteIdentity,
): readonly Found[] {
  const shown = html?.includes("<") ? htmlReferences(html, site).filter((found) => !isFile(found)) : [];
  const wordsOf = (value: string, reference: Reference, inHtml: boolean): Found => ({
    reference,
    words: textOf(value, reference.goal),
    inHtml,
  });
  return [
    ...references(text, site, where).map((reference) => wordsOf(text, reference, false)),
    ...shown.map(({ reference, value }) => wordsOf(value, reference, true)),
  ];
}

/** The site says itself where the bytes of what it shows lie. */
function isFile({ name, reference }: HtmlReference): boolean {
  return (name === "src" || name === "poster") && reference.key === null;
}

function isAbsolute({ origin }: Reference): boolean {
  return origin !== null && origin.end > origin.start;
}

function fieldGoals(actual: Item): readonly (readonly [path: string, key: Key])[] {
  if (actual.kind === "guide") return guideGoals(actual.body);
  return actual.kind === "wiki" || actual.kind === "category" ? wikiGoals(actual.body) : [];
}

type Goals = readonly (readonly [string, Key])[];

function guideGoals(guide: Guide): Goals {
  return [
    ...titled("category", guide.category),
    ...one("image", guide.image),
    ...one("introductionVideo", guide.introductionVideo),
    ...one("featuredDocument", guide.featuredDocument),
    ...guide.documents.map((key) => ["documents", key] as const),
    ...guide.prerequisites.map((key) => ["prerequisites", key] as const),
    ...guide.steps.flatMap(({ media }, index) => {
      const keys = media.type === "images" ? media.images : media.type === "video" ? [media.video] : [];
      return keys.map((key) => [`steps[${index}].media`, key] as const);
    }),
  ];
}

function wikiGoals(wiki: Wiki): Goals {
  return [
    ...titled("parent", wiki.namespace === "CATEGORY" ? (wiki.parent ?? "") : ""),
    ...one("image", wiki.image),
    ...wiki.documents.map((key) => ["documents", key] as const),
  ];
}

function titled(path: string, title: string): Goals {
  return title === "" || title === ROOT_CATEGORY ? [] : [[path, wikiKey("CATEGORY", title)]];
}

function one(path: string, key: Key | null): Goals {
  return key === null ? [] : [[path, key]];
}
