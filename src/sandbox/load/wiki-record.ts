import { type Answer, numberAt, objectAt, objectsAt, textAt, textsAt, without } from "../state/answer.js";
import type { Site } from "../state/site.js";
import type { Namespace, WikiRecord } from "../state/wiki.js";
import { flagIds } from "./guide-record.js";

/** Fields that are made anew at each reading. */
const MADE_HERE = ["ancestors", "children", "guides", "parent"];

/** The record of a loaded full wiki. */
export function wikiRecord(site: Site, namespace: Namespace, answer: Answer): WikiRecord {
  const title = textAt(answer, "title");
  const display = textAt(answer, "display_title");
  const modified = numberAt(answer, "modified_date") ?? site.now();
  return {
    wikiid: numberAt(answer, "wikiid") ?? site.next("wiki"),
    namespace,
    title,
    langid: textAt(answer, "langid", site.settings.languages[0]),
    revisionid: numberAt(answer, "revisionid") ?? site.next("revision"),
    sourceRevisionid: numberAt(answer, "source_revisionid") ?? null,
    contents: textAt(answer, "contents_raw"),
    displayTitle: display === "" || display === title ? null : display,
    description: textAt(answer, "description", textAt(answer, "summary")),
    image: numberAt(objectAt(answer, "image"), "id") ?? null,
    flags: flagIds(answer),
    documents: objectsAt(answer, "documents").flatMap((document) => numberAt(document, "documentid") ?? []),
    info: objectsAt(answer, "info"),
    suppliers: objectsAt(answer, "suppliers"),
    tableOfContents: answer["table_of_contents"] === true,
    pageTitle: textAt(answer, "page_title"),
    repairability: numberAt(answer, "repairability_score") ?? null,
    tags: textsAt(answer, "tags"),
    author: numberAt(objectAt(answer, "author"), "userid") ?? numberAt(answer, "author") ?? 0,
    dates: { created: numberAt(answer, "created_date") ?? modified, modified },
    loaded: without(answer, MADE_HERE),
  };
}
