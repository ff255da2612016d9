import { keysOf } from "../../transforms/references/reference.js";
import { references } from "../../transforms/references/references.js";
import type { SiteIdentity } from "../core/contracts.js";
import type { Item, ItemOf, WikiItem } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf } from "../core/model/key.js";
import type { MediaUse } from "../core/model/media.js";

/** A text in wiki syntax, and the field that it stands in. */
interface Text {
  readonly text: string;
  readonly path: string;
  /** A line of a step holds no blocks. */
  readonly where: "line" | "page";
}

type TextsOf<K extends ItemKind> = (item: ItemOf<K>) => readonly Text[];

const TEXTS: { readonly [K in ItemKind]: TextsOf<K> } = {
  guide: ({ body }) => [
    { text: body.introduction, path: "introduction", where: "page" },
    { text: body.conclusion, path: "conclusion", where: "page" },
    ...body.steps.flatMap((step, number) =>
      step.lines.map(({ text }, line): Text => ({ text, path: `steps[${number}].lines[${line}].text`, where: "line" })),
    ),
  ],
  category: textsOfPage,
  wiki: textsOfPage,
  image: () => [],
  video: () => [],
  document: () => [],
  record: () => [],
};

function textsOfPage({ body }: WikiItem): readonly Text[] {
  const own: Text = { text: body.contents, path: "contents", where: "page" };
  const translated = (body.translations ?? []).map(
    ({ language, contents }): Text => ({ text: contents, path: `translations.${language}.contents`, where: "page" }),
  );
  return [own, ...translated];
}

/** What an item's texts refer to, each with the field that it stands in first. */
export function referredTo(item: Item, site: SiteIdentity): ReadonlyMap<Key, string> {
  const textsOf = TEXTS[item.kind] as (item: Item) => readonly Text[];
  const found = new Map<Key, string>();
  for (const { text, path, where } of textsOf(item)) {
    for (const key of references(text, site, where).flatMap(keysOf)) if (!found.has(key)) found.set(key, path);
  }
  return found;
}

const MEDIA_KINDS: readonly string[] = ["image", "video", "document"];

/**
 * The item with the media that only its texts name added to those that its fields show (where they are, the site must say), and
 * which these are.
 */
export function withReferredMedia(
  item: Item,
  site: SiteIdentity,
): { readonly item: Item; readonly referred: ReadonlySet<Key> } {
  const known = new Set(item.media.map(({ key }) => key));
  const added = [...referredTo(item, site)]
    .filter(([key]) => MEDIA_KINDS.includes(kindOf(key)) && !known.has(key))
    .map(([key, path]): MediaUse => ({ key, url: null, guid: null, fileName: null, path }));
  const referred = new Set(added.map(({ key }) => key));
  return { item: added.length === 0 ? item : { ...item, media: [...item.media, ...added] }, referred };
}
