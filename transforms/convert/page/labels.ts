import type { Namespace } from "../../../src/core/model/key.js";

/**
 * The headings under which a page has what is no step; whatever the guide's language, so that they
 * are known again.
 */
export const HEADINGS = {
  introduction: "Introduction",
  prerequisites: "Before you begin",
  tools: "Tools",
  parts: "Parts",
  conclusion: "Conclusion",
  documents: "Documents",
} as const;

/** Labels of facts about a guide, in the order of the page. */
export const GUIDE_LABELS = {
  category: "Category",
  type: "Type",
  subject: "Subject",
  difficulty: "Difficulty",
  time: "Time",
  author: "Author",
  created: "Created",
  modified: "Changed",
  flag: "Flag",
  tag: "Tag",
  public: "Public",
  language: "Language",
} as const;

/** Labels of facts about a category or wiki. The first one distinguishes pages from guides. */
export const WIKI_LABELS = {
  namespace: "Namespace",
  title: "Name",
  parent: "Part of",
  flag: "Flag",
  tag: "Tag",
  language: "Language",
} as const;

/** The same of a part or tool. */
export const PART_LABELS = {
  type: "Type",
  notes: "Notes",
  url: "Address",
  optional: "Optional",
  featured: "Featured",
} as const;

export const YES = "yes";

/** The default language; importers use it too (omanual 5). */
export const USUAL_LANGUAGE = "en";

/** The namespace of categories, as their pages say it. */
export const CATEGORY: Namespace = "CATEGORY";

/** What a link to an image is called in wiki text where the image has no name. */
export const WORD_FOR_IMAGES = "image";

/** A fact in words. */
export function fact(label: string, value: string): string {
  return `${label}: ${value}`;
}

/** The heading of a step before its title. */
export function stepName(number: number): string {
  return `Step ${number}`;
}

/*
 * What a page says to readers of its source only, since nobody would see the difference: comments
 * in Markdown, classes and titles in HTML. Wiki text has no form for any of it.
 */

/** Texts that comments can separate from the rest of the page. */
export const TEXT_FIELDS = ["introduction", "conclusion", "contents"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** The kinds of linked files; the title of the link names them. */
const FILE_ROLES = ["video", "document", "embed"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** Encloses a text in Markdown whose headings or lists would belong to the page otherwise. */
export function textComments(field: TextField): readonly [open: string, close: string] {
  return [`<!-- ${field} -->`, `<!-- /${field} -->`];
}

/** The title of a link to a file; that of a document has its id on the site. */
export function fileTitle(role: FileRole, id: number | null): string {
  return id === null ? role : `${role} ${id}`;
}

const TITLE = /^(video|document|embed)(?: ([1-9]\d{0,14}))?$/;

/** undefined: another title. */
export function readFileTitle(
  title: string | null | undefined,
): { readonly role: FileRole; readonly id: number | null } | undefined {
  const [, name, id] = TITLE.exec(title ?? "") ?? [];
  const role = FILE_ROLES.find((each) => each === name);
  return role === undefined ? undefined : { role, id: id === undefined ? null : Number(id) };
}

/** Bullet and level of a line. */
export interface LineMark {
  readonly bullet?: string;
  /** Where the list does not show it, as it jumped over a level. */
  readonly level?: number;
}

/** Bullets that a mark may name: those of every site (omanual 5). */
export const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "light_blue", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

/** The comment after a line of Markdown; empty for a default line. */
export function lineComment({ bullet, level }: LineMark): string {
  const fields = [
    ...(bullet === undefined ? [] : [`bullet=${bullet}`]),
    ...(level === undefined ? [] : [`level=${level}`]),
  ];
  return fields.length === 0 ? "" : `<!-- ${fields.join(" ")} -->`;
}

const COMMENT = /^<!-- (?:bullet=([a-z_]{1,20}))?(?: ?level=(\d))? -->$/;

/** undefined: another comment. */
export function readLineComment(comment: string): LineMark | undefined {
  const [found, bullet, level] = COMMENT.exec(comment.trim()) ?? [];
  if (found === undefined || (bullet !== undefined && !BULLETS.has(bullet))) return undefined;
  return { ...(bullet === undefined ? {} : { bullet }), ...(level === undefined ? {} : { level: Number(level) }) };
}

/*
 * On the way through the readers of Markdown and HTML, which know nothing of marks, one is a text
 * of characters that are nobody's (private use), before the words of the line.
 */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const CARRIED = new RegExp(`^\\s*${OPEN}([a-z_]*);(\\d?)${CLOSE}`);

export function carriedMark({ bullet, level }: LineMark): string {
  return `${OPEN}${bullet ?? ""};${level ?? ""}${CLOSE}`;
}

/** The mark at the beginning of a text, and the text without it. */
export function takeMark(text: string): { readonly mark: LineMark | undefined; readonly rest: string } {
  const [found, bullet = "", level = ""] = CARRIED.exec(text) ?? [];
  if (found === undefined) return { mark: undefined, rest: text };
  const mark = { ...(bullet === "" ? {} : { bullet }), ...(level === "" ? {} : { level: Number(level) }) };
  return { mark, rest: text.slice(found.length) };
}

/** Words before a line whose bullet is a sign; colours refer to images only. */
const WORDS: Readonly<Record<string, string>> = {
  icon_note: "Note:",
  icon_caution: "Caution:",
  icon_reminder: "Reminder:",
};

export function bulletWord(bullet: string): string | undefined {
  return Object.hasOwn(WORDS, bullet) ? WORDS[bullet] : undefined;
}

export function bulletOf(word: string): string | undefined {
  return Object.keys(WORDS).find((bullet) => WORDS[bullet] === word);
}

/** Whether words begin as those of a sign do, `open` being what begins bold ones. */
export function beginsLikeSign(words: string, open: string): boolean {
  return Object.values(WORDS).some((word) => words.startsWith(open + word));
}

/** Words on one line: blanks in them stay, since names are spelled with them. */
export function onOneLine(words: string): string {
  return words.replace(/[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029]\s*/g, " ").trim();
}
