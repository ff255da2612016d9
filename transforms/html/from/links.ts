import { unescape as decodePercents } from "node:querystring";
import type { Element } from "hast";
import { originLength, type SiteAddresses } from "../../references/site-addresses.js";
import { isBlank } from "../../wiki/blanks.js";
import { embed, image, link, text, video } from "../../wiki/build.js";
import { addressLink, writableAddress } from "../../wiki/draft.js";
import { isMedium } from "../../wiki/leaves.js";
import { bareAddressesIn } from "../../wiki/parse/inlines.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Inline, Link } from "../../wiki/tree.js";
import { createResolver, resolveLink } from "../resolver.js";
import { type Conversion, classesOf, type FromHtmlOptions, type Handler, type Item, property } from "./conversion.js";
import { BLANK, flatten, tellOf } from "./words.js";

/** A link by id or title on the site, otherwise by address; `href` decides, not a cut label. */
export const readLink: Handler = (element, content, conversion) => {
  const words = flatten(content, BLANK, tellOf(element, conversion));
  const media = words.filter(isMedium);
  const label = words.filter((word) => !isMedium(word)).map(labelWord);
  if (media.length > 0) reportMedia(element, conversion);
  if (isBlank(plainText(label)) || isSectionMark(label)) return media;
  reportTitle(element, [property(element, "href"), plainText(label)], conversion);
  const file = fileLink(property(element, "href").trim(), label, conversion);
  if (file !== undefined) return [...media, file];
  return [...media, ...linkTo(property(element, "href"), label, element, conversion)];
};

/**
 * A known file at a relative path: a document link, or on a page a medium if the label is its path.
 */
function fileLink(href: string, label: readonly Inline[], { options, inLink }: Conversion): Item | undefined {
  if (options.mediaId === undefined || inLink || /^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(href)) return undefined;
  const isShown = options.context === "page" && [href, "image", "video"].includes(plainText(label).trim());
  const pictureId = isShown ? options.mediaId("image", href) : undefined;
  if (pictureId !== undefined) return image(pictureId);
  const filmId = isShown ? options.mediaId("video", href) : undefined;
  if (filmId !== undefined) return embed(video(filmId));
  const documentId = options.mediaId("document", href);
  return documentId === undefined ? undefined : link("document", documentId, { label });
}

/** A label holds words and marks: a link in a link is its label, a break a blank. */
function labelWord(word: Inline): Inline {
  if (word.type === "link") return { type: "text", value: plainText([word]) };
  if (word.type === "break") return { type: "text", value: " " };
  return "children" in word ? { ...word, children: word.children.map(labelWord) } : word;
}

function reportMedia(element: Element, conversion: Conversion): void {
  const message = `The picture that links to "${property(element, "href")}" stays and its link is left out, because wiki text does not have linked images.`;
  conversion.report("linked-image", "loss", message, element);
}

/** Titles of the site repeat the address, escaped twice (wiki-syntax 3.3), and are not reported. */
function reportTitle(element: Element, known: readonly string[], { report }: Conversion): void {
  const title = property(element, "title").trim();
  if (title === "" || known.some((each) => each.trim() === title.replaceAll("&amp;", "&"))) return;
  report(
    "title-dropped",
    "loss",
    `The title ${JSON.stringify(title.slice(0, 100))} has no place in wiki text.`,
    element,
  );
}

/** Reports the long form. */
export const readAbbreviation: Handler = (element, content, conversion) => {
  reportTitle(element, [], conversion);
  return content;
};

/** `¶` after headings of 2011 to 2013 without its class (wiki-syntax 2.1.1). */
function isSectionMark(label: readonly Inline[]): boolean {
  return plainText(label).trim() === "¶";
}

function linkTo(href: string, label: readonly Inline[], element: Element, conversion: Conversion): readonly Inline[] {
  const newWindow = property(element, "target") === "_blank";
  const address = writableAddress(href);
  if (address === undefined || !WRITTEN.test(address)) {
    if (href !== "") reportUnlinked(href, element, conversion);
    return label;
  }
  if (address === `mailto:${plainText(label)}`) return [link("mailto", plainText(label), { newWindow })];
  const isDocument = classesOf(element).includes("docLink");
  const own = siteLink(withoutTracking(address), label, newWindow, isDocument, conversion.options);
  if (own !== undefined) return [own];
  if (!isAutomatic(address, label)) return [addressLink(address, label, newWindow)];
  return [isBare(address) && !newWindow ? link("bare", address) : addressLink(address, [text(address)], newWindow)];
}

/** On a page, only headings and steps can be link targets: wiki text marks no other places. */
const WRITTEN = /^(?:(?:https?|ftps?|mailto):|\/|#Section_|#s\d+$)/i;

function reportUnlinked(href: string, element: Element, conversion: Conversion): void {
  const message = `A link to "${href.slice(0, 100)}" cannot be written. Its label is kept.`;
  conversion.report("link-dropped", "loss", message, element);
}

/** Parameters of product links (2011, wiki-syntax 2.3); the rest names the product. */
function withoutTracking(address: string): string {
  const [, before = "", query = "", after = ""] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(address) ?? [];
  const fields = query.split("&");
  const kept = fields.filter((field) => !/^utm_\w+=/.test(field));
  if (kept.length === fields.length) return address;
  return before + (kept.length === 0 ? "" : `?${kept.join("&")}`) + after;
}

/** Whether the site made the link from an address: the label is its beginning (wiki-syntax 3.3). */
function isAutomatic(address: string, label: readonly Inline[]): boolean {
  const [only] = label;
  if (only?.type !== "text" || label.length > 1 || !/^https?:\/\//i.test(address)) return false;
  const shown = only.value.trim();
  return shown === address || (shown.endsWith("...") && address.startsWith(shown.slice(0, -3)) && shown.length > 20);
}

/** Whether running text reads the whole address as one; normalisation handles marks. */
function isBare(address: string): boolean {
  const [only] = bareAddressesIn(address);
  return only?.start === 0 && only.end === address.length;
}

/** The macro of an address on the site (wiki-syntax 2.3); undefined: another address. */
function siteLink(
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

// Matches whole addresses, so that a query or a translation is not lost.
const GUIDE =
  /^\/(?:Guide|Teardown|Anleitung|Tutoriel|Gu[ií]a|Gu%C3%ADa|Guida)\/[^/?#]*\/(\d+)(?:\/\d+)?(?:#s(\d+))?$/i;
const DOCUMENT = /^\/Document\/([^/?#]+)(?:\/[^/?#]*)?$/i;
const PRODUCT = /^\/[^/?#]+\/[^/?#]+\/([A-Z]{2}\d{3}-\d{3}(?:-\d+)?)$/;
// The address of a product without a known title, with its code.
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

/** `/Topic/X` keeps its old word and so its target; the letter of categories is not a word. */
const WORDS: Readonly<Record<string, string>> = { c: "Category" };

/** A wiki link with the same target: plus signs can be blanks; people's pages have no titles. */
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
  const linkTarget = resolveLink(found, createResolver());
  return typeof linkTarget === "object" && sameAddress(linkTarget.address, path);
}

/** Some sites encode more characters than others. */
function sameAddress(one: string, other: string): boolean {
  return decode(one) === decode(other);
}

/** undefined: malformed encoding, whose meaning on the site is unknown. */
function decode(text: string): string | undefined {
  const decoded = decodePercents(text);
  return /%(?![\da-f]{2})/i.test(text) || decoded.includes("\uFFFD") ? undefined : decoded;
}
