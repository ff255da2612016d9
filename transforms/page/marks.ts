/*
 * What a page says to readers of its source only, since nobody would see the difference: comments in Markdown, classes and
 * titles in HTML. Wiki text has no form for any of it.
 */

/** Texts that a page may keep apart from what stands around them. */
export const TEXT_FIELDS = ["introduction", "conclusion", "contents"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What a link to a file is, said by its title. */
export const FILE_ROLES = ["video", "document", "embed"] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** Around a text in Markdown whose headings or lists would be taken for those of the page. */
export function textComments(field: TextField): readonly [open: string, close: string] {
  return [`<!-- ${field} -->`, `<!-- /${field} -->`];
}

/** The title of a link to a file; a document's says its id, where a site gave it one. */
export function fileTitle(role: FileRole, id: number | null): string {
  return id === null ? role : `${role} ${id}`;
}

const TITLE = /^(video|document|embed)(?: ([1-9]\d{0,14}))?$/;

/** What the title of a link says; undefined for any other. */
export function readFileTitle(
  title: string | null | undefined,
): { readonly role: FileRole; readonly id: number | null } | undefined {
  const [, name, id] = TITLE.exec(title ?? "") ?? [];
  const role = FILE_ROLES.find((each) => each === name);
  return role === undefined ? undefined : { role, id: id === undefined ? null : Number(id) };
}

/** What a line is beside its words. */
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

/** The comment behind a line of Markdown; empty where there is nothing to say. */
export function lineComment({ bullet, level }: LineMark): string {
  const fields = [
    ...(bullet === undefined ? [] : [`bullet=${bullet}`]),
    ...(level === undefined ? [] : [`level=${level}`]),
  ];
  return fields.length === 0 ? "" : `<!-- ${fields.join(" ")} -->`;
}

const COMMENT = /^<!-- (?:bullet=([a-z_]{1,20}))?(?: ?level=(\d))? -->$/;

/** What a comment behind a line says; undefined for any other. */
export function readLineComment(comment: string): LineMark | undefined {
  const [found, bullet, level] = COMMENT.exec(comment.trim()) ?? [];
  if (found === undefined || (bullet !== undefined && !BULLETS.has(bullet))) return undefined;
  return { ...(bullet === undefined ? {} : { bullet }), ...(level === undefined ? {} : { level: Number(level) }) };
}

/*
 * On the way through the readers of Markdown and HTML, which know nothing of marks, one is a text of characters that are
 * nobody's (private use), before the words of the line.
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
