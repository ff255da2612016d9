import type { JSX } from "hono/jsx/jsx-runtime";
import type { Guide } from "../../../core/model/guide.js";
import type { GuideItem } from "../../../core/model/item.js";
import { idIn, type Key } from "../../../core/model/key.js";
import { SafeText } from "../../components/safe-html.js";
import type { Entry } from "../catalogue.js";
import { CompareMenu } from "./compare-menu.js";
import { crumbsOf } from "./crumbs.js";
import { DocumentsList } from "./documents-list.js";
import { picturesOf } from "./entry-cards.js";
import { GuideHeader } from "./guide-header.js";
import { languageAttributes, languageTag } from "./language.js";
import { AtSite } from "./links.js";
import { findMedia, type MediaFiles } from "./media-files.js";
import { PartsTable } from "./parts-table.js";
import { Prerequisites, prerequisiteEntries } from "./prerequisites.js";
import { readerPage } from "./reader-frame.js";
import { Remarks } from "./remarks.js";
import type { PageScope } from "./scope.js";
import { StepCard } from "./step-card.js";
import { StepList } from "./step-list.js";
import { Film } from "./step-media.js";
import { Tags } from "./tags.js";
import { type Texts, textsOf } from "./texts.js";

/** A guide as who works by it wants it. */
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

/** What it shows outside of its texts. */
function ownMedia(guide: Guide): readonly Key[] {
  const single = [guide.image, guide.introductionVideo].filter((key) => key !== null);
  const inSteps = guide.steps.flatMap(({ media }) =>
    media.type === "images" ? media.images : media.type === "video" ? [media.video] : [],
  );
  return [...single, ...documentsOf(guide), ...inSteps];
}
