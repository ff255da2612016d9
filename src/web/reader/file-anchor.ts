import type { Key } from "../../core/model/key.js";

/** The page that lists all files, which have none of their own. */
export const FILES_PAGE = "documents.html";

/** The id of a file's row on that page: `document-9`. */
export function fileAnchor(key: Key): string {
  return key.replace(/[^A-Za-z0-9]+/g, "-");
}
