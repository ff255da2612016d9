import type { Key } from "../../../src/core/model/key.js";
import { isBlank } from "../../wiki/blanks.js";
import { paragraph, text } from "../../wiki/build.js";
import { addressLink, type Draft, type Tell, writableAddress } from "../../wiki/draft.js";
import { mapInlines, plainText } from "../../wiki/read-tree.js";
import type { Block, Image, Inline, Link } from "../../wiki/tree.js";
import type { PageFile, PagePiece, PageReading } from "./page-source.js";

/** Empty for a block with other content. */
export function imagesAlone(block: Block): readonly Image[] {
  const inlines = inlinesOf(block);
  const images = inlines.filter((inline) => inline.type === "image");
  return inlines.every((inline) => inline.type === "image" || showsNothing(inline)) ? images : [];
}

function inlinesOf(block: Block): readonly Inline[] {
  if (block.type === "embed") return [block.child];
  return block.type === "paragraph" ? block.children : [text("x")];
}

function showsNothing(inline: Inline): boolean {
  return inline.type === "break" || (inline.type === "text" && isBlank(inline.value));
}

export function withoutImages(inlines: readonly Inline[]): {
  readonly words: readonly Inline[];
  readonly images: readonly Image[];
} {
  const images: Image[] = [];
  const strip = (list: readonly Inline[]): readonly Inline[] =>
    list.flatMap((inline): readonly Inline[] => {
      if (inline.type === "image") {
        images.push(inline);
        return [];
      }
      return "children" in inline ? [{ ...inline, children: strip(inline.children) }] : [inline];
    });
  const words = strip(inlines);
  return {
    words: images.length === 0 ? words : words.slice(0, words.findLastIndex((word) => !showsNothing(word)) + 1),
    images,
  };
}

/** Images by address become links: texts have images by their ids on a site. */
export function asText({ block, tell }: Draft, reading: PageReading): Draft {
  const change = (inlines: readonly Inline[]): readonly Inline[] =>
    inlines.flatMap((each) => linked(each, reading, tell));
  if (block.type === "embed" && block.child.type === "image" && reading.imageAt(block.child.target) !== undefined)
    return { block: paragraph(change([block.child])), tell };
  return { block: mapInlines(block, change), tell };
}

function linked(inline: Inline, reading: PageReading, tell: Tell): readonly Inline[] {
  if (inline.type === "image") {
    const found = reading.imageAt(inline.target);
    return found === undefined ? [inline] : [imageLink(found, tell)];
  }
  if (!("children" in inline)) return [inline];
  return reachable([{ ...inline, children: inline.children.flatMap((child) => linked(child, reading, tell)) }], tell);
}

/** Replaces links to paths, which a guide cannot have, by words, and reports them. */
export function reachable(inlines: readonly Inline[], tell: Tell): readonly Inline[] {
  return inlines.flatMap((inline): readonly Inline[] => {
    if (inline.type !== "link")
      return "children" in inline ? [{ ...inline, children: reachable(inline.children, tell) }] : [inline];
    const target = inline.target.trim();
    if (inline.kind !== "url" || REACHED.test(target)) return [inline];
    tell(
      "link-address",
      "loss",
      `A link of a guide cannot have the address ${JSON.stringify(target.slice(0, 100))}. It becomes plain words.`,
    );
    return [...inline.children, text(plainText(inline.children) === target ? "" : ` (${target})`)];
  });
}

/** Addresses of the web and of the site, and places on the page. */
const REACHED = /^(?:(?:https?|ftps?|mailto):|\/|#)/i;

/** Words where a guide cannot have the link. */
export function imageLink(image: { readonly address: string; readonly words: string }, tell: Tell): Inline {
  const { address, words } = image;
  tell(
    "image-address",
    "loss",
    `A text can show only images of the site. This image becomes a link to ${address.slice(0, 100)}.`,
  );
  return fileLink({ name: words, address });
}

/** A file becomes a link to it. */
export function draftsOf(piece: PagePiece): readonly Draft[] {
  if (piece.type === "block") return [piece.draft];
  if (piece.type === "text") return piece.drafts;
  return [{ block: paragraph([fileLink(piece)]), tell: piece.tell }];
}

/** Words where a guide cannot have the link. */
export function fileLink({ name, address }: { readonly name: string; readonly address: string }): Inline {
  const written = /^https?:\/\//i.test(address) ? writableAddress(address) : undefined;
  if (written !== undefined) return addressLink(written, [text(name || address)], false);
  return text(name === "" || name === address ? address : `${name} (${address})`);
}

/** undefined: the piece has other content. */
export function documentsOf(piece: PagePiece, reading: PageReading, before: number): readonly Key[] | undefined {
  const files = filesOf(piece);
  const keys = files?.map((file, index) => reading.useFile("document", file, `documents[${before + index}]`));
  return keys?.every((key) => key !== undefined) ? keys : undefined;
}

function filesOf(piece: PagePiece): readonly PageFile[] | undefined {
  if (piece.type === "file") return piece.role === "document" ? [piece] : undefined;
  return piece.type === "block" ? linksOf(piece.draft.block)?.map((link) => fileOf(link, piece.draft.tell)) : undefined;
}

function linksOf(block: Block): readonly Link[] | undefined {
  const links = block.type === "list" ? block.children.map(linkOfItem) : [linkAlone(block)];
  return links.every((link) => link !== undefined) ? links : undefined;
}

function linkOfItem({ children, lists }: Extract<Block, { type: "list" }>["children"][number]): Link | undefined {
  return lists.length === 0 ? onlyLink(children) : undefined;
}

function fileOf({ target, children }: Link, tell: Tell): PageFile {
  return { name: plainText(children), address: target.trim(), id: null, tell };
}

/** undefined: any other block. */
export function linkAlone(block: Block): Link | undefined {
  return block.type === "paragraph" ? onlyLink(block.children) : undefined;
}

function onlyLink(inlines: readonly Inline[]): Link | undefined {
  const [only, ...more] = inlines.filter((inline) => inline.type !== "text" || !isBlank(inline.value));
  const isAddress = only?.type === "link" && (only.kind === "url" || only.kind === "bare");
  return isAddress && more.length === 0 ? only : undefined;
}
