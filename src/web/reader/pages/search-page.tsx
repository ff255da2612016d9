import type { JSX } from "hono/jsx/jsx-runtime";
import { homeCrumb, readerPage, SearchField } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";

/**
 * All results of a search, `search.html?q=WORDS&kind=guide&page=2`, which
 * `src/web/reader/browser/search-page.ts` fills.
 */
export async function searchPage(scope: PageScope): Promise<string> {
  const children = (
    <div class="search-page">
      <h1>Search</h1>
      <WithoutScripts scope={scope} />
      <SearchField scope={scope} large results="page" />
      <nav class="kinds" id="search-kinds" aria-label="Kinds of results" hidden />
      <div id="all-results" data-root={scope.root} hidden />
    </div>
  );
  return readerPage({ scope, title: "Search", crumbs: [homeCrumb(scope)], search: false, children });
}

/** Leads to everything that the search would find. */
export function WithoutScripts({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <noscript>
      <p class="note">
        The search needs scripts, and this browser runs none here. These pages lead to everything:{" "}
        <a href={hrefTo(scope, "index.html")}>categories</a>, <a href={hrefTo(scope, "pages.html")}>pages</a>,{" "}
        <a href={hrefTo(scope, "tags.html")}>tags</a> and <a href={hrefTo(scope, "documents.html")}>files</a>.
      </p>
    </noscript>
  );
}
