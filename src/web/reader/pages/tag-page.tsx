import { Foreign } from "../../components/foreign.js";
import { countWords } from "../../components/numbers.js";
import { homeCrumb } from "./crumbs.js";
import { EntryCards, picturesOf } from "./entry-cards.js";
import { findMedia } from "./media-files.js";
import { readerPage } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";

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
