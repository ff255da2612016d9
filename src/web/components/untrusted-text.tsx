import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SafeHtml } from "../../../transforms/html/reader/safe-html.js";

/** No real title is longer. */
const LONGEST = 2000;

/**
 * Untrusted text: its direction does not affect other text, and invisible characters show as their
 * code.
 */
export function UntrustedText({
  text,
  longest = LONGEST,
}: {
  readonly text: string;
  readonly longest?: number;
}): JSX.Element {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return <bdi>{pieces(shown)}</bdi>;
}

/** Several lines, each with its own direction. */
export function UntrustedLines({ text, longest }: { readonly text: string; readonly longest: number }): JSX.Element {
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

/** Untrusted text without elements, as in a title or attribute, without invisible characters. */
export function plainWords(text: string, longest = 200): string {
  const words = text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return words.length > longest ? `${words.slice(0, longest - 1).trimEnd()}…` : words;
}

/** Untrusted text without elements, where all of it counts: invisible characters as their code. */
export function visibleText(text: string, longest = LONGEST): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return shown.replace(UNSEEN, (character) => (/[\t\n]/.test(character) ? " " : `[U+${numberOf(character)}]`));
}

/** Includes lone surrogates. */
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
  /** From the sanitiser. Empty: nothing is shown. */
  readonly html: SafeHtml;
  /** Default: false, blocks. */
  readonly inline?: boolean;
  /** The language tag, where the text has another language than its surroundings. Default: none. */
  readonly lang?: string | undefined;
}

/**
 * The only way for HTML into a page; takes sanitised HTML only. Blocks take the direction of their
 * first letters.
 */
export function SafeText({ html, inline = false, lang }: SafeTextProps): JSX.Element | null {
  if (html === "") return null;
  const inside = { dangerouslySetInnerHTML: { __html: html } };
  return inline ? <span lang={lang} {...inside} /> : <div class="prose" dir="auto" lang={lang} {...inside} />;
}
