import type { ElementContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { type SafeHtml, wordsIn } from "../../../../transforms/html/reader/safe-html.js";
import type { Wiki, WikiItem } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import type { JsonObject } from "../../../core/util/json.js";
import { Table } from "../../components/elements.js";
import { SafeText, UntrustedText } from "../../components/untrusted-text.js";
import { countWords, When } from "../../components/words.js";
import type { Entry } from "../catalogue.js";
import { DocumentsList, type Fact, Facts, Flags, HeroPicture, Remarks, Tags } from "./item-parts.js";
import { EntryListing, firstPictures, type Listing, listingsAt, NAMESPACE_NAMES } from "./listing.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { crumbsOf, homeCrumb, readerPage } from "./reader-frame.js";
import { AnywhereLink, AtSite, hrefTo, type PageScope } from "./scope.js";
import { CompareMenu } from "./snapshot-menu.js";
import { isShownAsHtml, languageAttributes, languageName, languageTag, type Texts, textsOf } from "./texts.js";

export async function wikiPage(scope: PageScope, entry: Entry, item: WikiItem): Promise<string> {
  const { body: wiki } = item;
  const files = await findMedia(scope, { keys: [...item.media.map(({ key }) => key), ...wikiMedia(wiki)] });
  const texts = textsOf(scope, { language: wiki.language, media: files, uses: item.media, heading: 2 });
  const html = contentsOf(wiki, texts);
  const kind = NAMESPACE_NAMES[wiki.namespace].one;
  return readerPage({
    scope,
    title: entry.title,
    crumbs: [homeCrumb(scope), { title: "Pages", href: hrefTo(scope, "pages.html") }],
    item: { words: kind, url: wiki.url },
    children: (
      <article>
        <WikiHeader entry={entry} wiki={wiki} files={files} kind={kind} />
        <WithContents html={html} language={wiki.language}>
          <WikiContents wiki={wiki} html={html} texts={texts} />
          <WikiEnd scope={scope} entry={entry} wiki={wiki} files={files} texts={texts} />
        </WithContents>
      </article>
    ),
  });
}

interface WikiTextsProps {
  readonly wiki: Wiki;
  readonly texts: Texts;
}

/** The text in its own language, then the translations. */
function WikiContents({ wiki, html, texts }: WikiTextsProps & { readonly html: SafeHtml }): JSX.Element {
  return (
    <>
      <SafeText html={html} lang={languageTag(wiki.language)} />
      {(wiki.translations ?? []).map(({ language, contents }, at) => (
        <details class="translation">
          <summary>{languageName(language)}</summary>
          <SafeText html={texts.page(contents, `translation-${"i".repeat(at + 1)}-`)} lang={languageTag(language)} />
        </details>
      ))}
    </>
  );
}

interface WikiEndProps extends WikiTextsProps {
  readonly scope: PageScope;
  readonly entry: Entry;
  readonly files: MediaFiles;
}

function WikiEnd({ scope, entry, wiki, files, texts }: WikiEndProps): JSX.Element {
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

export async function categoryPage(scope: PageScope, entry: Entry, item: WikiItem): Promise<string> {
  const { body: wiki } = item;
  const listings = listingsAt(scope.catalogue, entry.path);
  const files = await findMedia(scope, {
    keys: [...item.media.map(({ key }) => key), ...wikiMedia(wiki)],
    pictures: firstPictures(scope, listings),
  });
  const texts = textsOf(scope, { language: wiki.language, media: files, uses: item.media, heading: 2 });
  const html = contentsOf(wiki, texts);
  const children = (
    <article>
      <WikiHeader entry={entry} wiki={wiki} files={files} kind="Category" />
      <Below scope={scope} listings={listings} files={files} />
      <WithContents html={html} language={wiki.language}>
        <WikiContents wiki={wiki} html={html} texts={texts} />
        <WikiEnd scope={scope} entry={entry} wiki={wiki} files={files} texts={texts} />
      </WithContents>
    </article>
  );
  const printed = { words: "Category", url: wiki.url };
  return readerPage({ scope, title: entry.title, crumbs: crumbsOf(scope, entry), item: printed, children });
}

interface BelowProps {
  readonly scope: PageScope;
  readonly listings: readonly Listing[];
  readonly files: MediaFiles;
}

function Below({ scope, listings, files }: BelowProps): JSX.Element {
  if (listings.length === 0) return <p class="muted empty-list">There are no guides in this category.</p>;
  return (
    <>
      {listings.map((listing) => (
        <section aria-labelledby={listing.id}>
          <h2 id={listing.id}>{listing.words}</h2>
          <EntryListing scope={scope} listing={listing} media={files} />
        </section>
      ))}
    </>
  );
}

interface WikiHeaderProps {
  readonly entry: Entry;
  readonly wiki: Wiki;
  readonly files: MediaFiles;
  /** `Category`, `Item` */
  readonly kind: string;
  readonly children?: Child;
}

function WikiHeader({ entry, wiki, files, kind, children }: WikiHeaderProps): JSX.Element {
  const picture = wiki.image === null ? undefined : files.of(wiki.image);
  const language = languageAttributes(wiki.language);
  return (
    <header class="hero">
      <HeroPicture picture={picture} alt="Main picture of this page" />
      <div class="hero-words">
        <p class="kind">{kind}</p>
        <h1 {...language}>
          <UntrustedText text={entry.title} />
        </h1>
        {wiki.description !== "" && (
          <p class="lead" {...language}>
            <UntrustedText text={wiki.description} />
          </p>
        )}
        {wiki.flags.length > 0 && (
          <p class="chips">
            <Flags flags={wiki.flags} />
          </p>
        )}
        <Facts facts={factsOf(wiki)} />
        {children}
      </div>
    </header>
  );
}

function factsOf({ author, modifiedDate }: Wiki): readonly Fact[] {
  const facts: Fact[] = [];
  if (author !== null) facts.push({ name: "Author", icon: "person", value: <UntrustedText text={author.name} /> });
  if (modifiedDate !== null && modifiedDate !== 0)
    facts.push({ name: "Updated", icon: "calendar", value: <When seconds={modifiedDate} /> });
  return facts;
}

interface InfoTableProps extends Pick<Wiki, "info"> {
  readonly texts: Texts;
}

function InfoTable({ info, texts }: InfoTableProps): JSX.Element | null {
  const filled = info.filter(({ value }) => value !== "");
  if (filled.length === 0) return null;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="info">
        {filled.map(({ name, value }) => (
          <div>
            <dt>
              <UntrustedText text={name} />
            </dt>
            <dd>
              <SafeText html={texts.line(value)} inline />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface SuppliersProps extends Pick<Wiki, "suppliers"> {
  readonly scope: PageScope;
}

/** Where an item can be bought (api-facts 8.3). */
function Suppliers({ scope, suppliers }: SuppliersProps): JSX.Element | null {
  if (suppliers.length === 0) return null;
  const rows = suppliers.map((row) => [
    <AnywhereLink scope={scope} address={textIn(row, "url")}>
      <UntrustedText text={textIn(row, "supplier") || textIn(row, "url") || "Unknown"} />
    </AnywhereLink>,
    <UntrustedText text={textIn(row, "part_#")} />,
    <UntrustedText text={textIn(row, "type")} />,
  ]);
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">Suppliers</h2>
      <Table label="Suppliers" head={["Supplier", "Part number", "Type"]} rows={rows} />
    </section>
  );
}

function textIn(row: JsonObject, name: string): string {
  const value = row[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** See `isShownAsHtml`. */
function contentsOf(wiki: Pick<Wiki, "contents" | "html">, texts: Texts): SafeHtml {
  return isShownAsHtml(wiki) ? texts.html(wiki.html) : texts.page(wiki.contents);
}

function wikiMedia({ image, documents }: Wiki): readonly Key[] {
  return image === null ? documents : [image, ...documents];
}

/**
 * Sections from which a text has a list of them. Wikis of the MediaWiki family use the same number,
 * so writers and readers know it; fewer sections are seen at a glance.
 */
const FEWEST = 4;
/** Longer lists show the highest level only, and hostile texts have thousands of headings. */
const MOST_OF_TWO_LEVELS = 60;
const MOST = 300;
const LONGEST_TITLE = 120;

interface WithContentsProps {
  /** The text whose sections are listed. */
  readonly html: SafeHtml;
  /** Of the text. */
  readonly language: string;
  readonly children: Child;
}

/**
 * A text with the list of its sections: beside it on wide screens, folded above it on small ones.
 * `src/web/reader/browser/sections.ts` marks the section that is being read.
 */
function WithContents({ html, language, children }: WithContentsProps): JSX.Element {
  const sections = listedSections(html);
  if (sections.length < FEWEST) return <div class="page-body">{children}</div>;
  const highest = levelOf(sections);
  return (
    <div class="with-contents">
      <nav class="contents" aria-labelledby="contents">
        <details>
          <summary>
            <span id="contents">Contents</span>
          </summary>
          <ol class="step-list" {...languageAttributes(language)}>
            {sections.slice(0, MOST).map(({ level, id, title }) => (
              <li class={level > highest ? "lower" : undefined}>
                <a href={`#${id}`}>
                  <UntrustedText text={title} longest={LONGEST_TITLE} />
                </a>
              </li>
            ))}
          </ol>
          {sections.length > MOST && (
            <p class="muted">{`And ${countWords(sections.length - MOST, "more section")}.`}</p>
          )}
        </details>
      </nav>
      <div class="page-body">{children}</div>
    </div>
  );
}

interface Section {
  readonly level: number;
  readonly id: string;
  readonly title: string;
}

/** The two highest levels, or one of a text with many sections. */
function listedSections(html: SafeHtml): readonly Section[] {
  const all = sectionsOf(html);
  const highest = levelOf(all);
  const two = all.filter(({ level }) => level <= highest + 1);
  return two.length <= MOST_OF_TWO_LEVELS ? two : two.filter(({ level }) => level === highest);
}

function levelOf(sections: readonly Section[]): number {
  return sections.reduce((highest, { level }) => Math.min(highest, level), 6);
}

/** The sanitiser writes double quotes only, so no attribute can contain this beginning of a tag. */
const HEADING = /<h([1-6])(?: (?:dir|lang)="[^"]*")* id="([^"]*)"[^>]*>(.*?)<\/h\1>/gs;

function sectionsOf(html: SafeHtml): readonly Section[] {
  return [...html.matchAll(HEADING)].flatMap(([, level, id = "", inside = ""]) => {
    const title = wordsIn(contentOf(inside)).replace(/\s+/g, " ").trim();
    return title === "" ? [] : [{ level: Number(level), id: plainId(id), title }];
  });
}

/** The HTML of a heading without the elements that it may hold, as texts. */
function contentOf(html: string): readonly ElementContent[] {
  return fromHtml(html, { fragment: true }).children.filter((node) => node.type !== "doctype");
}

/** Ids hold no blanks; characters that HTML writes as references are read back. */
function plainId(id: string): string {
  const [first] = contentOf(id.replaceAll("<", "&lt;"));
  return first?.type === "text" ? first.value : "";
}
