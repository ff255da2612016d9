import type { WikiItem } from "../../../../src/core/model/item.js";
import { idIn } from "../../../../src/core/model/key.js";
import type { Wiki } from "../../../../src/core/model/wiki.js";
import { readProductDate } from "../../items/product-date.js";
import { plainWords } from "../../items/wiki-text.js";
import type { ManualCategory, ManualReference, ManualText } from "../../manual.js";
import { readManual } from "../../read-manual.js";
import type { Tell } from "../finding.js";
import { escapeText } from "../print-element.js";
import { writeProductDate } from "../product-date.js";
import { documentOf } from "../sidecar/read-document.js";
import { attributeText, elementText, siteId, tellOfReferences, tellOfTags } from "./fields.js";
import { documentsOf, flagsOf, imageOf } from "./from-media.js";
import { manualText } from "./from-text.js";
import { NOT_IN_CATEGORIES } from "./not-in-categories.js";
import { tellOfMissingPlaces } from "./not-in-guides.js";
import type { GuideCard, WriteContext, Writing } from "./write-context.js";

/** The document of a category (omanual 10, direction E), which is the index of its guides too. Total. */
export function manualOfCategory(
  { body, media, raw }: Pick<WikiItem, "body" | "media" | "raw">,
  context: WriteContext,
  tell: Tell,
): ManualCategory {
  const writing: Writing = { context, uses: new Map(media.map((use) => [use.key, use])), tell };
  tellOfMissingPlaces(body, NOT_IN_CATEGORIES, tell);
  const place = context.place(body.title);
  const title = elementText(body.title, "title", writing);
  const ancestors = place?.ancestors ?? (body.parent === null ? [] : [body.parent]);
  return {
    ...NOT_WRITTEN,
    ...listsOf(raw),
    locale: body.language,
    title: body.displayTitle === null ? title : elementText(body.displayTitle, "displayTitle", writing) || title,
    name: title,
    ...infosOf(body, writing),
    image: imageOf(body.image, "image", writing),
    description: descriptionOf(body.description, writing),
    flags: flagsOf(body.flags, writing),
    // Nearest first and `Root` behind them, as in real files (omanual 3).
    ancestors: [...ancestors.map((name) => elementText(name, "parent", writing)), "Root"],
    children: place?.children ?? [],
    contents: manualText(body.contents, "page", "contents", writing),
    guides: (place?.guides ?? []).map(fromCard),
    documents: documentsOf(body.documents, writing),
  };
}

const NOT_WRITTEN = {
  kind: "category",
  version: "1.0",
  id: null,
  extra: [],
} as const;

/** Sites take no parts, tools and solutions of a category, so that the model has none: they are those of the document that it was read from. */
function listsOf(raw: WikiItem["raw"]): Pick<ManualCategory, "parts" | "tools" | "solutions"> {
  const document = documentOf({ raw });
  const read = document === undefined ? undefined : readManual(document.xml, { file: document.path });
  if (read?.ok !== true || read.manual.kind !== "category") return { parts: [], tools: [], solutions: null };
  const { parts, tools, solutions } = read.manual;
  return { parts, tools, solutions };
}

const INFOS = [
  { name: "Manufacturer", field: "manufacturer", read: (value: string) => value.trim() || null },
  { name: "Introduced", field: "introduced", read: readable },
  { name: "Discontinued", field: "discontinued", read: readable },
] as const;

/** The date where readers make the same of the number that is written; else null. */
function readable(value: string): string | null {
  const written = writeProductDate(value);
  return written !== null && readProductDate(written) === value ? value : null;
}

/** 1.0 has three of a page's facts, two of them dates as whole numbers; the first of a name counts. */
function infosOf(
  { info }: Wiki,
  writing: Writing,
): Pick<ManualCategory, "manufacturer" | "introduced" | "discontinued"> {
  const found: Record<(typeof INFOS)[number]["field"], string | null> = {
    manufacturer: null,
    introduced: null,
    discontinued: null,
  };
  for (const [index, { name, value }] of info.entries()) {
    const path = `info[${index}]`;
    const slot = INFOS.find((each) => each.name === name);
    const written = slot === undefined || found[slot.field] !== null ? null : slot.read(value);
    if (slot !== undefined && written === value) found[slot.field] = attributeText(value, path, writing);
    else
      writing.tell({
        code: "info",
        level: "loss",
        path,
        message: `oManual 1.0 has no place for "${name}: ${value.slice(0, 60)}".`,
      });
  }
  tellOfOrder(info, found, writing);
  return found;
}

function tellOfOrder(info: Wiki["info"], found: Readonly<Record<string, string | null>>, { tell }: Writing): void {
  const kept = info.filter(({ name }) => INFOS.some((each) => each.name === name && found[each.field] !== null));
  const order = INFOS.filter(({ field }) => found[field] !== null).map(({ name }) => name as string);
  if (kept.map(({ name }) => name).join() === order.join()) return;
  tell({ code: "info-order", level: "note", path: "info", message: "oManual 1.0 has no order of facts." });
}

/** Words alone; the site shows no markup in them (omanual 11). */
function descriptionOf(description: string, writing: Writing): ManualText {
  tellOfReferences(description, "description", writing);
  const html = escapeText(description.trim());
  tellOfTags(description, html, "description", writing);
  if (plainWords(html) !== description) {
    const message = "Blanks and line ends of the description are single blanks to readers.";
    writing.tell({ code: "description-blanks", level: "note", path: "description", message });
  }
  return { html, raw: null };
}

function fromCard({ key, subject, type, title, url, path, image }: GuideCard): ManualReference {
  const shown = image === "" ? null : { path: image, sizes: {}, order: null, id: null, guid: null };
  return { id: siteId(idIn(key)), locale: null, subject, type, title, url, path, image: shown };
}
