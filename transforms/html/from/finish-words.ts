import { blanksAtStart, isBlank } from "../../settle/blanks.js";
import { lineBreak, link, text } from "../../wiki/build-inlines.js";
import { bareAddressesIn } from "../../wiki/parse/bare-address.js";
import type { Inline, Link, Text } from "../../wiki/tree.js";

/**
 * Words as a block holds them. HTML shows a line end as a blank, and nothing of blanks and breaks at the ends of a block; blanks
 * at its end stay unless a line ends there, since the site keeps them (wiki-syntax 2.1).
 */
export function finishWords(content: readonly Inline[]): readonly Inline[] {
  const words = joinTexts(content);
  const first = words.findIndex(showsSomething);
  const last = words.findLastIndex(showsSomething);
  if (first < 0) return [];
  const end = words.slice(last + 1).every((word) => word.type === "text" && !word.value.includes("\n"));
  const shown = end ? words.slice(first) : words.slice(first, last + 1);
  return shown.map((word, index) =>
    finishWord(word, index === 0 ? BREAK : shown[index - 1], shown[index + 1] ?? BREAK),
  );
}

/** Whether a reader sees anything of a word. */
export function showsSomething(word: Inline): boolean {
  return word.type === "text" ? !isBlank(word.value) : word.type !== "break";
}

/** The ends of a block are like breaks. */
const BREAK = lineBreak();

function finishWord(word: Inline, before: Inline | undefined, next: Inline | undefined): Inline {
  if (word.type === "text") return finishText(word, before?.type === "break", next?.type === "break");
  if (word.type === "link" && word.kind === "bare") return finishBare(word, next);
  if (!("children" in word)) return word;
  const children = joinTexts(word.children);
  return {
    ...word,
    children: children.map((child, index) => finishWord(child, children[index - 1], children[index + 1])),
  };
}

function joinTexts(words: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (word.type === "text" && last?.type === "text") joined[joined.length - 1] = text(last.value + word.value);
    else joined.push(word);
  }
  return joined;
}

// A run is looked at from its beginning only, so that long runs of blanks do not take squared time.
const LINE_END = /(?<![ \t\n])[ \t]*\n[ \t\n]*/g;
const BREAK_AT_END = /(?<![ \t\n])[ \t]*\n[ \t\n]*$/;

function finishText({ value }: Text, isAtStart: boolean, isAtEnd: boolean): Text {
  const from = isAtStart ? blanksAtStart(value) : 0;
  const shown = isAtEnd ? value.slice(from).replace(BREAK_AT_END, "") : value.slice(from);
  return text(shown.replace(LINE_END, " "));
}

/** An address that would run on into the words behind it gets brackets. */
function finishBare(word: Link, next: Inline | undefined): Link {
  const behind = next?.type === "text" ? next.value : "";
  if ((bareAddressesIn(word.target + behind)[0]?.end ?? 0) <= word.target.length) return word;
  return link("url", word.target, { label: [text(word.target)] });
}
