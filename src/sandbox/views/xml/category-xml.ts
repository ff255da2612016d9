import { contentType } from "../../bytes/content-type.js";
import { type Answer, numberAt, objectAt, objectsAt, textAt } from "../../state/answer.js";
import { element, words, xmlDocument } from "./xml-element.js";
import { xmlOfHtml } from "./xml-html.js";
import { flagsXml, imageXml, listXml, partXml, referenceXml, titleXml } from "./xml-pieces.js";

/** The JSON answer of a CATEGORY wiki as `type=XML` shows it; its raw text has no place there (omanual 10). */
export function categoryXml(wiki: Answer): string {
  const titles = (field: string, name: string) =>
    objectsAt(wiki, field).map((each) => element(name, {}, words(each["title"])));
  const ancestors = [...titles("ancestors", "ancestor"), element("ancestor", {}, "Root")];
  return xmlDocument("category", { locale: textAt(wiki, "langid") }, [
    infoXml(wiki),
    titleXml(textAt(wiki, "display_title") || textAt(wiki, "title")),
    imageXml("image", objectAt(wiki, "image")),
    element("description", {}, words(wiki["description"])),
    flagsXml(wiki["flags"]),
    solutionsXml(wiki),
    listXml(
      "parts",
      objectsAt(wiki, "parts").map((part) => partXml("part", asPart(part))),
    ),
    listXml(
      "tools",
      objectsAt(wiki, "tools").map((tool) => partXml("tool", asPart(tool))),
    ),
    listXml("ancestors", ancestors),
    listXml("children", titles("children", "child")),
    element("contents", {}, xmlOfHtml(wiki["contents_rendered"])),
    listXml(
      "guides",
      objectsAt(wiki, "guides").map((guide) => referenceXml("guide", guide, "")),
    ),
    listXml("documents", objectsAt(wiki, "documents").map(documentXml)),
  ]);
}

/** Categories name the tools of their guides by other keys than guides do (facts, 8.3). */
function asPart(tool: Answer): Answer {
  return { text: tool["title"], url: tool["target_url"], thumbnail: tool["image_url"], ...tool };
}

const INFOS = ["discontinued", "introduced", "manufacturer"] as const;

/** Empty where nothing is known, which the schema does not like: so real servers have it (omanual 8). */
function infoXml(wiki: Answer): string {
  const rows = objectsAt(wiki, "info").filter((row) => !row["inheritedFrom"]);
  const rowOf = (name: string) => rows.find((row) => textAt(row, "name").toLowerCase() === name) ?? {};
  const known = objectAt(wiki, "category_info");
  const attributes = INFOS.map((name) => [name, textAt(rowOf(name), "value") || textAt(known, name)] as const);
  return element("category_info", Object.fromEntries(attributes), words(wiki["title"]));
}

function solutionsXml(wiki: Answer): string {
  const solutions = objectAt(wiki, "solutions");
  const url = textAt(wiki, "solutions_url", textAt(solutions, "url"));
  return element("solutions", { count: numberAt(solutions, "count") ?? 0, url });
}

/** A category's documents have an id, and nothing beside their place. */
function documentXml(document: Answer): string {
  const type = contentType(textAt(document, "text"));
  return element("document", { id: numberAt(document, "documentid") ?? 0, type }, words(document["download_url"]));
}
