import type { JSX } from "hono/jsx/jsx-runtime";
import type { Guide } from "../../../core/model/guide.js";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { Icon } from "../../components/icon.js";
import { numberWords } from "../../components/numbers.js";
import type { Entry } from "../catalogue.js";
import { Difficulty } from "./difficulty.js";
import { type Fact, Facts } from "./facts.js";
import { Flags } from "./flags.js";
import { HeroPicture } from "./hero-picture.js";
import { languageAttributes, languageName, languageTag } from "./language.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, type PageScope } from "./scope.js";
import { timeWords } from "./time-required.js";

export interface GuideHeaderProps {
  readonly scope: PageScope;
  readonly entry: Entry;
  readonly guide: Guide;
  readonly files: MediaFiles;
}

/** What one wants to know before one begins. */
export function GuideHeader({ scope, entry, guide, files }: GuideHeaderProps): JSX.Element {
  const picture = guide.image === null ? undefined : files.of(guide.image);
  return (
    <header class="hero">
      <HeroPicture picture={picture} alt="What this guide is about" />
      <div class="hero-words">
        {guide.type !== "" && (
          <p class="kind">
            <Foreign text={guide.type} />
          </p>
        )}
        <h1 {...languageAttributes(guide.language)}>
          <Foreign text={entry.title} />
        </h1>
        {guide.summary !== "" && (
          <p class="lead" {...languageAttributes(guide.language)}>
            <Foreign text={guide.summary} />
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
    { name: "Steps", icon: "list", value: numberWords(steps.length) },
    author === null ? undefined : { name: "Author", icon: "person", value: <Foreign text={author.name} /> },
    modifiedDate === null || modifiedDate === 0
      ? undefined
      : { name: "Changed", icon: "calendar", value: <When seconds={modifiedDate} /> },
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** The same guide in other languages. */
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
            {language === "" ? <Foreign text={each.title} /> : languageName(language)}
          </a>
        );
      })}
    </nav>
  );
}
