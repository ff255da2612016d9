import { countWords } from "../../components/numbers.js";
import { homeCrumb } from "./crumbs.js";
import { EntryCards, picturesOf } from "./entry-cards.js";
import { findMedia } from "./media-files.js";
import { readerPage } from "./reader-frame.js";
import type { PageScope } from "./scope.js";

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
