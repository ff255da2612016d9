import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SafeHtml } from "../../../transforms/html/reader/safe-html.js";

/** Longer than any title; what is longer did not come from a person who wanted to be read. */
const LONGEST = 2000;

/**
 * Foreign text inside of a page: letters that are written from right to left turn nothing around
 * them, and what nobody sees is shown by its number.
 */
export function Foreign({
  text,
  longest = LONGEST,
}: {
  readonly text: string;
  readonly longest?: number;
}): JSX.Element {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return <bdi>{pieces(shown)}</bdi>;
}

/** The same for several lines, of which each one may run the other way. */
export function ForeignLines({ text, longest }: { readonly text: string; readonly longest: number }): JSX.Element {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return (
    <>
      {shown.split("\n").map((line, at) => (
        <>
          {at > 0 && "\n"}
          {line !== "" && <bdi>{pieces(line)}</bdi>}
        </>
      ))}
    </>
  );
}

/**
 * Foreign text where no elements may stand: the title of a window, an attribute. What nobody sees
 * is left out.
 */
export function plainWords(text: string, longest = 200): string {
  const words = text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return words.length > longest ? `${words.slice(0, longest - 1).trimEnd()}…` : words;
}

/** Half of a pair of surrogates would be no text at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const UNSEEN_PIECES = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/u;

function pieces(text: string): Child[] {
  return text
    .split(UNSEEN_PIECES)
    .map((part, at) => (at % 2 === 0 || part === "\t" ? part : <span class="mark">{`U+${numberOf(part)}`}</span>));
}

function numberOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

interface SafeTextProps {
  /** What the sanitiser made. Empty: nothing is shown. */
  readonly html: SafeHtml;
  /** Words inside of other words. Default: false, blocks. */
  readonly inline?: boolean;
  /**
   * A language tag, where the text's language is another than that of what is around it. Default:
   * none.
   */
  readonly lang?: string | undefined;
}

/**
 * The one way of HTML into a page: only the sanitiser makes what it takes. Blocks run the way that
 * their first letters are written.
 */
export function SafeText({ html, inline = false, lang }: SafeTextProps): JSX.Element | null {
  if (html === "") return null;
  const inside = { dangerouslySetInnerHTML: { __html: html } };
  return inline ? <span lang={lang} {...inside} /> : <div class="prose" dir="auto" lang={lang} {...inside} />;
}
