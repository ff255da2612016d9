import type { JSX } from "hono/jsx/jsx-runtime";
import {
  type ComparedText as Compared,
  readerComparison,
} from "../../../../../transforms/html/reader/compare/reader-comparison.js";
import { SafeText } from "../../../components/safe-html.js";
import { TypedWords } from "../changed-field.js";
import { languageTag } from "../language.js";
import { Nothing, Sides } from "./sides.js";

export interface ComparedTextProps {
  readonly before: Compared;
  readonly after: Compared;
  readonly language: string;
}

/** A text as people read it, old and new, and folded below it as it was typed. */
export function ComparedText({ before, after, language }: ComparedTextProps): JSX.Element {
  const { before: old, after: now, isSame } = readerComparison(before, after);
  const lang = languageTag(language);
  return (
    <>
      {isSame ? (
        <p class="muted">It reads as before; only how it was typed differs.</p>
      ) : (
        <Sides
          old={old === "" ? <Nothing /> : <SafeText html={old} lang={lang} />}
          now={now === "" ? <Nothing /> : <SafeText html={now} lang={lang} />}
        />
      )}
      <details class="typed" open={isSame}>
        <summary>As it was typed</summary>
        <TypedWords before={before.text} after={after.text} />
      </details>
    </>
  );
}
