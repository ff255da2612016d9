import type { JSX } from "hono/jsx/jsx-runtime";
import { countWords, numberWords } from "../../components/numbers.js";
import type { Entry } from "../catalogue.js";
import { fileAnchor } from "../file-anchor.js";
import { homeCrumb } from "./crumbs.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { MediaLink } from "./media-link.js";
import { readerPage } from "./reader-frame.js";
import type { PageScope } from "./scope.js";

/** Videos and pictures that are listed; guides and pages lead to all of them. Documents may be on none of those, and the search leads here. */
const MOST = 300;
const MOST_DOCUMENTS = 5000;

/** Documents, videos and pictures. */
export async function documentsPage(scope: PageScope): Promise<string> {
  const { catalogue } = scope;
  const lists = GROUPS.map(({ kind, ...words }) => ({ ...words, all: catalogue.media(kind) }));
  const shown = lists.flatMap(({ all, most }) => all.slice(0, most));
  const files = await findMedia(scope, { keys: shown.map(({ key }) => key) });
  const children = (
    <>
      <h1>Files</h1>
      {lists
        .filter(({ all }) => all.length > 0)
        .map(({ title, one, most, all }) => (
          <section aria-labelledby={`all-${one}`}>
            <h2 id={`all-${one}`}>
              {title} <span class="count">{numberWords(all.length)}</span>
            </h2>
            {one === "picture" ? (
              <Gallery entries={all.slice(0, most)} files={files} />
            ) : (
              <Files entries={all.slice(0, most)} files={files} />
            )}
            {all.length > most && (
              <p class="muted">{`${countWords(all.length - most, `more ${one}`)}: on the guides and pages that use them.`}</p>
            )}
          </section>
        ))}
    </>
  );
  return readerPage({ scope, title: "Files", crumbs: [homeCrumb(scope)], children });
}

const GROUPS = [
  { kind: "document", title: "Documents", one: "document", most: MOST_DOCUMENTS },
  { kind: "video", title: "Videos", one: "video", most: MOST },
  { kind: "image", title: "Pictures", one: "picture", most: MOST },
] as const;

interface ListProps {
  readonly entries: readonly Entry[];
  readonly files: MediaFiles;
}

function Files({ entries, files }: ListProps): JSX.Element {
  return (
    <ul class="files">
      {entries.map(({ key, title }) => {
        const file = files.of(key);
        return (
          <li id={fileAnchor(key)}>
            {file === undefined ? (
              <span class="muted">{`${title}: not in this archive`}</span>
            ) : (
              <MediaLink file={file} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Gallery({ entries, files }: ListProps): JSX.Element {
  const pictures = entries.flatMap(({ key }) => files.of(key) ?? []);
  return (
    <ul class="gallery">
      {pictures.map((file) => (
        <li>
          {file.shown === "image" ? (
            <a class="zoom" href={file.href}>
              <img src={file.href} alt={file.title} loading="lazy" decoding="async" />
            </a>
          ) : (
            <MediaLink file={file} />
          )}
        </li>
      ))}
    </ul>
  );
}
