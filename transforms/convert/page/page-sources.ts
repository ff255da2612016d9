import { embed, image } from "../../wiki/build.js";
import type { Tell } from "../../wiki/draft.js";
import { parse } from "../../wiki/parse.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Block } from "../../wiki/tree.js";
import { siteOf } from "../convert.js";
import type { ConvertIssue, PageFormat } from "../formats.js";
import { htmlSource } from "./html-source.js";
import { WORD_FOR_IMAGES } from "./labels.js";
import { markdownSource } from "./markdown-source.js";
import { linkAlone } from "./page-blocks.js";
import { ImageTable, type PagePiece, type PageSource } from "./page-source.js";

/**
 * A page in wiki text as its pieces. A link to a picture or film that stands alone is that: a page
 * has no other form for it.
 */
function wikiSource(wiki: string): PageSource {
  const { tree, issues: noted } = parse(wiki, { context: "page" });
  const issues: ConvertIssue[] = [...noted];
  const table = new ImageTable();
  const blocks = tree.type === "page" ? tree.children : [];
  const pieces = blocks.map((block): PagePiece => {
    const { start, end } = block.position ?? { start: 0, end: 0 };
    const tell: Tell = (code, level, message) => void issues.push({ code, level, message, start, end });
    const shown = mediumOf(block, table) ?? block;
    if (shown.type === "file") return { ...shown, tell };
    return { type: "block", draft: { block: shown, tell } };
  });
  return { pieces, images: table.images, issues };
}

const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)(?:[?#].*)?$/i;
const FILM = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#].*)?$/i;

type File = Omit<Extract<PagePiece, { type: "file" }>, "tell">;

function mediumOf(block: Block, table: ImageTable): Block | File | undefined {
  const found = linkAlone(block);
  if (found === undefined) return undefined;
  const address = found.target.trim();
  const label = plainText(found.children);
  const name = label === address || label === WORD_FOR_IMAGES ? "" : label;
  if (FILM.test(address) || FILM.test(name)) return { type: "file", role: "video", id: null, name, address };
  if (label !== WORD_FOR_IMAGES && !PICTURE.test(address) && !PICTURE.test(name)) return undefined;
  const id = table.take(address, name);
  return id === undefined ? undefined : embed(image(id));
}

/** Takes a page apart, by its format. `origin`: the site that it belongs to, as for texts. */
export const PAGE_SOURCES: Readonly<Record<PageFormat, (text: string, origin: string | undefined) => PageSource>> = {
  markdown: markdownSource,
  html: (text, origin) => htmlSource(text, siteOf(origin)),
  wiki: wikiSource,
};
