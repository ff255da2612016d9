import { type Answer, numberAt, objectAt, objectsAt, textAt } from "../../state/answer.js";
import { element, words, xmlDocument } from "./xml-element.js";
import { xmlOfHtml } from "./xml-html.js";
import { mediaXml } from "./xml-media.js";
import { dateXml, flagsXml, imageXml, listXml, partXml, referenceXml, titleXml } from "./xml-pieces.js";

/**
 * A guide's JSON answer as `type=XML` shows it: dumped by its keys into the form of oManual 1.0, known ones as attributes, others
 * as children, and raw texts as attributes beside their HTML (omanual 8). `guide`: without steps of prerequisites, which XML
 * was never seen to have.
 */
export function guideXml(guide: Answer): string {
  const plain = (name: string) => element(name, {}, words(guide[name]));
  const author = objectAt(guide, "author");
  const parts = (name: "part" | "tool") =>
    listXml(
      `${name}s`,
      objectsAt(guide, `${name}s`).map((each) => partXml(name, each)),
    );
  const prerequisites = objectsAt(guide, "prerequisites").map((each) => referenceXml("prerequisite", each, "../"));
  return xmlDocument("guide", { locale: textAt(guide, "locale") }, [
    titleXml(textAt(guide, "title"), { subject: textAt(guide, "subject"), type: textAt(guide, "type") }),
    plain("summary"),
    imageXml("image", objectAt(guide, "image")),
    element("author", { id: numberAt(author, "userid") ?? "" }, words(author["username"])),
    plain("time_required"),
    plain("difficulty"),
    plain("category"),
    textXml(guide, "introduction"),
    parts("tool"),
    parts("part"),
    flagsXml(guide["flags"]),
    listXml("documents", objectsAt(guide, "documents").map(documentXml)),
    listXml("prerequisites", prerequisites),
    listXml("steps", objectsAt(guide, "steps").map(stepXml)),
    textXml(guide, "conclusion"),
    dateXml("modified_date", guide["modified_date"]),
    dateXml("created_date", guide["created_date"]),
  ]);
}

function textXml(guide: Answer, name: "introduction" | "conclusion"): string {
  return element(name, { [`${name}_raw`]: textAt(guide, `${name}_raw`) }, xmlOfHtml(guide[`${name}_rendered`]));
}

function documentXml(document: Answer): string {
  const children = (["download_url", "icon", "extension"] as const)
    .filter((name) => document[name] != null)
    .map((name) => element(name, {}, words(document[name])));
  return element("document", { url: textAt(document, "url") }, words(document["text"]), ...children);
}

/** The schema's most for one container; a longer step has several. */
const LINES = 8;

/** Numbers begin at 0, as in real files (omanual 5). */
function stepXml(step: Answer, number: number): string {
  const lines = objectsAt(step, "lines").map(lineXml);
  const containers = Array.from({ length: Math.max(1, Math.ceil(lines.length / LINES)) }, (_, index) =>
    listXml("lines", lines.slice(index * LINES, (index + 1) * LINES)),
  );
  const title = textAt(step, "title");
  return element("step", { number, title }, ...containers, mediaXml(objectAt(step, "media")));
}

function lineXml(line: Answer): string {
  const attributes = { bullet: textAt(line, "bullet"), level: numberAt(line, "level") ?? 0 };
  return element("line", { ...attributes, text_raw: textAt(line, "text_raw") }, xmlOfHtml(line["text_rendered"]));
}
