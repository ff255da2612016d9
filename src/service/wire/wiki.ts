import { NAMESPACES, type Namespace, wikiOf } from "../../core/model/key.js";
import type { MediaUse } from "../../core/model/media.js";
import type { Wiki } from "../../core/model/wiki.js";
import { readDocuments } from "./document.js";
import { readFlags } from "./flags.js";
import { readLanguage } from "./guide.js";
import { readImage } from "./image.js";
import { MediaUses } from "./media-uses.js";
import { readPerson } from "./person.js";
import { answerOf, isObject, type Place, type Reading } from "./place.js";

/** Where a category stands; from the hierarchy. */
export interface WikiExtras {
  readonly parent: string | null;
  readonly position: number | null;
}

export interface WikiRead {
  readonly wiki: Wiki;
  readonly media: readonly MediaUse[];
}

/** A full wiki (api-facts 8.3): the answer of GET, of creates, of edits. Total: any JSON gives a wiki. */
export function readWiki(json: unknown, reading: Reading, extras?: WikiExtras): WikiRead {
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

function readNamespace(place: Place): Namespace | undefined {
  return NAMESPACES.find((namespace) => namespace === place.value);
}

/** Rows that were inherited from a parent category are not this page's own (api-facts 8.3). */
function readInfo(list: Place): Wiki["info"] {
  return list
    .items()
    .filter((row) => !row.at("inheritedFrom").value)
    .map((row) => ({ name: row.at("name").text(), value: row.at("value").text() }));
}

function readSuppliers(list: Place): Wiki["suppliers"] {
  return list.items().flatMap(({ value }) => (isObject(value) ? [value] : []));
}
