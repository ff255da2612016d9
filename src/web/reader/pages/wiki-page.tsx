import type { JSX } from "hono/jsx/jsx-runtime";
import type { WikiItem } from "../../../core/model/item.js";
import type { Wiki } from "../../../core/model/wiki.js";
import { SafeText } from "../../components/safe-html.js";
import type { Entry } from "../catalogue.js";
import { CompareMenu } from "./compare-menu.js";
import { homeCrumb } from "./crumbs.js";
import { DocumentsList } from "./documents-list.js";
import { InfoTable, Suppliers } from "./info-table.js";
import { languageName, languageTag } from "./language.js";
import { AtSite } from "./links.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { NAMESPACE_NAMES } from "./namespaces.js";
import { readerPage } from "./reader-frame.js";
import { Remarks } from "./remarks.js";
import { hrefTo, type PageScope } from "./scope.js";
import { Tags } from "./tags.js";
import { type Texts, textsOf } from "./texts.js";
import { WikiHeader } from "./wiki-header.js";
import { contentsOf, wikiMedia } from "./wiki-texts.js";

/** A page that is no category. */
export async function wikiPage(scope: PageScope, entry: Entry, item: WikiItem): Promise<string> {
  const { body: wiki } = item;
  const files = await findMedia(scope, { keys: [...item.media.map(({ key }) => key), ...wikiMedia(wiki)] });
  const texts = textsOf(scope, { language: wiki.language, media: files, uses: item.media, heading: 2 });
  const kind = NAMESPACE_NAMES[wiki.namespace].one;
  return readerPage({
    scope,
    title: entry.title,
    crumbs: [homeCrumb(scope), { title: "Pages", href: hrefTo(scope, "pages.html") }],
    item: { words: kind, url: wiki.url },
    children: (
      <article>
        <WikiHeader entry={entry} wiki={wiki} files={files} kind={kind} />
        <div class="page-body">
          <WikiContents wiki={wiki} texts={texts} />
          <WikiEnd scope={scope} entry={entry} wiki={wiki} files={files} texts={texts} />
        </div>
      </article>
    ),
  });
}

export interface WikiTextsProps {
  readonly wiki: Wiki;
  readonly texts: Texts;
}

/** What a page says, in its own language and below that in others. */
export function WikiContents({ wiki, texts }: WikiTextsProps): JSX.Element {
  return (
    <>
      <SafeText html={contentsOf(wiki, texts)} lang={languageTag(wiki.language)} />
      {(wiki.translations ?? []).map(({ language, contents }, at) => (
        <details class="translation">
          <summary>{languageName(language)}</summary>
          <SafeText html={texts.page(contents, `translation-${"i".repeat(at + 1)}-`)} lang={languageTag(language)} />
        </details>
      ))}
    </>
  );
}

export interface WikiEndProps extends WikiTextsProps {
  readonly scope: PageScope;
  readonly entry: Entry;
  readonly files: MediaFiles;
}

/** What stands below the contents of pages of all kinds. */
export function WikiEnd({ scope, entry, wiki, files, texts }: WikiEndProps): JSX.Element {
  return (
    <>
      <InfoTable info={wiki.info} texts={texts} />
      <Suppliers scope={scope} suppliers={wiki.suppliers} />
      <DocumentsList documents={wiki.documents} files={files} />
      <Tags scope={scope} tags={entry.more?.tags ?? []} />
      <Remarks comments={wiki.comments ?? []} texts={texts} />
      <footer class="after">
        <AtSite scope={scope} address={wiki.url} />
        <CompareMenu scope={scope} />
      </footer>
    </>
  );
}
