import type { Site } from "../../state/site.js";
import { escaped } from "./escaped.js";
import { type Fields, MACROS, renderAddress, renderBare, renderWikiLink } from "./macros.js";

/** Wiki links, macros and links in brackets, forced breaks, and addresses in running text. */
const MARKUP =
  /\[\[([^[\]]+)\]\]|\[(\w+)\|([^[\]]*)\]|\[((?:https?:\/\/|\/)[^[\]]*)\]|(\[br\]\n?)|((?:https?:\/\/)[^\s[\]|<>"]*[^\s[\]|<>".,;:!?')])/gi;

/** What was rendered already waits behind a mark that no text has, so that marks in addresses are none. */
const MARK = /\uE000(\d+)\uE001/g;

/** HTML of words: links and macros first, then marks around them (syntax facts, 2.2 and 2.3). */
export function renderInlines(site: Site, raw: string, line: boolean): string {
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

/** Only these are parameters; whatever else has an equals sign is label (syntax facts, 7). */
const PARAMETER = /^(new_window|stepid|size|align|tags|type)=(.*)$/is;

function fieldsOf(written: string): Fields {
  const [first = "", ...more] = written.split("|");
  // A list of guides has parameters alone.
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
