import type { ManualDocument, ManualFlag, ManualPart, ManualReference } from "../manual.js";
import type { Tell } from "./finding.js";
import { branch, leaf, type WrittenElement } from "./print-element.js";
import { address, dateTime, integer } from "./values.js";
import { writeImage } from "./write-media.js";

/** The value as an address; one that can't be written, or not as it stands, is told of. */
function addressOrTell(value: string | null, path: string, tell: Tell): string | null {
  const written = address(value);
  if (written === value || value === null) return written;
  const shown = value.slice(0, 100);
  if (written !== null) {
    const message = `The address "${shown}" has characters that no address may have; they are escaped.`;
    tell({ code: "address-escaped", level: "note", path, message });
  } else if (value.trim() !== "") {
    const message = `"${shown}" is no address that the schema takes; it is left out.`;
    tell({ code: "not-an-address", level: "loss", path, message });
  }
  return written;
}

function partAttributes(part: ManualPart, path: string, tell: Tell) {
  return {
    name: part.name,
    quantity: part.quantity || null,
    sku: part.sku || null,
    thumbnail: addressOrTell(part.thumbnail, `${path}.thumbnail`, tell),
    notes: part.notes || null,
    type: part.type || null,
    url: addressOrTell(part.url, `${path}.url`, tell),
  };
}

/** A tool or part of a guide. Parts must say how many, and a missing number means one (documentation). */
export function writeGuidePart(name: "tool" | "part", part: ManualPart, path: string, tell: Tell): WrittenElement {
  const attributes = partAttributes(part, path, tell);
  const quantity = name === "part" ? (attributes.quantity ?? "1") : attributes.quantity;
  const sources = part.externalSources.map(({ id, url, notes }, index) =>
    branch("external_source", [], {
      id: id || null,
      url: addressOrTell(url, `${path}.externalSources[${index}].url`, tell),
      notes: notes || null,
    }),
  );
  const content = sources.length === 0 ? [] : [branch("external_sources", sources)];
  return branch(name, content, { ...attributes, quantity });
}

/** A tool or part of a category, where the schema has no sources. */
export function writeCategoryPart(name: "tool" | "part", part: ManualPart, path: string, tell: Tell): WrittenElement {
  if (part.externalSources.length > 0) {
    const message = "A category's parts have no external sources in oManual 1.0; they are left out.";
    tell({ code: "external-sources", level: "loss", path, message });
  }
  return branch(name, [], partAttributes(part, path, tell));
}

/** The title is required; the id stands for one that is not known. */
export function writeFlag({ id, title, image, text }: ManualFlag, path: string, tell: Tell): WrittenElement {
  return leaf("flag", text, {
    id: id || null,
    title: title ?? id ?? "",
    image: addressOrTell(image, `${path}.image`, tell),
  });
}

/** The words are the path, as in real files; the documentation has it in `url` (omanual 2). */
export function writeGuideDocument(document: ManualDocument, path: string, tell: Tell): WrittenElement {
  const { text, downloadUrl, url } = document;
  return leaf("document", text || (downloadUrl ?? url ?? ""), { url: addressOrTell(url, `${path}.url`, tell) });
}

export function writeCategoryDocument({ text, downloadUrl, url, id, type, date }: ManualDocument): WrittenElement {
  return leaf("document", text || (downloadUrl ?? url ?? ""), {
    id: integer(id),
    type: type || null,
    date: dateTime(date),
  });
}

/** The id is required; 0 stands for one that is none of a site. What is known of the other guide is written whole or not at all. */
export function writePrerequisite(reference: ManualReference, path: string, tell: Tell): WrittenElement {
  const { id, locale, subject, type, title, url, path: file, image } = reference;
  const isKnown = [title, url, file, image].some((value) => value !== null);
  return branch("prerequisite", isKnown ? referenceContent(reference, path, tell) : [], {
    id: idOrTell(id, path, tell),
    locale: locale ?? "",
    subject: subject ?? "",
    type: type ?? "",
  });
}

/** A row of a category's guides. */
export function writeGuideRow(reference: ManualReference, path: string, tell: Tell): WrittenElement {
  const { id, subject, type } = reference;
  return branch("guide", referenceContent(reference, path, tell), {
    id: idOrTell(id, path, tell),
    subject: subject ?? "",
    type: type ?? "",
  });
}

function idOrTell(id: string | null, path: string, tell: Tell): string {
  const written = integer(id);
  if (written === null && id !== null && id !== "") {
    const message = `The id "${id.slice(0, 40)}" is no number, which the schema wants; 0 stands for it.`;
    tell({ code: "not-a-number", level: "loss", path, message });
  }
  return written ?? "0";
}

function referenceContent({ title, url, path: file, image }: ManualReference, path: string, tell: Tell) {
  return [
    leaf("title", title ?? ""),
    leaf("url", addressOrTell(url, `${path}.url`, tell) ?? ""),
    leaf("path", file ?? ""),
    writeImage(image),
  ];
}
