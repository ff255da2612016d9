import type { Answer } from "../state/answer.js";
import type { DocumentRecord } from "../state/media.js";
import type { Site } from "../state/site.js";

/** A document as it stands on a guide or wiki (facts, 3.6). */
export function documentView(site: Site, document: DocumentRecord): Answer {
  return {
    icon: document.extension === "pdf" ? "file-pdf-o" : "file-o",
    ...document.loaded,
    documentid: document.id,
    text: document.filename,
    url: `/Document/${document.guid}/${encodeURIComponent(document.filename)}`,
    download_url: downloadAddress(site, document),
    extension: document.extension,
  };
}

/** The answer of `GET /media/documents/{id}` (facts, 5.1). `size` in bytes. */
export function documentDetail(site: Site, document: DocumentRecord, size: number): Answer {
  const placeholder = `${site.mediaOrigin}/static/document`;
  return {
    title: document.filename,
    thumbnailid: null,
    imageid: null,
    summary: "",
    pages: null,
    standard: `${placeholder}.standard`,
    thumbnail: `${placeholder}.thumbnail`,
    mini: `${placeholder}.mini`,
    ...document.loaded,
    documentid: document.id,
    guid: document.guid,
    filename: document.filename,
    size,
    document_type: document.extension.toUpperCase(),
    document_extension: document.extension,
    document_group: document.extension === "pdf" ? "pdf" : "3d_model",
    edit_url: `/Document/edit/${document.id}`,
    view_url: `/Document/${document.guid}/${encodeURIComponent(document.filename)}`,
    download_url: downloadAddress(site, document),
    date: document.date,
    type: "Document",
  };
}

/** The document objects of ids, those that are gone left out. */
export function documentViews(site: Site, ids: readonly number[]): readonly Answer[] {
  return ids
    .map((id) => site.media.documents.get(id))
    .filter((document) => document !== undefined)
    .map((document) => documentView(site, document));
}

function downloadAddress(site: Site, document: DocumentRecord): string {
  return `${site.mediaOrigin}/media/${document.guid}.${document.extension}`;
}
