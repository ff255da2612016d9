import type { RenderedPage, RenderPage } from "../render.js";
import { aboutPage } from "./about-page.js";
import { changesPage } from "./changes-page.js";
import { documentsPage } from "./documents-page.js";
import { guidesPage } from "./guides-page.js";
import { historyPage } from "./history-page.js";
import { homePage } from "./home-page.js";
import { itemChangesPage } from "./item-changes-page.js";
import { itemPage } from "./item-page.js";
import { missingPage } from "./missing-page.js";
import { pagesPage } from "./pages-page.js";
import { type PageScope, scopeOf } from "./scope.js";
import { tagPage } from "./tag-page.js";
import { tagsPage } from "./tags-page.js";

/** undefined: it is not there. */
type Render = (scope: PageScope, parts: readonly string[]) => Promise<RenderedPage | string | undefined>;

/** The kinds of pages by their addresses; the first that fits makes it. */
const PAGES: readonly (readonly [RegExp, Render])[] = [
  [/^index\.html$/, homePage],
  [/^(?:guide|category|wiki)\/.+\.html$/, itemPage],
  [/^tags\.html$/, tagsPage],
  [/^tag\/[^/]+\.html$/, tagPage],
  [/^guides\.html$/, guidesPage],
  [/^pages\.html$/, pagesPage],
  [/^documents\.html$/, documentsPage],
  [/^about\.html$/, aboutPage],
  [/^history\/(.+\.html)$/, historyPage],
  [/^changes\/([^/]+)\.html$/, changesPage],
  [/^changes\/([^/]+)\/(.+\.html)$/, itemChangesPage],
];

/** Makes the page of an address; see `RenderPage`. */
export const renderPage: RenderPage = async (context, path) => {
  const scope = scopeOf(context, path);
  for (const [pattern, render] of PAGES) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const page = await render(scope, found.slice(1));
    if (page === undefined) break;
    return typeof page === "string" ? { status: 200, html: page } : page;
  }
  return { status: 404, html: missingPage(scope) };
};
