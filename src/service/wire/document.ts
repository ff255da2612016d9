import type { Key } from "../../core/model/key.js";
import type { Media } from "../../core/model/media.js";
import { readAddress } from "./address.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";

/** The keys of a guide's or wiki's documents (api-facts 3.6), their uses added. */
export function readDocuments(list: Place, uses: MediaUses, path = "documents"): readonly Key[] {
  return list.items().flatMap((place, index) => {
    const key = readDocument(place, uses, `${path}[${index}]`);
    return key === null ? [] : [key];
  });
}

function readDocument(place: Place, uses: MediaUses, path: string): Key | null {
  const document = place.object();
  const id = document?.at("documentid").integer() ?? null;
  if (document === undefined || id === null) {
    place.report("document-without-id", "loss", "is a document without an id; it is left out");
    return null;
  }
  const key: Key = `document/${id}`;
  uses.add({ key, url: addressOf(document), guid: document.at("guid").textOrNull(), fileName: nameOf(document), path });
  return key;
}

/** The answer of `GET media/documents/{id}` (api-facts 5.1); undefined when it names no address. */
export function readDocumentDetail(document: Place): Media | undefined {
  const id = document.at("documentid").integer();
  const url = addressOf(document);
  if (id === null || url === null) return undefined;
  const size = document.at("size").integer() ?? 0;
  return {
    id,
    guid: document.at("guid").textOrNull(),
    fileName: nameOf(document),
    url,
    width: null,
    height: null,
    markup: null,
    sourceImage: null,
    ...(size > 0 ? { toldSize: size } : {}),
    content: null,
  };
}

/** Guides call the name `text`, details `filename`. */
function nameOf(document: Place): string | null {
  return document.at("filename").textOrNull() ?? document.at("text").textOrNull() ?? document.at("title").textOrNull();
}

/** The storage's address before the site's page, which wants a session. */
function addressOf(document: Place): string | null {
  return (
    readAddress(document.at("download_url")) ?? readAddress(document.at("url")) ?? readAddress(document.at("view_url"))
  );
}
