import type { Wiki } from "../../../src/core/model/wiki.js";
import type { ManualCategory } from "../manual.js";
import { categoryName } from "./category-name.js";
import { type Converting, remark } from "./converting.js";
import { parentOf } from "./parent-of.js";
import { pickDocument, pickImage } from "./pick-media.js";
import { readProductDate } from "./product-date.js";
import { flagIds, keysOf } from "./values.js";
import { pageText, plainWords } from "./wiki-text.js";

/** A category of the model. Its guides, solutions and children are what a site finds by itself. Total. */
export function toWiki(manual: ManualCategory, converting: Converting): Wiki {
  const title = categoryName(manual, converting.path);
  reportParts(manual, converting);
  return {
    ...emptyCategory(title, manual.locale || "en"),
    displayTitle: manual.title === null || manual.title === title ? null : manual.title || null,
    contents: pageText(manual.contents, "contents", converting),
    html: manual.contents?.html ?? "",
    description: plainWords(manual.description?.html ?? ""),
    image: manual.image === null ? null : pickImage(manual.image, "image", converting),
    flags: flagIds(manual.flags, converting),
    documents: keysOf(manual.documents, (document, index) => pickDocument(document, `documents[${index}]`, converting)),
    info: INFOS.flatMap(({ name, field, read }) => {
      const value = read(manual[field] ?? "");
      return value === "" ? [] : [{ name, value }];
    }),
    parent: parentOf(manual, converting),
  };
}

const INFOS = [
  { name: "Manufacturer", field: "manufacturer", read: (value: string) => value.trim() },
  { name: "Introduced", field: "introduced", read: readProductDate },
  { name: "Discontinued", field: "discontinued", read: readProductDate },
] as const;

/** A category of which nothing but its place is known. */
export function emptyCategory(title: string, language: string): Wiki {
  return {
    id: null,
    namespace: "CATEGORY",
    language,
    title,
    displayTitle: null,
    contents: "",
    tree: null,
    html: "",
    description: "",
    image: null,
    flags: [],
    documents: [],
    tags: [],
    info: [],
    suppliers: [],
    tableOfContents: null,
    pageTitle: null,
    parent: null,
    position: null,
    author: null,
    createdDate: null,
    modifiedDate: null,
    url: null,
  };
}

/** The service has no field for them on writing (omanual 10). */
function reportParts({ parts, tools, at }: ManualCategory, converting: Converting): void {
  for (const [path, list] of [
    ["parts", parts],
    ["tools", tools],
  ] as const) {
    if (list.length === 0) continue;
    const what = `sites take no ${path} of a category: ${list
      .slice(0, 5)
      .map(({ name }) => name)
      .join(", ")}${list.length > 5 ? " …" : ""}`;
    remark(converting, { code: `category-${path}`, level: "loss", path, what }, at);
  }
}
