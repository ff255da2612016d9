import type { Answer } from "../site/answer.js";
import { type GuideRecord, guideKey } from "../site/records.js";
import type { Site } from "../site/site.js";
import { addressOf } from "./media.js";
import { guidePath } from "./summaries.js";

/**
 * HTML of wiki text, as a modern site of the service renders it (syntax facts, 2 and 3). Only for
 * texts that were written here: a loaded answer's own HTML is served while its raw text is
 * unchanged.
 */
export function renderText(site: Site, raw: string): string {
  return renderBlocks(site, raw);
}

/** HTML of one line, without a paragraph around it and without media. */
export function renderLine(site: Site, raw: string): string {
  return renderInlines(site, raw, true);
}

/** One paragraph per block. Empty `attrs` are an empty array (facts, 3.9). */
export function textTree(raw: string): Answer {
  if (raw === "") return { type: "doc", content: [] };
  const content = raw.split(/\n{2,}/).map((text) => ({
    type: "paragraph",
    attrs: [],
    content: [{ type: "text", text }],
  }));
  return { type: "doc", content };
}

/** HTML of a page's text: blocks with a blank line between them (syntax facts, 2.1). */
function renderBlocks(site: Site, raw: string): string {
  const blocks: string[] = [];
  let rest = raw.replaceAll("\r\n", "\n");
  while (rest !== "") {
    const found = BLOCKS.map(({ pattern, render }) => ({ match: pattern.exec(rest), render })).find(
      ({ match }) => match !== null,
    );
    if (found?.match == null) break;
    const html = found.render(site, found.match);
    if (html !== "") blocks.push(html);
    rest = rest.slice(found.match[0].length);
  }
  return blocks.join("\n\n");
}

interface Block {
  /** At the beginning of the rest; matches at least one character. */
  readonly pattern: RegExp;
  readonly render: (site: Site, match: RegExpExecArray) => string;
}

