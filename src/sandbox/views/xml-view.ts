import type { GuideRecord } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { WikiRecord } from "../state/wiki.js";
import { addressOf } from "./image-view.js";
import { renderText } from "./render-text.js";

/** A guide in the manual-authoring form that `type=XML` resembles; its exact form is not public (facts, 12). */
export function guideXml(site: Site, guide: GuideRecord): string {
  const steps = guide.steps.map((step, index) => {
    const lines = step.lines.map(
      (line) =>
        `<line>${element("text", line.text_raw)}${element("bullet", line.bullet)}${element("level", line.level)}</line>`,
    );
    const images = step.media.type === "image" ? step.media.ids : [];
    const media = images.map((id) => `<image>${element("url", addressOf(site, id, "original") ?? "")}</image>`);
    return `<step number="${index + 1}">${element("title", step.title)}<lines>${lines.join("")}</lines><media>${media.join("")}</media></step>`;
  });
  const fields = [
    element("id", guide.guideid),
    element("title", guide.title),
    element("category", guide.category),
    element("type", guide.type),
    element("subject", guide.subject),
    element("introduction", renderText(guide.introduction)),
    element("difficulty", guide.difficulty ?? ""),
  ];
  return `${HEAD}<guide>${fields.join("")}<steps>${steps.join("")}</steps>${element("conclusion", renderText(guide.conclusion))}</guide>`;
}

/** A CATEGORY wiki as XML. */
export function wikiXml(site: Site, wiki: WikiRecord): string {
  const guides = [...site.guides.values()].filter(
    (guide) => guide.category === wiki.title && guide.public && !guide.deleted,
  );
  const items = guides.map((guide) => `<guide>${element("id", guide.guideid)}${element("title", guide.title)}</guide>`);
  const fields = [
    element("title", wiki.title),
    element("description", wiki.description),
    element("contents", renderText(wiki.contents)),
  ];
  return `${HEAD}<category>${fields.join("")}<guides>${items.join("")}</guides></category>`;
}

/** An error answer to a request that asked for XML (facts, 1.1). */
export function errorXml(message: string): string {
  return `${HEAD}<error>${element("message", message)}</error>`;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

function element(name: string, value: string | number): string {
  const text = String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${text}</${name}>`;
}
