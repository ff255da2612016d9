import { UsageError } from "../../../src/core/errors.js";
import type { GuideItem, WikiItem } from "../../../src/core/model/item.js";
import { type Key, wikiKey } from "../../../src/core/model/key.js";
import { digest } from "../../../src/core/util/digest.js";
import type { ConvertIssue } from "../../convert/setting.js";
import { CATEGORY } from "../labels.js";
import { outlineOf } from "./outline.js";
import { PageReading } from "./page-reading.js";
import type { PageSource } from "./page-source.js";
import { toGuide } from "./to-guide.js";
import { namespaceOf, wikiPageOf } from "./to-wiki.js";

export interface ReadPageOptions {
  /** How messages name it. */
  readonly name: string;
  /** The key that a guide of this page has: pages don't say it. */
  readonly guideKey: Key;
  /** What it is. Default: what the page says, else a guide. */
  readonly as?: "guide" | "category" | undefined;
  /** The page itself, kept in the item so that nothing is lost. */
  readonly text: string;
}

export interface ReadPage {
  readonly item: GuideItem | WikiItem;
  readonly issues: readonly ConvertIssue[];
}

/**
 * The guide, category or wiki of a page: one that this project wrote comes back as it was but for what is told then, of any other
 * nothing gets lost without an issue. Throws UsageError for a page without a heading.
 */
export function readPage(source: PageSource, options: ReadPageOptions): ReadPage {
  const { item } = readItem(source, options);
  // A heading of the page is no heading of a text; those of texts are told when they are written.
  return { item, issues: source.issues.filter(({ code }) => code !== "top-heading") };
}

function readItem({ pieces, images }: PageSource, options: ReadPageOptions): Pick<ReadPage, "item"> {
  const namespace = options.as === "guide" ? undefined : (namespaceOf(pieces) ?? (options.as && CATEGORY));
  const { text } = options;
  const common = (reading: PageReading) => ({
    revision: digest(text),
    raw: { page: text },
    media: reading.media,
    translations: [],
    issues: [],
  });
  if (namespace === undefined) {
    const outline = outlineOf(pieces) ?? refuse(options.name);
    const reading = new PageReading(options.guideKey, images);
    const body = toGuide(outline, reading);
    return { item: { key: options.guideKey, kind: "guide", body, ...common(reading) } };
  }
  const page = wikiPageOf(pieces) ?? refuse(options.name);
  const key = wikiKey(namespace, page.title);
  const reading = new PageReading(key, images);
  const body = { ...page.body(reading), namespace };
  const kind = namespace === CATEGORY ? "category" : "wiki";
  return { item: { key, kind, body, ...common(reading) } };
}

function refuse(name: string): never {
  throw new UsageError(
    `${name} has no heading, and the first heading is what a guide is called. Begin it with one, as "# Oil the wheel" in Markdown.`,
  );
}