const HEADING = /^(={1,6}) *(.+?) *\1 *(?:\n|$)/;
const ITEMS = /^(?:[*#]+[^\n]*(?:\n|$))+/;

/** The first match counts. Data about the page renders as nothing (syntax facts, 2.5). */
const BLOCKS: readonly Block[] = [
  { pattern: /^\s*\n/, render: () => "" },
  {
    pattern: /^\[code\]\n?(.*?)\n?\[\/code\] *(?:\n|$)/s,
    render: (_site, [, text = ""]) => `<pre>${escaped(text)}</pre>`,
  },
  { pattern: /^\[quote(?:\|([^[\]]*))?\]\n?(.*?)\n*\[\/quote\] *(?:\n|$)/s, render: renderQuote },
  { pattern: /^\[summary\].*?\[\/summary\] *(?:\n|$)/s, render: () => "" },
  { pattern: /^\[(?:title|info|flag|def_flag|summary_image)\s*\|[^[\]]*\] *(?:\n|$)/, render: () => "" },
  { pattern: HEADING, render: renderHeading },
  { pattern: ITEMS, render: (site, [items]) => renderList(site, items.trimEnd().split("\n")) },
  {
    pattern: /^.+?(?=\n\s*\n|\n[*#]|\n=|\n\[(?:code|quote)|$)/s,
    render: (site, [text]) => renderParagraph(site, text.trim()),
  },
];

function renderHeading(site: Site, [, marker = "", text = ""]: RegExpExecArray): string {
  const level = marker.length;
  return `<div class="headerContainer"><a class="selfLink" href="#"></a><h${level} class="header">${renderInlines(site, text, false)}</h${level}></div>`;
}

function renderQuote(site: Site, [, name = "", text = ""]: RegExpExecArray): string {
  const fields = name.split("|").filter((field) => field !== "" && !field.startsWith("format="));
  const by = fields.length === 0 ? "" : `\n\n<p class="quoted">${renderInlines(site, fields.join("|"), false)}</p>`;
  return `<blockquote>${renderBlocks(site, text)}${by}</blockquote>`;
}

/** Media have their own boxes, outside of paragraphs. */
function renderParagraph(site: Site, text: string): string {
  const html = renderInlines(site, text, false);
  return /^<div/.test(html) && html.endsWith("</div>") ? html : `<p>${html}</p>`;
}

/** The innermost marker is the kind of list of an item. */
function renderList(site: Site, lines: readonly string[], depth = 1): string {
  let html = "";
  let tag = "";
  for (let at = 0; at < lines.length; ) {
    const [, marker = "", text = ""] = /^([*#]+) ?(.*)$/s.exec(lines[at] ?? "") ?? [];
    const end = lines.findIndex((line, place) => place > at && (/^[*#]+/.exec(line)?.[0].length ?? 0) <= depth);
    const inner = lines.slice(at + 1, end < 0 ? undefined : end);
    const list = marker.endsWith("#") ? "ol" : "ul";
    if (list !== tag) html += `${tag === "" ? "" : `</${tag}>`}<${list}>`;
    tag = list;
    html += `<li>${renderInlines(site, text, false)}${inner.length === 0 ? "" : renderList(site, inner, depth + 1)}</li>`;
    at += 1 + inner.length;
  }
  return `${html}</${tag}>`;
}

/** Wiki links, macros and links in brackets, forced breaks, and addresses in running text. */
const MARKUP =
  /\[\[([^[\]]+)\]\]|\[(\w+)\|([^[\]]*)\]|\[((?:https?:\/\/|\/)[^[\]]*)\]|(\[br\]\n?)|((?:https?:\/\/)[^\s[\]|<>"]*[^\s[\]|<>".,;:!?')])/gi;

/** A placeholder for rendered parts, so that marks in addresses don't count. */
const MARK = /\uE000(\d+)\uE001/g;

/** Links and macros first, then marks around them (syntax facts, 2.2 and 2.3). */
function renderInlines(site: Site, raw: string, line: boolean): string {
  const done: string[] = [];
  const text = raw
    .replace(/[\uE000\uE001]/g, "")
    .replace(MARKUP, (written: string, ...groups: readonly (string | undefined)[]) => {
      const html = renderFound(site, groups, line);
      return html === undefined ? written : `\uE000${done.push(html) - 1}\uE001`;
    });
  return withMarks(escaped(text)).replace(MARK, (_mark, place: string) => done[Number(place)] ?? "");
}

function renderFound(site: Site, groups: readonly (string | undefined)[], line: boolean): string | undefined {
  const [page, keyword, fields, address, lineBreak, bare] = groups;
  if (page !== undefined) return renderWikiLink(fieldsOf(page));
  if (keyword !== undefined) return MACROS.get(keyword.toLowerCase())?.(site, fieldsOf(fields ?? ""), line);
  if (address !== undefined) return renderAddress(site, fieldsOf(address));
  if (lineBreak !== undefined) return "<br />";
  return bare === undefined ? undefined : renderBare(site, bare);
}

/** Only these are parameters; any other text with an equals sign is a label (syntax facts, 7). */
const PARAMETER = /^(new_window|stepid|size|align|tags|type)=(.*)$/is;

function fieldsOf(written: string): Fields {
  const [first = "", ...more] = written.split("|");
  // A list of guides has only parameters.
  const [target, rest] = PARAMETER.test(first) ? ["", [first, ...more]] : [first, more];
  const parameters = new Map<string, string>();
  const label: string[] = [];
  for (const field of rest) {
    const [, name, value] = PARAMETER.exec(field.trim()) ?? [];
    if (name === undefined) label.push(field);
    else parameters.set(name.toLowerCase(), value ?? "");
  }
  return { target: target.trim(), label: label.join("|").trim(), parameters };
}

/** From the longest marker on, so that bold is not read as italic. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/'''''(.+?)'''''/gs, "<strong><em>$1</em></strong>"],
  [/'''(.+?)'''/gs, "<strong>$1</strong>"],
  [/''(.+?)''/gs, "<em>$1</em>"],
  [/\+\+(.+?)\+\+/gs, "<ins>$1</ins>"],
  [/~~(.+?)~~/gs, "<del>$1</del>"],
  [/\^\^(.+?)\^\^/gs, "<sup>$1</sup>"],
  [/,,(.+?),,/gs, "<sub>$1</sub>"],
  [/``(.+?)``/gs, "<tt>$1</tt>"],
];

function withMarks(html: string): string {
  return MARKS.reduce((text, [pattern, marked]) => text.replace(pattern, marked), html);
}

/** undefined: the macro stays unchanged. `line`: in a step line, which has no media. */
type RenderMacro = (site: Site, fields: Fields, line: boolean) => string | undefined;

interface Fields {
  readonly target: string;
  /** Empty: none. */
  readonly label: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Macros by keyword (syntax facts, 2.3 and 2.4). */
const MACROS: ReadonlyMap<string, RenderMacro> = new Map<string, RenderMacro>([
  ["guide", renderGuide],
  ["link", (site, fields) => renderAddress(site, fields)],
  [
    "product",
    (_site, { target, label, parameters }) =>
      link(`/Tools/-/${encodeURIComponent(target)}`, label || target, parameters),
  ],
  ["document", renderDocument],
  [
    "mailto",
    (_site, { target, label, parameters }) =>
      target === "" ? undefined : link(`mailto:${target}`, label || target, parameters),
  ],
  ["image", renderImage],
  ["video", renderVideo],
  ["guidelist", renderGuideList],
]);

/** `[https://e.org/x|label]`; without a label the address is shown. */
function renderAddress(site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^(?:https?:\/\/|\/|#|ftp:\/\/)\S/i.test(target)) return undefined;
  return link(target, label || target, parameters, isOwn(site, target));
}

/** Shown up to 40 characters, whole in the title (syntax facts, 3.3). */
function renderBare(site: Site, address: string): string {
  const shown = [...address];
  const cut = shown.length > 40 ? `${shown.slice(0, 40).join("")}...` : address;
  const title = shown.length > 40 ? ` title="${escaped(escaped(address))}"` : "";
  return `<a href="${escaped(address)}"${rel(isOwn(site, address))}${title}>${escaped(cut)}</a>`;
}

/** First path segments by the word before a page's title; other words are part of the title. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["category", "c"],
  ["topic", "Topic"],
  ["device", "Device"],
  ["item", "Item"],
  ["info", "Info"],
  ["user", "User"],
  ["team", "Team"],
  ["wiki", "Wiki"],
]);

/** `[[Topic:Title#Section_X|label]]`. */
function renderWikiLink({ target, label, parameters }: Fields): string {
  const [page = "", ...section] = target.split("#");
  const colon = page.indexOf(":");
  const folder = colon < 0 ? undefined : FOLDERS.get(page.slice(0, colon).trim().toLowerCase());
  const title = (folder === undefined ? page : page.slice(colon + 1)).trim();
  const hash = section.length === 0 ? "" : `#${encodeURIComponent(section.join("#").replaceAll(" ", "_"))}`;
  const path = title === "" ? "" : `/${folder ?? "Wiki"}/${encodeURIComponent(title.replaceAll(" ", "_"))}`;
  return link(path + hash, label || title.replaceAll("_", " "), parameters);
}

/** A missing guide loses its label too (syntax facts, 2.3). */
function renderGuide(site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^\d+$/.test(target)) return undefined;
  const guide: GuideRecord | undefined = site.guides.get(guideKey(Number(target)));
  if (guide === undefined || guide.deleted) return "[invalid guide link]";
  const step = parameters.get("stepid");
  return link(`${guidePath(guide)}/1${step === undefined ? "" : `#s${step}`}`, label || guide.title, parameters);
}

function renderDocument(_site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^\d+$/.test(target)) return undefined;
  return link(`/Document/${target}`, label || `document ${target}`, parameters);
}

function renderImage(site: Site, { target, parameters }: Fields, line: boolean): string | undefined {
  if (line || !/^\d+$/.test(target)) return undefined;
  const address = addressOf(site, Number(target), parameters.get("size") ?? "standard") ?? "";
  const align = parameters.get("align") ?? "left";
  return `<div class="imageBox imageBox_${escaped(align)}"><img src="${escaped(address)}" /></div>`;
}

const YOUTUBE = /^(?:https?:)?\/\/(?:www\.)?(?:youtube\.com\/watch\?(?:.*&)?v=|youtu\.be\/)([\w-]+)/;

function renderVideo(_site: Site, { target }: Fields, line: boolean): string | undefined {
  if (line || target === "") return undefined;
  const id = YOUTUBE.exec(target)?.[1];
  const player =
    id === undefined
      ? `<video controls src="${escaped(target)}"></video>`
      : `<div videoid=${id} class='youtube-player' src="https://www.youtube-nocookie.com/embed/${id}?wmode=opaque"></div>`;
  return `<div class="large videoFrame videoBox_center"><div class="videoBox">${player}</div></div>`;
}

/** `[guidelist|tags=a|type=how-to]`: the public guides with all of the tags, and the type. */
function renderGuideList(site: Site, { parameters }: Fields, line: boolean): string | undefined {
  if (line) return undefined;
  const tags = (parameters.get("tags") ?? "").split(",").filter((tag) => tag !== "");
  const type = parameters.get("type");
  const cells = [...site.guides.values()]
    .filter((guide) => guide.public && !guide.deleted && tags.every((tag) => guide.tags.includes(tag)))
    .filter((guide) => type === undefined || guide.type === type)
    .map(
      (guide) =>
        `<div class="cell"><a class="title" href="${escaped(guidePath(guide))}">${escaped(guide.title)}</a></div>`,
    );
  return `<div class="blurbListWide"><div class="grid">${cells.join("")}</div></div>`;
}

function link(address: string, label: string, parameters: Fields["parameters"], isOwnSite = true): string {
  const target = parameters.get("new_window") === "true" ? ' target="_blank"' : "";
  return `<a href="${escaped(address)}"${rel(isOwnSite)}${target}>${escaped(label)}</a>`;
}

function isOwn({ origin }: Site, address: string): boolean {
  return !/^[a-z]+:/i.test(address) || address === origin || address.startsWith(`${origin}/`);
}

function rel(isOwnSite: boolean): string {
  return isOwnSite ? "" : ' rel="nofollow noopener noreferrer"';
}

/** Text for HTML, also in attributes (syntax facts, 3.1). */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
