import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { HistoryLink } from "./compare-menu.js";
import { homeCrumb } from "./crumbs.js";
import { guideAt } from "./history-page.js";
import { readerPage } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";

/** The page for what is not there. */
export function missingPage(scope: PageScope): string {
  return readerPage({ scope, title: "Not found", crumbs: [homeCrumb(scope)], children: <NotFound scope={scope} /> });
}

function NotFound({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <section class="page-body">
      <h1>Not found</h1>
      <p>
        There is no page{" "}
        <code>
          <Foreign text={scope.path} longest={200} />
        </code>{" "}
        in this archive at this time. It may be there at another time, or under another name: search for it, or begin at
        the <a href={hrefTo(scope, "index.html")}>first page</a>.
      </p>
      {guideAt(scope.path) !== undefined && (
        <p>
          <HistoryLink scope={scope} path={scope.path} words="Look for it at all other times" />
        </p>
      )}
    </section>
  );
}

export interface DamagedProps {
  readonly title: string;
  /** For people. */
  readonly reason: string;
}

/** The page of an item that is there and can't be read. */
export function damagedPage(scope: PageScope, { title, reason }: DamagedProps): string {
  const children = (
    <section class="page-body">
      <h1>
        <Foreign text={title} />
      </h1>
      <p class="note warn">
        This item can't be read: <Foreign text={reason} />
      </p>
    </section>
  );
  return readerPage({ scope, title, crumbs: [homeCrumb(scope)], children });
}
