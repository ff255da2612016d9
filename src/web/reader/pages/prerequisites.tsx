import type { JSX } from "hono/jsx/jsx-runtime";
import { idIn, type Key } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import { EntryCards } from "./entry-cards.js";
import type { MediaFiles } from "./media-files.js";
import type { PageScope } from "./scope.js";
import { inLanguage } from "./texts.js";

export interface PrerequisitesProps {
  readonly scope: PageScope;
  readonly prerequisites: readonly Key[];
  readonly language: string;
  readonly media: MediaFiles;
}

/** The guides that come before this one. */
export function Prerequisites({ scope, prerequisites, language, media }: PrerequisitesProps): JSX.Element | null {
  if (prerequisites.length === 0) return null;
  const absent = prerequisites.filter((key) => inLanguage(scope, key, language) === undefined);
  return (
    <section aria-labelledby="prerequisites">
      <h2 id="prerequisites">Before you begin</h2>
      <EntryCards scope={scope} entries={prerequisiteEntries(scope, prerequisites, language)} media={media} compact />
      {absent.map((key) => (
        <p class="muted">{`Guide ${idIn(key)} comes before this one; it is not in this archive.`}</p>
      ))}
    </section>
  );
}

/** Those of them that are in the archive, in the reader's language where there is one. */
export function prerequisiteEntries(
  scope: PageScope,
  prerequisites: readonly Key[],
  language: string,
): readonly Entry[] {
  return prerequisites.flatMap((key) => inLanguage(scope, key, language) ?? []);
}
