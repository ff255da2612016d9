import type { Reference } from "../references/reference.js";
import { addressReference, numberReference } from "../references/rewrite-references.js";
import type { SiteAddresses } from "../references/site-addresses.js";
import { decodeHtml, type OpenToken, readTags, SKIPPED } from "./from/tags.js";

/** An attribute that refers to something. */
export interface HtmlReference {
  /** Lower case: `href`. */
  readonly name: string;
  /** Without character references. */
  readonly value: string;
  /** Its spans count from the beginning of `value`. */
  readonly reference: Reference;
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
const ATTRIBUTE = /[\s/]*(=?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g;

function referencesIn(html: string, { name, start, end }: OpenToken, site: SiteAddresses): readonly HtmlReference[] {
  const attributes = html.slice(start + 1 + name.length, end - 1).matchAll(ATTRIBUTE);
  return [...attributes].flatMap((match) => referenceIn(match, site) ?? []);
}

function referenceIn(match: RegExpExecArray, site: SiteAddresses): HtmlReference | undefined {
  const [, name, double, single, bare] = match;
  const written = double ?? single ?? bare;
  const read = READERS.get(String(name).toLowerCase());
  if (read === undefined || written === undefined) return undefined;
  const value = decodeHtml(written);
  const reference = read(value, site);
  return reference === undefined ? undefined : { name: String(name).toLowerCase(), value, reference };
}
