import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, ForeignLines } from "../../components/foreign.js";
import { type DiffPart, wordDiff } from "../../plan/word-diff.js";
import { Marked } from "./comparison/marks.js";
import { Nothing, Sides } from "./comparison/sides.js";
import type { FieldWords } from "./field-words.js";

/** Longer pieces of a text are cut, each by itself, so that what follows a long one is still seen. */
const LONGEST = 20_000;

export interface ChangedFieldProps {
  readonly words: FieldWords;
  readonly children: JSX.Element;
}

/** What differs in a field, below its name. */
export function ChangedField({ words, children }: ChangedFieldProps): JSX.Element {
  return (
    <section class="changed-field">
      <h2>
        {words.part !== "" && <span class="muted">{`${words.part} · `}</span>}
        <Foreign text={words.field} />
      </h2>
      {children}
    </section>
  );
}

export interface TwoTexts {
  readonly before: string;
  readonly after: string;
}

/** Two texts as they stand beside each other: words that went are struck out at the left, words that came are marked at the right. */
export function TypedWords(texts: TwoTexts): JSX.Element {
  return <Sides old={<WordsDiff {...texts} side="old" />} now={<WordsDiff {...texts} side="new" />} />;
}

export interface WordsDiffProps extends TwoTexts {
  readonly side: "old" | "new";
  /** Words inside of other words. Default: false, a paragraph. */
  readonly inline?: boolean;
}

/** One side of that. */
export function WordsDiff({ before, after, side, inline = false }: WordsDiffProps): JSX.Element {
  const [own, kind] = side === "old" ? (["gone", "went"] as const) : (["come", "came"] as const);
  const parts = wordDiff(before, after).filter(({ what }) => what === "same" || what === own);
  if (parts.length === 0) return <Nothing />;
  const words = parts.map((part) => (
    <Marked kind={part.what === "same" ? "same" : kind}>
      <Words part={part} />
    </Marked>
  ));
  if (inline) return <span class="diff">{words}</span>;
  return (
    <p class="diff" dir="auto">
      {words}
    </p>
  );
}

function Words({ part }: { readonly part: DiffPart }): JSX.Element {
  return <ForeignLines text={part.text} longest={LONGEST} />;
}
