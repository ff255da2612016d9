import type { JSX } from "hono/jsx/jsx-runtime";
import type { WikiItem } from "../../../core/model/item.js";
import { wikiOf } from "../../../core/model/key.js";
import { countWords } from "../../components/numbers.js";
import type { Entry } from "../catalogue.js";
import { categoryNote } from "./category-note.js";
import { crumbsOf } from "./crumbs.js";
import { EntryCards, picturesOf } from "./entry-cards.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { readerPage } from "./reader-frame.js";
import type { PageScope } from "./scope.js";
import { textsOf } from "./texts.js";
import { WikiHeader } from "./wiki-header.js";
import { WikiContents, WikiEnd } from "./wiki-page.js";
import { wikiMedia } from "./wiki-texts.js";

/** A category: what it is, what lies below it, and its guides. */
export async function categoryPage(scope: PageScope, entry: Entry, item: WikiItem): Promise<string> {
  const { body: wiki } = item;
  const { title } = wikiOf(entry.key);
  const [below, guides] = [scope.catalogue.categoriesIn(title), scope.catalogue.guidesIn(title)];
  const files = await findMedia(scope, {
    keys: [...item.media.map(({ key }) => key), ...wikiMedia(wiki)],
    pictures: [...picturesOf(scope, below), ...picturesOf(scope, guides)],
  });
  const texts = textsOf(scope, { language: wiki.language, media: files, uses: item.media, heading: 2 });
  const children = (
    <article>
      <WikiHeader entry={entry} wiki={wiki} files={files} kind="Category" />
      <div class="page-body wide-body">
        <Below scope={scope} below={below} guides={guides} files={files} />
        <WikiContents wiki={wiki} texts={texts} />
        <WikiEnd scope={scope} entry={entry} wiki={wiki} files={files} texts={texts} />
      </div>
    </article>
  );
  const printed = { words: "Category", url: wiki.url };
  return readerPage({ scope, title: entry.title, crumbs: crumbsOf(scope, entry), item: printed, children });
}

interface BelowProps {
  readonly scope: PageScope;
  readonly below: readonly Entry[];
  readonly guides: readonly Entry[];
  readonly files: MediaFiles;
}

function Below({ scope, below, guides, files }: BelowProps): JSX.Element {
  return (
    <>
      {below.length > 0 && (
        <section aria-labelledby="categories">
          <h2 id="categories">{countWords(below.length, "category", "categories")}</h2>
          <EntryCards
            scope={scope}
            entries={below}
            media={files}
            note={(entry) => categoryNote(scope, entry)}
            compact
          />
        </section>
      )}
      {guides.length > 0 && (
        <section aria-labelledby="guides">
          <h2 id="guides">{countWords(guides.length, "guide")}</h2>
          <EntryCards scope={scope} entries={guides} media={files} />
        </section>
      )}
      {below.length + guides.length === 0 && <p class="muted">There are no guides in this category.</p>}
    </>
  );
}
