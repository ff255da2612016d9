import type { Key } from "../../../src/core/model/key.js";
import { plainText } from "../../html/plain-text.js";
import type { Tell } from "../../settle/draft.js";
import type { Block, Link } from "../../wiki/tree.js";
import { linkAlone, onlyLink } from "./link-alone.js";
import type { PageFile, PageReading } from "./page-reading.js";
import type { PagePiece } from "./page-source.js";

/** The documents that a piece under the heading of documents names; undefined where it says anything else. */
export function documentsOf(piece: PagePiece, reading: PageReading, before: number): readonly Key[] | undefined {
  const files = filesOf(piece);
  const keys = files?.map((file, index) => reading.useFile("document", file, `documents[${before + index}]`));
  return keys?.every((key) => key !== undefined) ? keys : undefined;
}

function filesOf(piece: PagePiece): readonly PageFile[] | undefined {
  if (piece.type === "file") return piece.role === "document" ? [piece] : undefined;
  return piece.type === "block" ? linksOf(piece.draft.block)?.map((link) => fileOf(link, piece.draft.tell)) : undefined;
}

/** A link, or a list of links. */
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
