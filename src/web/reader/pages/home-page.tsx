import type { JSX } from "hono/jsx/jsx-runtime";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { Icon } from "../../components/icon.js";
import { countWords, numberWords } from "../../components/numbers.js";
import type { Catalogue, Entry } from "../catalogue.js";
import { remarksOf } from "./about-page.js";
import { categoryNote } from "./category-note.js";
import { CategoryTree } from "./category-tree.js";
import { EntryCards, picturesOf } from "./entry-cards.js";
import { latestGuides } from "./latest-guides.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { readerPage } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";
import { SearchField } from "./search-field.js";

/** Guides that changed last. */
const LATEST = 12;

/** The first page: what is here, and ways to it. */
export async function homePage(scope: PageScope): Promise<string> {
  const latest = latestGuides(scope.catalogue, LATEST);
  const top = scope.catalogue.categoriesIn(null);
  const media = await findMedia(scope, { pictures: [...picturesOf(scope, latest), ...picturesOf(scope, top)] });
  return readerPage({
    scope,
    title: scope.shelf.site.name,
    search: false,
    children: (
      <>
        <Welcome scope={scope} />
        <Categories scope={scope} top={top} media={media} />
        <Latest scope={scope} latest={latest} media={media} />
      </>
    ),
  });
}

function Welcome({ scope }: { readonly scope: PageScope }): JSX.Element {
  const { shelf, catalogue } = scope;
  return (
    <header class="welcome">
      <h1>
        <Foreign text={shelf.site.name} />
      </h1>
      <p class="muted">
        {`${countsWords(catalogue)}, as it was on `}
        <When seconds={shelf.facts.time} exact />
      </p>
      {!shelf.facts.complete && (
        <p class="note">
          Some items could not be read that night. <a href={hrefTo(scope, "about.html")}>About this archive</a>
        </p>
      )}
      {catalogue.damaged.length > 0 && (
        <p class="note warn">
          {`${countWords(catalogue.damaged.length, "item")} of it can't be read, so that lists may lack some. `}
          <a href={hrefTo(scope, "about.html#damage")}>About this archive</a>
        </p>
      )}
      {remarksOf(scope).length > 0 && (
        <p class="note">
          Something is odd about what was opened. <a href={hrefTo(scope, "about.html#remarks")}>About this archive</a>
        </p>
      )}
      <SearchField scope={scope} large />
    </header>
  );
}

/** `64 guides, 92 categories` */
function countsWords({ counts }: Catalogue): string {
  const words = [
    countWords(counts.guide, "guide"),
    countWords(counts.category, "category", "categories"),
    countWords(counts.wiki, "page"),
  ];
  return words.filter((each) => !each.startsWith("0 ")).join(", ") || "Nothing";
}

interface CategoriesProps {
  readonly scope: PageScope;
  readonly top: readonly Entry[];
  readonly media: MediaFiles;
}

function Categories({ scope, top, media }: CategoriesProps): JSX.Element {
  const { catalogue } = scope;
  const [all, loose] = [catalogue.counts.category, catalogue.guidesIn(null).length];
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      {top.length === 0 ? (
        <p class="muted">There are no categories.</p>
      ) : (
        <EntryCards scope={scope} entries={top} media={media} note={(entry) => categoryNote(scope, entry)} compact />
      )}
      {all > top.length && (
        <details class="all-categories">
          <summary>
            <Icon name="list" />
            {`All ${numberWords(all)} categories as a tree`}
          </summary>
          <CategoryTree scope={scope} />
        </details>
      )}
      {loose > 0 && (
        <p>
          <a href={hrefTo(scope, "guides.html")}>{`${countWords(loose, "guide")} without a category`}</a>
        </p>
      )}
    </section>
  );
}

interface LatestProps extends Omit<CategoriesProps, "top"> {
  readonly latest: readonly Entry[];
}

function Latest({ scope, latest, media }: LatestProps): JSX.Element | null {
  if (latest.length === 0) return null;
  return (
    <section aria-labelledby="latest">
      <h2 id="latest">Changed last</h2>
      <EntryCards
        scope={scope}
        entries={latest}
        media={media}
        note={({ modified }) => modified !== null && <When seconds={modified} />}
      />
    </section>
  );
}
