import type { Reference, Span } from "../references/reference.js";
import type { RewriteReport, SiteOptions } from "../references/rewrite-options.js";
import {
  addressReference,
  applyEdits,
  type Edit,
  numberReference,
  put,
  remove,
  rewriteValue,
} from "../references/rewrite-references.js";
import type { SiteAddresses } from "../references/site-addresses.js";
import { decodeHtml, type OpenToken, readTags, SKIPPED } from "./from/tags.js";
import { escapeHtml } from "./writing.js";

/**
 * An attribute that refers to something; `start` and `end` are those of its value, without quotes.
 */
export interface HtmlReference extends Span {
  /** Lower case: `href`. */
  readonly name: string;
  /** Without character references. */
  readonly value: string;
  /** Its spans count from the beginning of `value`. */
  readonly reference: Reference;
  /** The whole attribute with the blanks before it. */
  readonly attribute: Span;
  /** What stands around the value. */
  readonly quote: '"' | "'" | "";
}

/**
 * The references in rendered HTML: addresses on the site in links and media, and the numbers that
 * media have in `data-` attributes. Any string is read, and in time in proportion to its length;
 * what is inside of comments and scripts is none.
 */
export function htmlReferences(html: string, site: SiteAddresses): readonly HtmlReference[] {
  return readTags(html, RAW_TEXT).flatMap((token) => (token.type === "open" ? referencesIn(html, token, site) : []));
}

/** Elements in which no tag is one. Others that are not shown may be shown by a script. */
const RAW_TEXT: ReadonlyMap<string, boolean> = new Map([...SKIPPED].filter(([, goesOn]) => goesOn));

type Reader = (value: string, site: SiteAddresses) => Reference | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["href", addressReference],
  ["src", addressReference],
  ["poster", addressReference],
  ["data-imageid", (value) => numberReference("image", value)],
  ["data-videoid", (value) => numberReference("video", value)],
  ["data-documentid", (value) => numberReference("document", value)],
  ["data-guideid", (value) => numberReference("guide", value)],
]);

/** By the rules of `readTags` (HTML standard 13.2.5). */
const ATTRIBUTE = /[\s/]*(=?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/dg;

function referencesIn(html: string, { name, start, end }: OpenToken, site: SiteAddresses): readonly HtmlReference[] {
  const from = start + 1 + name.length;
  return [...html.slice(from, end - 1).matchAll(ATTRIBUTE)].flatMap((match) => referenceIn(match, from, site) ?? []);
}

function referenceIn(match: RegExpExecArray, from: number, site: SiteAddresses): HtmlReference | undefined {
  const [whole, name, double, single, bare] = match;
  const written = double ?? single ?? bare;
  const read = READERS.get(String(name).toLowerCase());
  if (read === undefined || written === undefined) return undefined;
  const value = decodeHtml(written);
  const reference = read(value, site);
  if (reference === undefined) return undefined;
  const quote = QUOTES[double === undefined ? (single === undefined ? "bare" : "single") : "double"];
  const attribute = { start: from + match.index, end: from + match.index + whole.length };
  const end = attribute.end - quote.length;
  return { name: String(name).toLowerCase(), value, reference, attribute, start: end - written.length, end, quote };
}

const QUOTES = { double: '"', single: "'", bare: "" } as const;

export interface RewrittenHtml extends RewriteReport {
  readonly html: string;
}

/**
 * Rendered HTML with its references pointed home, where there is nothing but HTML: a text that has
 * wiki syntax is rewritten there. Everything outside of the attributes that refer stays byte for
 * byte. Where `dangling` or `later` asks for a label, the attribute goes and the element's content
 * stays; a number whose goal has none at the target goes in any case.
 */
export function rewriteHtml(html: string, options: SiteOptions): RewrittenHtml {
  const rewritten = htmlReferences(html, options.source).map((found) => ({
    found,
    ...rewriteValue(found.value, found.reference, options),
  }));
  return {
    html: applyEdits(
      html,
      rewritten.flatMap(({ found, value }) => editsOf(found, value)),
    ),
    missing: [...new Set(rewritten.flatMap(({ missing }) => missing))],
    dangling: rewritten.flatMap(({ dangling }) => dangling),
  };
}

function editsOf(found: HtmlReference, value: string | null): readonly Edit[] {
  if (value === null) return [remove(found.attribute)];
  return value === found.value ? [] : [put(found, quoted(value, found.quote))];
}

function quoted(value: string, quote: HtmlReference["quote"]): string {
  const written = escapeHtml(value);
  if (quote === "") return `"${written}"`;
  return quote === "'" ? written.replaceAll("'", "&#39;") : written;
}
