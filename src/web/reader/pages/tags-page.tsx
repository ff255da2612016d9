import { Foreign } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/numbers.js";
import { tagPath } from "../page-path.js";
import { homeCrumb } from "./crumbs.js";
import { readerPage } from "./reader-frame.js";
import { hrefTo, type PageScope } from "./scope.js";

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
