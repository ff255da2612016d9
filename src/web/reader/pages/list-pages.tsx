import type { JSX } from "hono/jsx/jsx-runtime";
import { NAMESPACES, wikiOf } from "../../../core/model/key.js";
import { Foreign } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/words.js";
import type { Entry } from "../catalogue.js";
import { fileAnchor, tagPath } from "../page-path.js";
import { EntryCards, picturesOf } from "./entry-lists.js";
import { MediaLink } from "./item-parts.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { homeCrumb, readerPage } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";
import { NAMESPACE_NAMES } from "./wiki-page.js";

/** The guides that no category leads to. */
export async function guidesPage(scope: PageScope): Promise<string> {
  const guides = scope.catalogue.guidesIn(null);
  const media = await findMedia(scope, { pictures: picturesOf(scope, guides) });
  const children = (
    <section>
      <h1>Guides without a category</h1>
      <p class="muted">{countWords(guides.length, "guide")} that no category of this archive leads to.</p>
      <EntryCards scope={scope} entries={guides} media={media} />
    </section>
  );
  return readerPage({ scope, title: "Guides without a category", crumbs: [homeCrumb(scope)], children });
}

/** All pages that are no categories, by namespace. */
export async function pagesPage(scope: PageScope): Promise<string> {
  const pages = scope.catalogue.pages();
  const groups = NAMESPACES.map((namespace) => ({
    namespace,
    entries: pages.filter(({ key }) => wikiOf(key).namespace === namespace),
  })).filter(({ entries }) => entries.length > 0);
  const media = await findMedia(scope, { pictures: groups.flatMap(({ entries }) => picturesOf(scope, entries)) });
  const children = (
    <>
      <h1>Pages</h1>
      {groups.length === 0 && <p class="muted">There are no pages.</p>}
      {groups.map(({ namespace, entries }) => (
        <section aria-labelledby={`in-${namespace}`}>
          <h2 id={`in-${namespace}`}>
            {NAMESPACE_NAMES[namespace].many} <span class="count">{numberWords(entries.length)}</span>
          </h2>
          <EntryCards scope={scope} entries={entries} media={media} compact />
        </section>
      ))}
    </>
  );
  return readerPage({ scope, title: "Pages", crumbs: [homeCrumb(scope)], children });
}

/**
 * Videos and pictures that are listed; guides and pages lead to all of them. Documents may be on
 * none of those, and the search leads here.
 */
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

/** What has a tag; undefined: there is no tag of this address. */
export async function tagPage(scope: PageScope): Promise<string | undefined> {
  const tag = scope.catalogue.tagAt(scope.path);
  if (tag === undefined) return undefined;
  const entries = scope.catalogue.tagged(tag);
  const media = await findMedia(scope, { pictures: picturesOf(scope, entries) });
  const children = (
    <section>
      <p class="kind">Tag</p>
      <h1>
        <Foreign text={tag} />
      </h1>
      <p class="muted">{countWords(entries.length, "item")}</p>
      <EntryCards scope={scope} entries={entries} media={media} />
    </section>
  );
  const crumbs = [homeCrumb(scope), { title: "Tags", href: hrefTo(scope, "tags.html") }];
  return readerPage({ scope, title: tag, crumbs, children });
}

/** All tags, each with the number of its items. */
export async function tagsPage(scope: PageScope): Promise<string> {
  const tags = scope.catalogue.tags();
  const children = (
    <section>
      <h1>Tags</h1>
      <p class="muted">{countWords(tags.length, "tag")}</p>
      <ul class="tags">
        {tags.map(({ tag, count }) => (
          <li>
            <a class="chip" href={hrefTo(scope, tagPath(tag))}>
              <Foreign text={tag} />
              <span class="count">
                {numberWords(count)}
                <span class="unseen"> items</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
  return readerPage({ scope, title: "Tags", crumbs: [homeCrumb(scope)], children });
}
