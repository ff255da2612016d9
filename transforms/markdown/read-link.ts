import type { ImageReference, LinkReference, Image as MarkdownImage, Link as MarkdownLink } from "mdast";
import { guideList, image, type LinkOptions, link, text, video } from "../wiki/build.js";
import { addressLink, type Tell, writableAddress } from "../wiki/draft.js";
import type { Inline, Link, LinkKind } from "../wiki/tree.js";
import { ALTERNATIVES, FIELD, type Media, NEW_WINDOW } from "./conventions.js";
import { type Conversion, tellAt } from "./conversion.js";

interface Resource {
  readonly url: string;
  readonly title?: string | null | undefined;
}

/** `label`: its converted children, which stay if the link cannot be written. */
export function readLink(
  node: MarkdownLink | LinkReference,
  { url, title }: Resource,
  label: readonly Inline[],
  conversion: Conversion,
): readonly Inline[] {
  const tell = tellAt(conversion, node);
  const newWindow = title === NEW_WINDOW;
  if (!newWindow && title)
    tell("link-title", "loss", `Wiki text does not have titles of links. "${title}" is left out.`);
  const overMacro = !label.every(isLabel);
  const made = makeLink(url, overMacro || isDefault(node, url) ? [] : label, newWindow);
  if (made === undefined) {
    tell("link-address", "loss", `A link cannot have the address ${JSON.stringify(url)}. Its text is kept.`);
    return label;
  }
  if (!overMacro) return [made.kind === "url" && isBare(node, url, newWindow) ? link("bare", made.target) : made];
  tell("link-over-macro", "loss", `In wiki text an image or a macro cannot be a link. The link to ${url} follows it.`);
  return [...label, text(" "), made];
}

/** A link by reference or address; an address without its own form is its label. */
function makeLink(url: string, label: readonly Inline[], newWindow: boolean): Link | undefined {
  const reference = readReference(url, { label, newWindow });
  const address = reference === undefined ? writableAddress(url) : undefined;
  if (address === undefined) return reference;
  const made = addressLink(address, label, newWindow);
  return made.kind === "url" && label.length === 0 ? addressLink(address, [text(address)], newWindow) : made;
}

/** Whether the label repeats the address, as in Markdown for a link without a label. */
function isDefault(node: MarkdownLink | LinkReference, url: string): boolean {
  const [only] = node.children;
  if (node.children.length !== 1 || only?.type !== "text") return false;
  return only.value === url || `mailto:${only.value}` === url;
}

/** Whether the Markdown of a link is only its address. */
function isBare(node: MarkdownLink | LinkReference, url: string, newWindow: boolean): boolean {
  return /^https?:/i.test(url) && !newWindow && node.type === "link" && isDefault(node, url);
}

const LABEL_TYPES: ReadonlySet<Inline["type"]> = new Set(["text", "opaque", "break"]);

/** Macros cannot be in a label. */
function isLabel(inline: Inline): boolean {
  if (inline.type === "link") return false;
  return "children" in inline ? inline.children.every(isLabel) : LABEL_TYPES.has(inline.type);
}

/** Addresses of references of the wiki syntax: the target, and a step. */
const REFERENCES: readonly (readonly [LinkKind, RegExp])[] = [
  ["guide", /^guide:(\d+)(?:\?stepid=(\d+))?$/i],
  ["document", /^document:(\d+)$/i],
  ["product", /^product:([^\s[\]|][^[\]|\n]*)$/i],
  ["wiki", /^wiki:([^\s[\]|][^[\]|\n]*)$/i],
];

/** undefined: another address. */
function readReference(url: string, options: LinkOptions): Link | undefined {
  for (const [kind, pattern] of REFERENCES) {
    const [, target, stepId] = pattern.exec(url) ?? [];
    if (target !== undefined) return link(kind, target, stepId === undefined ? options : { ...options, stepId });
  }
  return undefined;
}

/** An image, video or list of guides by its reference; an image by its address becomes a link. */
export function readImage(
  node: MarkdownImage | ImageReference,
  { url, title }: Resource,
  conversion: Conversion,
): readonly Inline[] {
  const tell = tellAt(conversion, node);
  const fields = title ? title.split("|") : [];
  const fit = fields.every((field) => FIELD.test(field));
  const media = readMedia(url, fit ? Object.fromEntries(fields.map(nameAndValue)) : {});
  if (media === undefined) return imageLink(url, node.alt, tell);
  if (!fit) tell("image-title", "loss", `Wiki text does not have titles of images. "${title}" is left out.`);
  if (node.alt !== ALTERNATIVES[media.type]) {
    tell("image-text", "loss", `Wiki text does not have alternative texts of images. "${node.alt}" is left out.`);
  }
  return [media];
}

type Values = Readonly<Record<string, string>>;

const MEDIA: readonly (readonly [RegExp, (target: string, values: Values) => Media])[] = [
  [/^image:(\d+)$/i, image],
  [/^video:([^\s[\]|][^[\]|\n]*)$/i, video],
  [/^guidelist:()$/i, (_, values) => guideList(values)],
];

function readMedia(url: string, values: Values): Media | undefined {
  for (const [pattern, build] of MEDIA) {
    const target = pattern.exec(url)?.[1];
    if (target !== undefined) return build(target, values);
  }
  return undefined;
}

function nameAndValue(field: string): readonly [string, string] {
  const equals = field.indexOf("=");
  return [field.slice(0, equals), field.slice(equals + 1)];
}

/** The site identifies images only by id. */
function imageLink(url: string, words: string | null | undefined, tell: Tell): readonly Inline[] {
  const address = writableAddress(url);
  if (address === undefined) {
    tell("image-address", "loss", `An image cannot have the address ${JSON.stringify(url)}. Its words are kept.`);
    return words ? [text(words)] : [];
  }
  tell("image-address", "loss", `Wiki text can show only images of the site. The image becomes a link to ${address}.`);
  return [addressLink(address, [text(words || address)], false)];
}
