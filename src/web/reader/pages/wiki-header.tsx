import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Wiki } from "../../../core/model/wiki.js";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import type { Entry } from "../catalogue.js";
import { type Fact, Facts } from "./facts.js";
import { Flags } from "./flags.js";
import { HeroPicture } from "./hero-picture.js";
import { languageAttributes } from "./language.js";
import type { MediaFiles } from "./media-files.js";

export interface WikiHeaderProps {
  readonly entry: Entry;
  readonly wiki: Wiki;
  readonly files: MediaFiles;
  /** `Category`, `Item`. */
  readonly kind: string;
  readonly children?: Child;
}

/** What a page is about. */
export function WikiHeader({ entry, wiki, files, kind, children }: WikiHeaderProps): JSX.Element {
  const picture = wiki.image === null ? undefined : files.of(wiki.image);
  const language = languageAttributes(wiki.language);
  return (
    <header class="hero">
      <HeroPicture picture={picture} alt="What this page is about" />
      <div class="hero-words">
        <p class="kind">{kind}</p>
        <h1 {...language}>
          <Foreign text={entry.title} />
        </h1>
        {wiki.description !== "" && (
          <p class="lead" {...language}>
            <Foreign text={wiki.description} />
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
  if (author !== null) facts.push({ name: "Author", icon: "person", value: <Foreign text={author.name} /> });
  if (modifiedDate !== null && modifiedDate !== 0)
    facts.push({ name: "Changed", icon: "calendar", value: <When seconds={modifiedDate} /> });
  return facts;
}
