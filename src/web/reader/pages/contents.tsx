import type { ElementContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { type SafeHtml, wordsIn } from "../../../../transforms/html/reader/safe-html.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { countWords } from "../../components/words.js";
import { languageAttributes } from "./texts.js";

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
export function WithContents({ html, language, children }: WithContentsProps): JSX.Element {
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
