import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";

/** Flags that sites show to readers, in words (api-facts 4.8); others are made of their ids. */
const WORDS: Readonly<Record<string, string>> = {
  GUIDE_ARCHIVED: "Archived",
  GUIDE_DELETE: "To be deleted",
  GUIDE_FEATURED_STUDENT: "Featured student guide",
  GUIDE_IN_PROGRESS: "In progress",
  GUIDE_NEW: "New",
  GUIDE_PREREQ_ONLY: "Part of other guides only",
  GUIDE_STARRED: "Starred",
  GUIDE_USER_CONTRIBUTED: "User-contributed",
  WIKI_STUB: "Stub",
  WIKI_USER_CONTRIBUTED: "User-contributed",
};

export function Flags({ flags }: { readonly flags: readonly string[] }): JSX.Element {
  return (
    <>
      {flags.map((flag) => (
        <span class="chip flag">
          <Foreign text={flagWords(flag)} />
        </span>
      ))}
    </>
  );
}

/** A flag as sites show it. */
export function flagWords(flag: string): string {
  return (Object.hasOwn(WORDS, flag) ? WORDS[flag] : undefined) ?? wordsOf(flag);
}

/** `GUIDE_LOUSY_PICTURES` as `Lousy pictures`. */
function wordsOf(flag: string): string {
  const words = flag.replace(/^(?:GUIDE|WIKI)_/, "").replaceAll("_", " ");
  return words === words.toUpperCase() ? words.charAt(0) + words.slice(1).toLowerCase() : words;
}
