import { unescape as decodePercents } from "node:querystring";
import { originLength, type SiteAddresses } from "../../references/site-addresses.js";
import { link } from "../../wiki/build-inlines.js";
import type { Inline, Link } from "../../wiki/tree.js";
import { linkGoal } from "../link-goal.js";
import { plainText } from "../plain-text.js";
import { createResolver } from "../resolver.js";
import type { FromHtmlOptions } from "./reading.js";

/** A link by id, code or title, where an address on the site says one (wiki-syntax 2.3); undefined for all others. */
export function siteLink(
  address: string,
  label: readonly Inline[],
  newWindow: boolean,
  isDocument: boolean,
  options: FromHtmlOptions,
): Link | undefined {
  const { site = NOWHERE, mediaId } = options;
  const known = isDocument ? mediaId?.("document", address) : undefined;
  if (known !== undefined) return link("document", known, { label, newWindow });
  const length = originLength(address, site);
  if (length === undefined) return undefined;
  const path = address.slice(length);
  for (const read of READERS) {
    const found = read(path, label, newWindow);
    if (found !== undefined) return found;
  }
  return undefined;
}

const NOWHERE: SiteAddresses = { origin: "https://site.invalid", hosts: [] };

type Reader = (path: string, label: readonly Inline[], newWindow: boolean) => Link | undefined;

// The whole address must be of the form: what more it says (a query, a translation) would be lost.
const GUIDE =
  /^\/(?:Guide|Teardown|Anleitung|Tutoriel|Gu[ií]a|Gu%C3%ADa|Guida)\/[^/?#]*\/(\d+)(?:\/\d+)?(?:#s(\d+))?$/i;
const DOCUMENT = /^\/Document\/([^/?#]+)(?:\/[^/?#]*)?$/i;
const PRODUCT = /^\/[^/?#]+\/[^/?#]+\/([A-Z]{2}\d{3}-\d{3}(?:-\d+)?)$/;
// Where nobody knows a product's title, its address has none, and whatever stands behind is its code (`productGoal`).
const UNTITLED_PRODUCT = /^\/Tools\/-\/([^/?#]+)$/;
const PAGE = /^\/(Wiki|Topic|Device|c|Item|Info)\/([^?#|[\]+]+)(?:#([^?#|[\]]+))?$/;

const READERS: readonly Reader[] = [
  (path, label, newWindow) => {
    const [, id, stepId] = GUIDE.exec(path) ?? [];
    if (id === undefined) return undefined;
    return link("guide", id, { label, newWindow, ...(stepId === undefined ? {} : { stepId }) });
  },
  (path, label, newWindow) => {
    const id = decode(DOCUMENT.exec(path)?.[1] ?? "");
    return id === undefined || !WRITABLE.test(id) ? undefined : link("document", id, { label, newWindow });
  },
  (path, label, newWindow) => {
    const code = PRODUCT.exec(path)?.[1] ?? decode(UNTITLED_PRODUCT.exec(path)?.[1] ?? "");
    if (code === undefined || !WRITABLE.test(code) || code.trim() !== code) return undefined;
    return link("product", code, plainText(label) === code ? { newWindow } : { label, newWindow });
  },
  readPage,
];

/** `/Topic/X` keeps its old word, so that the link leads where it led; the letter of categories is no word. */
const WORDS: Readonly<Record<string, string>> = { c: "Category" };

/** A wiki link, unless it would lead elsewhere: a plus sign may be a blank there, and people's pages have no titles. */
function readPage(path: string, label: readonly Inline[], newWindow: boolean): Link | undefined {
  const [, folder = "", written, section] = PAGE.exec(path) ?? [];
  const title = written === undefined ? undefined : decode(written)?.replaceAll("_", " ");
  const anchor = section === undefined ? undefined : decode(section);
  if (title === undefined) return undefined;
  const plain = folder === "Wiki" && !title.includes(":") ? title : `${WORDS[folder] ?? folder}:${title}`;
  const target = anchor === undefined ? plain : `${plain}#${anchor}`;
  const found = link("wiki", target, plainText(label) === title ? { newWindow } : { label, newWindow });
  return WRITABLE.test(target) && leadsTo(found, path) ? found : undefined;
}

const WRITABLE = /^[^|[\]\p{Cc}]+$/u;

function leadsTo(found: Link, path: string): boolean {
  const goal = linkGoal(found, createResolver());
  return typeof goal === "object" && sameAddress(goal.address, path);
}

/** Some sites encode more characters than others. */
function sameAddress(one: string, other: string): boolean {
  return decode(one) === decode(other);
}

/** undefined for what is not encoded well: nobody knows what the site reads there. */
function decode(text: string): string | undefined {
  const decoded = decodePercents(text);
  return /%(?![\da-f]{2})/i.test(text) || decoded.includes("\uFFFD") ? undefined : decoded;
}
