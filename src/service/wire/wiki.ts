import type { MediaUse, Wiki } from "../../core/model/item.js";
import { type Key, NAMESPACES, type Namespace, wikiKey, wikiOf } from "../../core/model/key.js";
import { isObject } from "../../core/util/json.js";
import { readLanguage } from "./guide.js";
import { answerOf, type JsonCursor, type ParseContext } from "./json-cursor.js";
import { MediaUses, readDocuments, readImage, readImageObject } from "./media.js";
import { readPerson } from "./people.js";
import { readFlags, readRevisions } from "./shared-fields.js";

/** The place of a category in the hierarchy. */
export interface WikiExtras {
  readonly parent: string | null;
  readonly position: number | null;
}

interface WikiRead {
  readonly wiki: Wiki;
  readonly media: readonly MediaUse[];
}

/** A full wiki (api-facts 8.3). Any JSON gives a wiki. */
export function readWiki(json: unknown, reading: ParseContext, extras?: WikiExtras): WikiRead {
  const answer = answerOf(json, reading);
  const uses = new MediaUses();
  const asked = wikiOf(reading.key);
  const wiki: Wiki = {
    id: answer.at("wikiid").integer(),
    namespace: readNamespace(answer.at("namespace")) ?? asked.namespace,
    language: readLanguage(answer),
    title: answer.at("title").textOrNull() || asked.title,
    displayTitle: answer.at("display_title").textOrNull() || null,
    contents: answer.at("contents_raw").text(),
    tree: answer.at("contents_json").value ?? null,
    html: answer.at("contents_rendered").text(),
    description: answer.at("description").text(),
    image: readImage(answer.at("image"), uses, "image"),
    flags: readFlags(answer.at("flags")),
    documents: readDocuments(answer.at("documents"), uses),
    tags: answer.at("tags").texts(),
    info: readInfo(answer.at("info")),
    suppliers: readSuppliers(answer.at("suppliers")),
    tableOfContents: answer.at("table_of_contents").flag(),
    pageTitle: answer.at("page_title").textOrNull() || null,
    parent: extras === undefined ? answer.at("parent").textOrNull() || null : extras.parent,
    position: extras?.position ?? null,
    author: readPerson(answer.at("author")),
    createdDate: answer.at("created_date").number(),
    modifiedDate: answer.at("modified_date").number(),
    url: answer.at("url").textOrNull(),
  };
  return { wiki, media: uses.list() };
}

function readNamespace(place: JsonCursor): Namespace | undefined {
  return NAMESPACES.find((namespace) => namespace === place.value);
}

/** Rows inherited from a parent category are not the page's own (api-facts 8.3). */
function readInfo(list: JsonCursor): Wiki["info"] {
  return list
    .items()
    .filter((row) => !row.at("inheritedFrom").value)
    .map((row) => ({ name: row.at("name").text(), value: row.at("value").text() }));
}

function readSuppliers(list: JsonCursor): Wiki["suppliers"] {
  return list.items().flatMap(({ value }) => (isObject(value) ? [value] : []));
}

/** One row of `GET wikis/{namespace}` (api-facts 8.3). */
export interface LightWiki {
  readonly key: Key;
  readonly title: string;
  readonly modified: number | null;
  /** Null where the list has none, as on live sites. */
  readonly revision: string | null;
  readonly shown: readonly (string | number | null)[];
}

/** undefined: the row has no title. */
export function readLightWiki(place: JsonCursor, namespace: Namespace): LightWiki | undefined {
  const row = place.object();
  const title = row?.at("title").textOrNull() ?? null;
  if (row === undefined || title === null || title === "") return undefined;
  return {
    key: wikiKey(namespace, title),
    title,
    modified: row.at("modified_date").number(),
    revision: readRevisions(row).revision,
    shown: [
      row.at("display_title").textOrNull(),
      row.at("summary").textOrNull(),
      row.at("text").textOrNull(),
      readImageObject(row.at("image"))?.id ?? null,
    ],
  };
}

/** `text` and `summary` are cut from the wiki's text; other fields go to `raw`. */
export const ROW_FIELDS_IN_WIKI: ReadonlySet<string> = new Set([
  "dataType",
  "wikiid",
  "namespace",
  "title",
  "display_title",
  "langid",
  "summary",
  "text",
  "url",
  "image",
  "modified_date",
  "revisionid",
]);

/** The categories' places by title, in the order of the answer. */
export type Hierarchy = ReadonlyMap<string, WikiExtras>;

/**
 * `display=hierarchyOrder`: rows of `{title, display_title?, children?}` in order (api-facts 8.1).
 * undefined: a plain list of a server without this display.
 */
export function readOrderedHierarchy(answer: JsonCursor): Hierarchy | undefined {
  if (!Array.isArray(answer.value) || answer.items().some((row) => row.at("wikiid").value !== undefined))
    return undefined;
  const places = new Map<string, WikiExtras>();
  addOrdered(answer.items(), null, places);
  return places;
}

/**
 * `display=hierarchy` (`{hierarchy, display_titles}`) and `GET categories`: objects by title
 * without order (api-facts 8.5).
 */
export function readHierarchy(answer: JsonCursor): Hierarchy {
  const places = new Map<string, WikiExtras>();
  const tree = answer.at("hierarchy");
  addKeyed(tree.value === undefined ? answer : tree, null, places);
  return places;
}

/** Of a category in two places the first counts: it has one parent. */
function addOrdered(rows: readonly JsonCursor[], parent: string | null, places: Map<string, WikiExtras>): void {
  for (const [position, row] of rows.entries()) {
    const title = row.at("title").textOrNull();
    if (title === null || places.has(title)) continue;
    places.set(title, { parent, position });
    addOrdered(row.at("children").items(), title, places);
  }
}

function addKeyed(tree: JsonCursor, parent: string | null, places: Map<string, WikiExtras>): void {
  for (const [title, below] of tree.fields()) {
    if (places.has(title)) continue;
    places.set(title, { parent, position: null });
    if (isObject(below.value)) addKeyed(below, title, places);
  }
}
