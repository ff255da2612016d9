import { wordsOfHtml } from "../../../../transforms/search/words-of-html.js";
import { wordsOfWiki } from "../../../../transforms/search/words-of-wiki.js";
import type { Comment, Guide } from "../../../core/model/guide.js";
import type { Item } from "../../../core/model/item.js";
import type { MediaUse } from "../../../core/model/media.js";
import type { Wiki } from "../../../core/model/wiki.js";

/** Characters of one text, and of one item, that can be found: nobody's are longer, and hostile ones have megabytes. */
const LONGEST_TEXT = 200_000;
const LONGEST_ITEM = 400_000;

/** What people read of an item beside its title, in the order of its page, as plain texts without line ends. Both empty: of media and records. */
export interface ItemText {
  readonly text: string;
  /** What people wrote below it. */
  readonly remarks: string;
}

export function itemText(item: Item): ItemText {
  const { kind, body, media } = item;
  const texts: readonly string[] =
    kind === "guide" ? guideTexts(body) : kind === "wiki" || kind === "category" ? wikiTexts(body) : [];
  return { text: oneLine([...texts, ...documentNames(media)]), remarks: oneLine(remarksOf(item)) };
}

function oneLine(texts: readonly string[]): string {
  return texts
    .map((text) => text.replace(/[\s\p{Cc}\p{Bidi_C}]+/gu, " ").trim())
    .filter((text) => text !== "")
    .join(" · ")
    .slice(0, LONGEST_ITEM);
}

function remarksOf({ kind, body }: Item): readonly string[] {
  if (kind === "guide") return [...body.steps.flatMap(({ comments }) => comments), ...body.comments].flatMap(remark);
  return kind === "wiki" || kind === "category" ? (body.comments ?? []).flatMap(remark) : [];
}

function remark({ author, text, answers = [] }: Comment): readonly string[] {
  return [
    author?.name ?? "",
    page(text),
    ...answers.flatMap((answer) => [answer.author?.name ?? "", page(answer.text)]),
  ];
}

function guideTexts(guide: Guide): readonly string[] {
  return [
    guide.subject,
    guide.summary,
    page(guide.introduction),
    ...guide.parts.flatMap(({ name, notes }) => [name, page(notes)]),
    ...guide.tools.flatMap(({ name, notes }) => [name, page(notes)]),
    ...guide.steps.flatMap(({ title, lines }) => [title, ...lines.map(({ text }) => line(text))]),
    page(guide.conclusion),
    ...guide.flags,
    guide.author?.name ?? "",
  ];
}

function wikiTexts(wiki: Wiki): readonly string[] {
  const { description, contents, html, info, title, displayTitle, author } = wiki;
  // As on its page: what the site made of the text is shown where it says more than the text.
  const isMade = contents.trim() === "" || (html.includes("<table") && !contents.includes("<table"));
  return [
    description,
    isMade ? wordsOfHtml(cut(html)) : page(contents),
    ...info.flatMap(({ name, value }) => [name, page(value)]),
    ...(wiki.translations ?? []).flatMap((other) => [other.displayTitle ?? "", page(other.contents)]),
    displayTitle === null ? "" : title,
    author?.name ?? "",
  ];
}

function documentNames(media: readonly MediaUse[]): readonly string[] {
  return media.flatMap(({ key, fileName }) => (key.startsWith("document/") && fileName !== null ? [fileName] : []));
}

function page(text: string): string {
  return wordsOfWiki(cut(text), "page");
}

function line(text: string): string {
  return wordsOfWiki(cut(text), "line");
}

function cut(text: string): string {
  return text.slice(0, LONGEST_TEXT);
}
