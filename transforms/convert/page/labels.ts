import type { Namespace } from "../../../src/core/model/key.js";

/** Headings of parts other than steps; not translated, so that readers recognise them. */
export const HEADINGS = {
  introduction: "Introduction",
  prerequisites: "Before you begin",
  tools: "Tools",
  parts: "Parts",
  conclusion: "Conclusion",
  documents: "Documents",
} as const;

/** In the order of the page. */
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

/** The first label distinguishes pages from guides. */
export const WIKI_LABELS = {
  namespace: "Namespace",
  title: "Name",
  parent: "Part of",
  flag: "Flag",
  tag: "Tag",
  language: "Language",
} as const;

export const PART_LABELS = {
  type: "Type",
  notes: "Notes",
  url: "Address",
  optional: "Optional",
  featured: "Featured",
} as const;

export const YES = "yes";

/** Importers use the same default (omanual 5). */
export const USUAL_LANGUAGE = "en";

export const CATEGORY: Namespace = "CATEGORY";

/** The link text for an image without a name in wiki text. */
export const IMAGE_LINK_TEXT = "image";

export function fact(label: string, value: string): string {
  return `${label}: ${value}`;
}

export function stepName(number: number): string {
  return `Step ${number}`;
}

// The hidden parts of a page are comments in Markdown, and classes and titles in HTML.
// Wiki text has no form for them.

export const TEXT_FIELDS = ["introduction", "conclusion", "contents"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** The title of the link names the kind of a linked file. */
const FILE_ROLES = ["video", "document", "embed"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** Encloses a text whose headings or lists would otherwise belong to the page. */
export function textComments(field: TextField): readonly [open: string, close: string] {
  return [`<!-- ${field} -->`, `<!-- /${field} -->`];
}

/** The title of a document's link has its id on the site. */
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

export interface LineMark {
  readonly bullet?: string;
  /** Only where the list does not show it, because a level is missing. */
  readonly level?: number;
}

/** Bullets of every site (omanual 5). */
export const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "light_blue", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

/** Empty for a default line. */
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

/** Readers of Markdown and HTML do not know marks: private-use characters enclose them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const CARRIED = new RegExp(`^\\s*${OPEN}([a-z_]*);(\\d?)${CLOSE}`);

export function carriedMark({ bullet, level }: LineMark): string {
  return `${OPEN}${bullet ?? ""};${level ?? ""}${CLOSE}`;
}

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

/** `open`: the beginning of bold words. */
export function beginsLikeSign(words: string, open: string): boolean {
  return Object.values(WORDS).some((word) => words.startsWith(open + word));
}

/** Keeps inner blanks, since they are part of names. */
export function onOneLine(words: string): string {
  return words.replace(/[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029]\s*/g, " ").trim();
}
