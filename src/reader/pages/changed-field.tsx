import type { JSX } from "hono/jsx/jsx-runtime";
import type { Key } from "../../model/key.js";
import { Foreign, ForeignLines } from "../../pages/foreign.js";
import { type DiffPart, wordDiff } from "../../pipeline/plan/html/word-diff.js";
import type { FieldWords } from "./field-words.js";
import type { ShownValue } from "./shown-value.js";
import type { TimeMedia } from "./time-media.js";

export interface ChangedFieldProps {
  readonly words: FieldWords;
  readonly before: ShownValue;
  readonly after: ShownValue;
  readonly media: readonly [before: TimeMedia | undefined, after: TimeMedia | undefined];
}

/** Longer pieces of a text are cut. */
const LONGEST = 20_000;

/** A field, old and new beside each other: words that went are struck out at the left, words that came are marked at the right. */
export function ChangedField({ words, before, after, media: [old, now] }: ChangedFieldProps): JSX.Element {
  const parts = wordDiff(before.text.slice(0, LONGEST), after.text.slice(0, LONGEST));
  return (
    <section class="changed-field">
      <h2>
        {words.part !== "" && <span class="muted">{`${words.part} · `}</span>}
        <Foreign text={words.field} />
      </h2>
      <div class="sides">
        <div class="side old">
          <Words value={before} parts={parts.filter(({ what }) => what !== "come")} />
          <Pictures keys={before.media} media={old} />
        </div>
        <div class="side new">
          <Words value={after} parts={parts.filter(({ what }) => what !== "gone")} />
          <Pictures keys={after.media} media={now} />
        </div>
      </div>
    </section>
  );
}

interface WordsProps {
  readonly value: ShownValue;
  readonly parts: readonly DiffPart[];
}

function Words({ value, parts }: WordsProps): JSX.Element | null {
  if (parts.length === 0) return value.media.length > 0 ? null : <p class="muted">nothing</p>;
  return (
    <p class="diff" dir="auto">
      {parts.map(({ what, text }) => {
        const words = <ForeignLines text={text} longest={LONGEST} />;
        return what === "same" ? words : what === "gone" ? <del>{words}</del> : <ins>{words}</ins>;
      })}
    </p>
  );
}

interface PicturesProps {
  readonly keys: readonly Key[];
  readonly media: TimeMedia | undefined;
}

function Pictures({ keys, media }: PicturesProps): JSX.Element | null {
  if (keys.length === 0) return null;
  return (
    <ul class="gallery">
      {keys.map((key) => {
        const href = media?.get(key);
        return (
          <li>
            {href === undefined ? (
              <Foreign text={key} />
            ) : (
              <a class="zoom" href={href}>
                <img src={href} alt={key} loading="lazy" decoding="async" />
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
