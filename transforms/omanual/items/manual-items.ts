import { EXIT, FerryError } from "../../../src/core/errors.js";
import type { Issue } from "../../../src/core/model/issue.js";
import type { GuideItem, MediaItem, MediaUse, WikiItem } from "../../../src/core/model/item.js";
import { idIn, type Key, kindOf, wikiKey, wikiOf } from "../../../src/core/model/key.js";
import { digest } from "../../../src/core/util/json.js";
import { derivedId } from "../addresses.js";
import { type Bundle, bundleOfOne, categoryName } from "../bundle.js";
import type { Manual, ManualCategory } from "../manual.js";
import type { ManualIssue } from "../read/reading.js";
import { readManual } from "../read-manual.js";
import type { Converting, ItemOptions } from "./converting.js";
import { toGuide } from "./to-guide.js";
import { emptyCategory, toWiki } from "./to-wiki.js";

/** A document that was read, and where it stands. */
export interface ReadDocument {
  /** In its package. */
  readonly path: string;
  /** How messages name it. */
  readonly file: string;
  readonly manual: Manual;
  /** The document itself, kept in the item so that nothing is lost. */
  readonly xml: string;
  readonly issues: readonly ManualIssue[];
}

/** The item of a guide or category; undefined for a manifest, which is only an index. */
export function manualItem(
  document: ReadDocument,
  bundle: Bundle,
  options: ItemOptions = {},
): GuideItem | WikiItem | undefined {
  const { manual, path, file, xml } = document;
  const key = keyOf(document, bundle);
  if (key === undefined || manual.kind === "manifest") return undefined;
  const issues: Issue[] = document.issues.map((issue) => ({ ...issue, key }));
  const uses = new Map<Key, MediaUse>();
  const converting: Converting = { ...options, key, path, file, bundle, issues, uses };
  // Bodies first: they fill `issues` and `uses`.
  const common = () => ({
    key,
    revision: digest(xml),
    raw: { path, xml },
    media: [...uses.values()],
    translations: translationsOf(key, bundle),
    issues,
  });
  if (manual.kind === "category") {
    const body = toWiki(manual, converting);
    return { ...common(), kind: "category", body };
  }
  const body = toGuide(manual, converting);
  return { ...common(), kind: "guide", body };
}

/** The key that a document's item has; undefined for a manifest. */
export function keyOf({ manual, path }: Pick<ReadDocument, "manual" | "path">, bundle: Bundle): Key | undefined {
  if (manual.kind === "guide") return bundle.guides.get(path) ?? `guide/${derivedId(path.slice(bundle.top.length))}`;
  return manual.kind === "category" ? categoryKey(manual, path) : undefined;
}

export function categoryKey(manual: Pick<ManualCategory, "name" | "title">, path: string): Key {
  return wikiKey("CATEGORY", categoryName(manual, path));
}

/**
 * An image, video or document that an item needs, without its bytes; undefined for a use without an
 * address.
 */
export function mediaItem(use: MediaUse): MediaItem | undefined {
  const { key, url, guid, fileName } = use;
  if (url === null) return undefined;
  const body = { id: idIn(key), guid, fileName, url, width: null, height: null, markup: null, sourceImage: null };
  const kind = kindOf(key) as MediaItem["kind"];
  return { key, kind, ...BARE, revision: guid ?? url, raw: { use }, body: { ...body, content: null } };
}

/**
 * A category that others name and no document describes: an empty page, so that they have a place.
 */
export function bareCategory(title: string, parent: string | null, language: string, file: string): WikiItem {
  const key = wikiKey("CATEGORY", title);
  const body = { ...emptyCategory(title, language), parent };
  const message = `${file}: no document describes the category ${title}, which others name; an empty page stands for it.`;
  const issues = [{ code: "category-without-document", level: "note", key, path: "", message } as const];
  return { key, kind: "category", ...BARE, revision: digest(body), raw: null, body, issues };
}

const BARE = { media: [], translations: [], issues: [] } as const;

function translationsOf(key: Key, { languages }: Bundle): readonly Key[] {
  const same = kindOf(key) === "guide" ? languages.get(idIn(key)) : undefined;
  return (same ?? []).filter((other) => other !== key);
}

/** A service's answer of `type=XML`. */
export interface ServiceAnswer {
  /**
   * The guide, translation or category that was asked for: what the item is called, whatever the
   * answer calls it.
   */
  readonly key: Key;
  readonly xml: string;
  /** How messages name it. */
  readonly file: string;
  readonly site: NonNullable<ItemOptions["site"]>;
}

/**
 * The answer as an item of the model.
 * @throws FerryError with file, line, column and element for an answer that can't be read, or is
 * about something else
 */
export function readAnswer({ key, xml, file, site }: ServiceAnswer): GuideItem | WikiItem {
  const result = readManual(xml, { file });
  if (!result.ok) throw unreadable(key, result.fault.message);
  const path = "answer.xml";
  const item = manualItem({ ...result, path, file }, bundleOfOne(path, key), { site });
  if (item?.kind !== kindOf(key)) throw unreadable(key, `${file} answers with a ${result.manual.kind}.`);
  const issues = item.issues.map((issue) => ({ ...issue, key }));
  if (item.kind === "guide") return { ...item, key, issues };
  return { ...item, key, issues, body: { ...item.body, title: wikiOf(key).title } };
}

function unreadable(key: Key, what: string): FerryError {
  return new FerryError(
    `The XML of ${key} can't be read. ${what} Run the same command again later, or with --format json, which leaves XML alone.`,
    { exitCode: EXIT.someFailed },
  );
}
