import type { Site } from "../../state/site.js";
import { escaped } from "./escaped.js";
import { renderInlines } from "./render-inlines.js";

/** HTML of a page's text: blocks with a blank line between them (syntax facts, 2.1). */
export function renderBlocks(site: Site, raw: string): string {
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
  /** At the beginning of what is left; takes at least one character. */
  readonly pattern: RegExp;
  readonly render: (site: Site, match: RegExpExecArray) => string;
}

const HEADING = /^(={1,6}) *(.+?) *\1 *(?:\n|$)/;
const ITEMS = /^(?:[*#]+[^\n]*(?:\n|$))+/;

/** The first that fits. Data about the page shows nothing (syntax facts, 2.5). */
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
  const said = name.split("|").filter((field) => field !== "" && !field.startsWith("format="));
  const by = said.length === 0 ? "" : `\n\n<p class="quoted">${renderInlines(site, said.join("|"), false)}</p>`;
  return `<blockquote>${renderBlocks(site, text)}${by}</blockquote>`;
}

/** Media stand in boxes of their own, outside of paragraphs. */
function renderParagraph(site: Site, text: string): string {
  const html = renderInlines(site, text, false);
  return /^<div/.test(html) && html.endsWith("</div>") ? html : `<p>${html}</p>`;
}

/** The innermost marker says what kind of list an item begins. */
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
