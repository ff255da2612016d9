export const ITEM_KINDS = ["category", "wiki", "guide", "image", "video", "document", "record"] as const;
/** The kinds of items. */
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Everything with an id on a site: the items, and the steps in guides. */
export type Kind = ItemKind | "step";

/**
 * Identity at the source, stable for ever:
 *
 *     guide/123            guide/123@de         the translation of guide 123 into German
 *     step/456             step/456+2           what `--fit split` put into a second step
 *     image/5  video/7  document/9
 *     category/Hand Looms  a category, by its title (titles are the keys: api-facts 8.5)
 *     wiki/ITEM/Shuttle    a wiki of any other namespace, by namespace and title
 *     record/tags          an answer of the service that is kept as it came
 */
export type Key = `${Kind}/${string}`;

/** The six namespaces of the specification; CATEGORY wikis are items of kind `category`. */
export const NAMESPACES = ["CATEGORY", "ITEM", "TEAM", "USER", "INFO", "WIKI"] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** Kinds of items with a file. */
export const MEDIA_KINDS = ["image", "video", "document"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

export function isMediaKind(kind: string): kind is MediaKind {
  return MEDIA_KINDS.some((medium) => medium === kind);
}

export function isMediaKey(key: Key): boolean {
  return isMediaKind(kindOf(key));
}

export function kindOf(key: Key): Kind {
  return key.slice(0, key.indexOf("/")) as Kind;
}

/** The part after the kind: `123`, `123@de`, `ITEM/Shuttle`. */
export function restOf(key: Key): string {
  return key.slice(key.indexOf("/") + 1);
}

/** The CATEGORY namespace has its own kind because categories are loaded first and nested. */
export function wikiKey(namespace: Namespace, title: string): Key {
  return namespace === "CATEGORY" ? `category/${title}` : `wiki/${namespace}/${title}`;
}

/** Namespace and title of a `category/…` or `wiki/…` key. */
export function wikiOf(key: Key): { readonly namespace: Namespace; readonly title: string } {
  const rest = restOf(key);
  if (kindOf(key) === "category") return { namespace: "CATEGORY", title: rest };
  const slash = rest.indexOf("/");
  return { namespace: rest.slice(0, slash) as Namespace, title: rest.slice(slash + 1) };
}

/** The number in a key, without a language or the suffix of a split. */
export function idIn(key: Key): number {
  return Number.parseInt(restOf(key), 10);
}

/** The language of a translation's key, or undefined for the source language. */
export function languageIn(key: Key): string | undefined {
  const at = kindOf(key) === "guide" ? key.indexOf("@") : -1;
  return at < 0 ? undefined : key.slice(at + 1);
}

/** `guide/12` of `guide/12@de`: the guide of a translation. */
export function originalGuide(key: Key): Key {
  return `guide/${idIn(key)}`;
}

/** `step/34+2` of `step/34@de+2`: the step of the guide for a step of a translation. */
export function originalStep(step: Key): Key {
  return step.replace(/@[^+]*/, "") as Key;
}

/** The id at the source, as the ledger writes ids. */
export function ownId(key: Key): string {
  return NUMBERED.test(key) ? String(idIn(key)) : restOf(key);
}

/** `guide/12`, `guide/12@de`, `step/4+2`. */
const NUMBERED = /^(?:guide|step|image|video|document)\/\d+(?:$|[@+])/;

/** The list of all comments of a site. */
export const COMMENTS: Key = "record/comments";
