import type { JSX } from "hono/jsx/jsx-runtime";
import type { Guide, GuideItem, Part } from "../../../core/model/item.js";
import { idIn, type Key } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon, Table } from "../../components/elements.js";
import { SafeText, UntrustedText } from "../../components/untrusted-text.js";
import { When } from "../../components/words.js";
import type { Entry } from "../catalogue.js";
import { EntryCards, picturesOf } from "./entry-lists.js";
import { DocumentsList, type Fact, Facts, Flags, HeroPicture, Remarks, Tags } from "./item-parts.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { crumbsOf, readerPage } from "./reader-frame.js";
import { AnywhereLink, AtSite, hrefOf, type PageScope } from "./scope.js";
import { CompareMenu } from "./snapshot-menu.js";
import { Film, StepCard, StepList } from "./steps.js";
import { inLanguage, languageAttributes, languageName, languageTag, type Texts, textsOf } from "./texts.js";

export async function guidePage(scope: PageScope, entry: Entry, item: GuideItem): Promise<string> {
  const { body: guide } = item;
  const before = prerequisiteEntries(scope, guide.prerequisites, guide.language);
  const files = await findMedia(scope, {
    keys: [...item.media.map(({ key }) => key), ...ownMedia(guide)],
    pictures: picturesOf(scope, before),
  });
  const texts = textsOf(scope, { language: guide.language, media: files, uses: item.media });
  return readerPage({
    scope,
    title: entry.title,
    crumbs: crumbsOf(scope, entry),
    item: { words: `Guide ${idIn(entry.key)}`, url: guide.url },
    children: <GuideBody scope={scope} entry={entry} guide={guide} files={files} texts={texts} />,
  });
}

interface GuideBodyProps {
  readonly scope: PageScope;
  readonly entry: Entry;
  readonly guide: Guide;
  readonly files: MediaFiles;
  readonly texts: Texts;
}

function GuideBody({ scope, entry, guide, files, texts }: GuideBodyProps): JSX.Element {
  return (
    <article class="guide" data-pictures={scope.mode === "server" ? "near" : undefined}>
      <GuideHeader scope={scope} entry={entry} guide={guide} files={files} />
      <div class="with-aside">
        <StepList steps={guide.steps} />
        <div class="guide-body">
          <Introduction guide={guide} files={files} texts={texts} />
          <div class="needs" {...languageAttributes(guide.language)}>
            <PartsTable scope={scope} title="Parts" parts={guide.parts} texts={texts} />
            <PartsTable scope={scope} title="Tools" parts={guide.tools} texts={texts} />
          </div>
          <Prerequisites scope={scope} prerequisites={guide.prerequisites} language={guide.language} media={files} />
          <Steps guide={guide} files={files} texts={texts} />
          <Conclusion guide={guide} texts={texts} />
          <DocumentsList documents={documentsOf(guide)} files={files} />
          <Tags scope={scope} tags={entry.more?.tags ?? []} />
          <Remarks comments={guide.comments} texts={texts} />
          <footer class="after">
            <AtSite scope={scope} address={guide.url} />
            <CompareMenu scope={scope} />
          </footer>
        </div>
      </div>
    </article>
  );
}

type PartProps = Pick<GuideBodyProps, "guide" | "files" | "texts">;

function Introduction({ guide, files, texts }: PartProps): JSX.Element | null {
  const html = texts.page(guide.introduction);
  if (html === "" && guide.introductionVideo === null) return null;
  return (
    <section aria-labelledby="introduction">
      <h2 id="introduction">Introduction</h2>
      {guide.introductionVideo !== null && <Film media={guide.introductionVideo} files={files} />}
      <SafeText html={html} lang={languageTag(guide.language)} />
    </section>
  );
}

function Steps({ guide, files, texts }: PartProps): JSX.Element {
  return (
    <section class="steps" aria-labelledby="steps" {...languageAttributes(guide.language)}>
      <h2 id="steps" lang="en" dir="ltr">
        Steps
      </h2>
      {guide.steps.length === 0 && (
        <p class="muted" lang="en" dir="ltr">
          This guide has no steps.
        </p>
      )}
      {guide.steps.map((step, at) => (
        <StepCard step={step} number={at + 1} texts={texts} files={files} />
      ))}
    </section>
  );
}

function Conclusion({ guide, texts }: Omit<PartProps, "files">): JSX.Element | null {
  const html = texts.page(guide.conclusion, "conclusion-");
  if (html === "") return null;
  return (
    <section aria-labelledby="conclusion">
      <h2 id="conclusion">Conclusion</h2>
      <SafeText html={html} lang={languageTag(guide.language)} />
    </section>
  );
}

