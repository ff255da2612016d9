import type { Element } from "hast";
import { addressLink, writableAddress } from "../../settle/address-link.js";
import { isBlank } from "../../settle/blanks.js";
import { embed } from "../../wiki/build.js";
import { image, link, text, video } from "../../wiki/build-inlines.js";
import { bareAddressesIn } from "../../wiki/parse/bare-address.js";
import type { Inline } from "../../wiki/tree.js";
import { plainText } from "../plain-text.js";
import { BLANK, flatten, tellOf } from "./flatten.js";
import { type Item, isMedium } from "./item.js";
import { classesOf, type Handler, property, type Reading } from "./reading.js";
import { siteLink } from "./site-link.js";

/** A link: by id or title where its address is of the site, by its address otherwise; `href` counts, never a cut label. */
export const readLink: Handler = (element, content, reading) => {
  const words = flatten(content, BLANK, tellOf(element, reading));
  const media = words.filter(isMedium);
  const label = words.filter((word) => !isMedium(word)).map(labelWord);
  if (media.length > 0) reportMedia(element, reading);
  if (isBlank(plainText(label)) || isSectionMark(label)) return media;
  reportTitle(element, [property(element, "href"), plainText(label)], reading);
  const file = fileLink(property(element, "href").trim(), label, reading);
  if (file !== undefined) return [...media, file];
  return [...media, ...linkTo(property(element, "href"), label, element, reading)];
};

/**
 * A relative path that the caller knows the file of: a picture or film is shown whose label says no more than its path, a document is linked to.
 * A step line shows neither.
 */
function fileLink(href: string, label: readonly Inline[], { options, inLink }: Reading): Item | undefined {
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

function reportMedia(element: Element, reading: Reading): void {
  const message = `The picture that links to "${property(element, "href")}" stays, the link goes: the syntax has no such links.`;
  reading.report("linked-image", "loss", message, element);
}

/** A title that says something; the site's own repeat the address, and escape it twice (wiki-syntax 3.3). */
function reportTitle(element: Element, known: readonly string[], { report }: Reading): void {
  const title = property(element, "title").trim();
  if (title === "" || known.some((each) => each.trim() === title.replaceAll("&amp;", "&"))) return;
  report(
    "title-dropped",
    "loss",
    `The title ${JSON.stringify(title.slice(0, 100))} has no place in wiki text.`,
    element,
  );
}

/** The long form of a short one. */
export const readAbbreviation: Handler = (element, content, reading) => {
  reportTitle(element, [], reading);
  return content;
};

/** `¶` behind headings of 2011 to 2013, in case its class is lost (wiki-syntax 2.1.1). */
function isSectionMark(label: readonly Inline[]): boolean {
  return plainText(label).trim() === "¶";
}

function linkTo(href: string, label: readonly Inline[], element: Element, reading: Reading): readonly Inline[] {
  const newWindow = property(element, "target") === "_blank";
  const address = writableAddress(href);
  if (address === undefined || !WRITTEN.test(address)) {
    if (href !== "") reportUnlinked(href, element, reading);
    return label;
  }
  if (address === `mailto:${plainText(label)}`) return [link("mailto", plainText(label), { newWindow })];
  const isDocument = classesOf(element).includes("docLink");
  const own = siteLink(withoutTracking(address), label, newWindow, isDocument, reading.options);
  if (own !== undefined) return [own];
  if (!isAutomatic(address, label)) return [addressLink(address, label, newWindow)];
  return [isBare(address) && !newWindow ? link("bare", address) : addressLink(address, [text(address)], newWindow)];
}

/** Of places on a page only headings and steps: what else a page has marked, wiki text cannot mark again. */
const WRITTEN = /^(?:(?:https?|ftps?|mailto):|\/|#Section_|#s\d+$)/i;

function reportUnlinked(href: string, element: Element, reading: Reading): void {
  const message = `A link to "${href.slice(0, 100)}" cannot be written; its label stands for it.`;
  reading.report("link-dropped", "loss", message, element);
}

/** The site adds these to its links to products (2011, wiki-syntax 2.3): without them the address says the product alone. */
function withoutTracking(address: string): string {
  const [, before = "", query = "", after = ""] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(address) ?? [];
  const fields = query.split("&");
  const kept = fields.filter((field) => !/^utm_\w+=/.test(field));
  if (kept.length === fields.length) return address;
  return before + (kept.length === 0 ? "" : `?${kept.join("&")}`) + after;
}

/** Whether the site made the link of an address in running text: the label is the address, or its beginning (wiki-syntax 3.3). */
function isAutomatic(address: string, label: readonly Inline[]): boolean {
  const [only] = label;
  if (only?.type !== "text" || label.length > 1 || !/^https?:\/\//i.test(address)) return false;
  const shown = only.value.trim();
  return shown === address || (shown.endsWith("...") && address.startsWith(shown.slice(0, -3)) && shown.length > 20);
}

/** Whether running text holds the whole address as one; marks around it are the settling's business. */
function isBare(address: string): boolean {
  const [only] = bareAddressesIn(address);
  return only?.start === 0 && only.end === address.length;
}
