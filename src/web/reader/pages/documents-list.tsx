import type { JSX } from "hono/jsx/jsx-runtime";
import { idIn, type Key } from "../../../core/model/key.js";
import type { MediaFiles } from "./media-files.js";
import { MediaLink } from "./media-link.js";

export interface DocumentsListProps {
  readonly documents: readonly Key[];
  readonly files: MediaFiles;
}

/** The documents that belong to an item. */
export function DocumentsList({ documents, files }: DocumentsListProps): JSX.Element | null {
  if (documents.length === 0) return null;
  return (
    <section aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      <ul class="files">
        {documents.map((key) => {
          const file = files.of(key);
          return (
            <li>
              {file === undefined ? (
                <span class="muted">{`Document ${idIn(key)} is not in this archive.`}</span>
              ) : (
                <MediaLink file={file} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
