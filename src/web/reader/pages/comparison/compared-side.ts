import type { ComparedText } from "../../../../../transforms/html/reader/compare/reader-comparison.js";
import type { ReaderLinks } from "../../../../../transforms/html/reader/reader-links.js";
import type { Item } from "../../../../core/model/item.js";
import { type Key, kindOf } from "../../../../core/model/key.js";
import type { Shelf } from "../../library.js";
import type { MediaFile } from "../media-files.js";
import { hrefAt, type PageScope } from "../scope.js";
import { createTextBudget } from "../text-budget.js";
import { inLanguage } from "../texts.js";
import { mediaOfTime } from "../time-media.js";

/** An item at one of the two times that are compared. */
export interface ComparedSide {
  readonly name: "old" | "new";
  readonly item: Item;
  /** undefined: its bytes are not in the archive. */
  file(key: Key): MediaFile | undefined;
  /** A text of the item. `anchors`: a name that keeps its headings apart from those of the page's other texts; default: it is one line. */
  text(text: string, anchors?: string, form?: ComparedText["form"]): ComparedText;
}

export interface SideParts {
  readonly shelf: Shelf;
  readonly item: Item;
}

/** Finds what a side shows: its media lie in its own time, and its links lead there. */
export async function comparedSide(
  scope: PageScope,
  name: ComparedSide["name"],
  { shelf, item }: SideParts,
): Promise<ComparedSide> {
  const media = await mediaOfTime(scope, shelf, [...item.media.map(({ key }) => key), ...namedMedia(item.body)]);
  const links = linksOf(scope, { shelf, item }, media);
  const budget = createTextBudget();
  return {
    name,
    item,
    file: (key) => media.get(key),
    text: (whole, anchors, form = "wiki") => {
      const { text, written } = budget.spend(whole);
      return {
        text,
        form: written ? "characters" : form,
        options: anchors === undefined ? { links, inline: true } : { links, anchors: `${name}-${anchors}-` },
        root: hrefAt(scope, shelf.facts.id, ""),
      };
    },
  };
}

function linksOf(scope: PageScope, { shelf, item }: SideParts, media: ReadonlyMap<Key, MediaFile>): ReaderLinks {
  const urls = new Map(item.media.flatMap(({ url, key }) => (url === null ? [] : [[url, key] as const])));
  const language = "language" in item.body ? item.body.language : shelf.site.language;
  const time = shelf.facts.id;
  return {
    site: shelf.site,
    page: (key) => {
      const entry = inLanguage(scope, key, language);
      if (entry === undefined || entry.path === "" || !scope.leadsTo(time, entry.path)) return undefined;
      return { address: hrefAt(scope, time, entry.path), title: entry.title };
    },
    medium: (key) => {
      const file = media.get(key);
      return file && { address: file.href, ...file };
    },
    mediaKey: (address) => urls.get(address),
  };
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

/** The media that fields of an item name, however deep. */
function namedMedia(value: unknown): readonly Key[] {
  if (typeof value === "string")
    return /^\w+\/\d+$/.test(value) && MEDIA.has(kindOf(value as Key)) ? [value as Key] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (UNREAD.has(name) ? [] : namedMedia(each)));
}

/** Fields of pages that hold what came as it came. */
const UNREAD: ReadonlySet<string> = new Set(["tree", "html", "contents"]);