function documentsOf({ documents, featuredDocument }: Guide): readonly Key[] {
  return featuredDocument === null ? documents : [...new Set([featuredDocument, ...documents])];
}

function ownMedia(guide: Guide): readonly Key[] {
  const single = [guide.image, guide.introductionVideo].filter((key) => key !== null);
  const inSteps = guide.steps.flatMap(({ media }) =>
    media.type === "images" ? media.images : media.type === "video" ? [media.video] : [],
  );
  return [...single, ...documentsOf(guide), ...inSteps];
}

interface GuideHeaderProps {
  readonly scope: PageScope;
  readonly entry: Entry;
  readonly guide: Guide;
  readonly files: MediaFiles;
}

function GuideHeader({ scope, entry, guide, files }: GuideHeaderProps): JSX.Element {
  const picture = guide.image === null ? undefined : files.of(guide.image);
  return (
    <header class="hero">
      <HeroPicture picture={picture} alt="Main picture of this guide" />
      <div class="hero-words">
        {guide.type !== "" && (
          <p class="kind">
            <UntrustedText text={guide.type} />
          </p>
        )}
        <h1 {...languageAttributes(guide.language)}>
          <UntrustedText text={entry.title} />
        </h1>
        {guide.summary !== "" && (
          <p class="lead" {...languageAttributes(guide.language)}>
            <UntrustedText text={guide.summary} />
          </p>
        )}
        <p class="chips">
          {!guide.public && (
            <span class="chip">
              <Icon name="lock" /> Private
            </span>
          )}
          {guide.archived && <span class="chip">Archived</span>}
          <Flags flags={guide.flags} />
        </p>
        <Facts facts={factsOf(guide)} />
        <Languages scope={scope} entry={entry} />
        {/* Shown by the script that it needs: by the browser's menu pictures may be missing. */}
        <button type="button" class="print" hidden>
          <Icon name="print" /> Print
        </button>
      </div>
    </header>
  );
}

function factsOf(guide: Guide): readonly Fact[] {
  const { difficulty, steps, author, modifiedDate } = guide;
  const time = timeWords(guide.timeRequired);
  const facts: (Fact | undefined)[] = [
    difficulty === null || difficulty === ""
      ? undefined
      : { name: "Difficulty", icon: "info", value: <Difficulty label={difficulty} /> },
    time === "" ? undefined : { name: "Time", icon: "clock", value: time },
    { name: "Steps", icon: "list", value: withCommas(steps.length) },
    author === null ? undefined : { name: "Author", icon: "person", value: <UntrustedText text={author.name} /> },
    modifiedDate === null || modifiedDate === 0
      ? undefined
      : { name: "Updated", icon: "calendar", value: <When seconds={modifiedDate} /> },
  ];
  return facts.filter((fact) => fact !== undefined);
}

function Languages({ scope, entry }: Pick<GuideHeaderProps, "scope" | "entry">): JSX.Element | null {
  const all = scope.catalogue.languagesOf(entry.key);
  if (all.length < 2) return null;
  return (
    <nav class="languages" aria-label="Languages of this guide">
      <Icon name="world" />
      {all.map((each) => {
        const language = each.more?.language ?? "";
        const tag = languageTag(language);
        return (
          <a
            href={hrefOf(scope, each)}
            hreflang={tag}
            lang={tag}
            aria-current={each.key === entry.key ? "page" : undefined}
          >
            {language === "" ? <UntrustedText text={each.title} /> : languageName(language)}
          </a>
        );
      })}
    </nav>
  );
}

/** The service's words, easiest first (api-facts 3.8). */
const LEVELS: readonly string[] = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"];

/** Bars show where the label is one of the service's five. */
function Difficulty({ label }: { readonly label: string }): JSX.Element {
  const level = LEVELS.indexOf(label) + 1;
  return (
    <span class="difficulty">
      <UntrustedText text={label} />
      {level > 0 && (
        <svg
          class={`bars level-${level}`}
          viewBox="0 0 38 16"
          width="38"
          height="16"
          aria-hidden="true"
          focusable="false"
        >
          {LEVELS.map((_, at) => (
            <rect
              class={at < level ? "on" : "off"}
              x={at * 8}
              y={12 - at * 2.5}
              width="5"
              height={4 + at * 2.5}
              rx="1.5"
            />
          ))}
        </svg>
      )}
    </span>
  );
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
/** The largest units are enough. */
const MOST_UNITS = 2;

interface Amount {
  readonly count: number;
  readonly unit: string;
}

/** `2 – 3 hours`, `30 minutes – 1 hour` for seconds; empty: no time is given. */
export function timeWords({ min, max }: { readonly min: number; readonly max: number }): string {
  const [from, to] = [amountsOf(min), amountsOf(max)];
  const [first, last] = [wordsOf(from), wordsOf(to)];
  if (first === "" || first === last) return last;
  if (last === "") return `at least ${first}`;
  const isOfOneUnit = from.length === 1 && to.length === 1 && from[0]?.unit === to[0]?.unit;
  return isOfOneUnit ? `${numberOf(from[0]?.count ?? 0)} – ${last}` : `${first} – ${last}`;
}

function amountsOf(seconds: number): readonly Amount[] {
  let left = Math.round(seconds / 60) * 60;
  const amounts: Amount[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) amounts.push({ count, unit });
  }
  return amounts.slice(0, MOST_UNITS);
}

