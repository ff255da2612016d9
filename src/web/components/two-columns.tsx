import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { UntrustedLines } from "./untrusted-text.js";
import { wordDiff } from "./word-diff.js";

interface SidesProps {
  readonly old: Child;
  readonly now: Child;
}

/** Side by side, or below each other on narrow screens. */
export function Sides({ old, now }: SidesProps): JSX.Element {
  return (
    <div class="sides">
      <div class="side old">
        <p class="unseen">Old:</p>
        {old}
      </div>
      <div class="side new">
        <p class="unseen">New:</p>
        {now}
      </div>
    </div>
  );
}

export function Nothing(): JSX.Element {
  return <p class="muted">none</p>;
}

/** `went`: at the old side only; `came`: at the new side only. */
export type MarkKind = "went" | "came" | "same";

const SAID = { went: "[removed: ", came: "[added: " } as const;

/** Marked by colour and line, and by words for screen readers. */
export function Marked({ kind, children }: { readonly kind: MarkKind; readonly children: Child }): JSX.Element {
  if (kind === "same") return <>{children}</>;
  const inside = (
    <>
      <span class="unseen">{SAID[kind]}</span>
      {children}
      <span class="unseen">]</span>
    </>
  );
  return kind === "went" ? <del class="went">{inside}</del> : <ins class="came">{inside}</ins>;
}

/** Each piece is cut by itself, so that the next one still shows. */
const LONGEST = 20_000;

interface TwoTexts {
  readonly before: string;
  readonly after: string;
  /** Characters of one piece. Default: 20,000. */
  readonly longest?: number;
}

/** Removed words at the left, added words at the right. */
export function TypedWords(texts: TwoTexts): JSX.Element {
  return <Sides old={<WordsDiff {...texts} side="old" />} now={<WordsDiff {...texts} side="new" />} />;
}

interface WordsDiffProps extends TwoTexts {
  readonly side: "old" | "new";
  /** Default: false, a paragraph. */
  readonly inline?: boolean;
}

export function WordsDiff({ before, after, side, longest = LONGEST, inline = false }: WordsDiffProps): JSX.Element {
  const [own, kind] = side === "old" ? (["removed", "went"] as const) : (["added", "came"] as const);
  const parts = wordDiff(before, after).filter(({ what }) => what === "same" || what === own);
  if (parts.length === 0) return <Nothing />;
  const words = parts.map((part) => (
    <Marked kind={part.what === "same" ? "same" : kind}>
      <UntrustedLines text={part.text} longest={longest} />
    </Marked>
  ));
  if (inline) return <span class="diff">{words}</span>;
  return (
    <p class="diff" dir="auto">
      {words}
    </p>
  );
}
