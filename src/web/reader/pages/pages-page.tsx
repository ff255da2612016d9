import { NAMESPACES, wikiOf } from "../../../core/model/key.js";
import { numberWords } from "../../components/numbers.js";
import { homeCrumb } from "./crumbs.js";
import { EntryCards, picturesOf } from "./entry-cards.js";
import { findMedia } from "./media-files.js";
import { NAMESPACE_NAMES } from "./namespaces.js";
import { readerPage } from "./reader-frame.js";
import type { PageScope } from "./scope.js";

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