function wordsOf(amounts: readonly Amount[]): string {
  return amounts.map(({ count, unit }) => `${numberOf(count)} ${unit}${count === 1 ? "" : "s"}`).join(" ");
}

function numberOf(count: number): string {
  return withCommas(count);
}

interface PrerequisitesProps {
  readonly scope: PageScope;
  readonly prerequisites: readonly Key[];
  readonly language: string;
  readonly media: MediaFiles;
}

function Prerequisites({ scope, prerequisites, language, media }: PrerequisitesProps): JSX.Element | null {
  if (prerequisites.length === 0) return null;
  const absent = prerequisites.filter((key) => inLanguage(scope, key, language) === undefined);
  return (
    <section aria-labelledby="prerequisites">
      <h2 id="prerequisites">Prerequisites</h2>
      <EntryCards scope={scope} entries={prerequisiteEntries(scope, prerequisites, language)} media={media} compact />
      {absent.map((key) => (
        <p class="muted">{`Guide ${idIn(key)} is a prerequisite. It is not in this archive.`}</p>
      ))}
    </section>
  );
}

/** Archived prerequisites, in the reader's language where it exists. */
function prerequisiteEntries(scope: PageScope, prerequisites: readonly Key[], language: string): readonly Entry[] {
  return prerequisites.flatMap((key) => inLanguage(scope, key, language) ?? []);
}

interface PartsTableProps {
  readonly scope: PageScope;
  readonly title: string;
  readonly parts: readonly Part[];
  readonly texts: Texts;
}

/** Leaves out columns that are empty in all rows. */
function PartsTable({ scope, title, parts, texts }: PartsTableProps): JSX.Element | null {
  if (parts.length === 0) return null;
  const columns = COLUMNS.filter(({ has }) => parts.some(has));
  return (
    <section class="parts" aria-labelledby={`list-${title.toLowerCase()}`}>
      <h2 id={`list-${title.toLowerCase()}`}>{title}</h2>
      {columns.length === 1 ? (
        <ul class="names">
          {parts.map((part) => (
            <li>{nameCell(part, { scope })}</li>
          ))}
        </ul>
      ) : (
        <Table
          label={title}
          head={columns.map(({ head }) => head)}
          numbers={columns.flatMap(({ isNumber }, at) => (isNumber ? [at] : []))}
          rows={parts.map((part) => columns.map(({ cell }) => cell(part, { scope, texts })))}
        />
      )}
    </section>
  );
}

type CellContext = Pick<PartsTableProps, "scope" | "texts">;

interface Column {
  readonly head: string;
  readonly isNumber: boolean;
  readonly has: (part: Part) => boolean;
  readonly cell: (part: Part, context: CellContext) => JSX.Element | string | null;
}

const COLUMNS: readonly Column[] = [
  { head: "Name", isNumber: false, has: () => true, cell: nameCell },
  {
    head: "Quantity",
    isNumber: true,
    has: ({ quantity }) => quantity !== null && quantity !== 1,
    cell: ({ quantity }) => (quantity === null ? "" : withCommas(quantity)),
  },
  { head: "Type", isNumber: false, has: ({ type }) => type !== "", cell: ({ type }) => <UntrustedText text={type} /> },
  {
    head: "Notes",
    isNumber: false,
    has: ({ notes }) => notes !== "",
    cell: ({ notes }, { texts }) => <SafeText html={texts.line(notes)} inline />,
  },
];

function nameCell({ name, url, optional }: Part, { scope }: Pick<CellContext, "scope">): JSX.Element {
  return (
    <>
      <AnywhereLink scope={scope} address={url}>
        <UntrustedText text={name} />
      </AnywhereLink>
      {optional === true && <span class="chip">Optional</span>}
    </>
  );
}
