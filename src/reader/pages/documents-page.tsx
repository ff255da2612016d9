import type { JSX } from "hono/jsx/jsx-runtime";
import { countWords, numberWords } from "../../pages/numbers.js";
import type { Entry } from "../catalogue.js";
import { homeCrumb } from "./crumbs.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { MediaLink } from "./media-link.js";
import { readerPage } from "./reader-frame.js";
import type { PageScope } from "./scope.js";

/** Files of a kind that are listed; guides and pages lead to all of them. */
const MOST = 300;

/** Documents, videos and pictures. */
export async function documentsPage(scope: PageScope): Promise<string> {
  const { catalogue } = scope;
  const lists = GROUPS.map(({ kind, ...words }) => ({ ...words, all: catalogue.media(kind) }));
  const shown = lists.flatMap(({ all }) => all.slice(0, MOST));
  const files = await findMedia(scope, { keys: shown.map(({ key }) => key) });
  const children = (
    <>
      <h1>Files</h1>
      {lists
        .filter(({ all }) => all.length > 0)
        .map(({ title, one, all }) => (
          <section aria-labelledby={`all-${one}`}>
            <h2 id={`all-${one}`}>
              {title} <span class="count">{numberWords(all.length)}</span>
            </h2>
            {one === "picture" ? (
              <Gallery entries={all.slice(0, MOST)} files={files} />
            ) : (
              <Files entries={all.slice(0, MOST)} files={files} />
            )}
            {all.length > MOST && (
              <p class="muted">{`${countWords(all.length - MOST, `more ${one}`)}: on the guides and pages that use them.`}</p>
            )}
          </section>
        ))}
    </>
  );
  return readerPage({ scope, title: "Files", crumbs: [homeCrumb(scope)], children });
}

const GROUPS = [
  { kind: "document", title: "Documents", one: "document" },
  { kind: "video", title: "Videos", one: "video" },
  { kind: "image", title: "Pictures", one: "picture" },
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
          <li>
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
