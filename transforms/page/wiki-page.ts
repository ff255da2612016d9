import type { Line } from "../../src/core/model/guide.js";
import { addressLink, writableAddress } from "../settle/address-link.js";
import { text } from "../wiki/build-inlines.js";
import type { PageBlock } from "./block.js";
import { type BlockWriters, writeBlocks } from "./block-writers.js";
import { bulletWord } from "./bullet-words.js";
import { type Fragments, plainWiki } from "./fragments.js";
import { WORD_FOR_IMAGES } from "./labels.js";

/** A page as wiki text, in which the texts stand as they are. It has no form for marks, nor for images by address. */
export function wikiPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WRITERS, fragments).join("\n\n")}\n`;
}

const WRITERS: BlockWriters = {
  heading: ({ level, words }, { plain, tell }) => {
    if (level === 1) tell({ code: "top-heading", level: "note", message: TOP, start: 0, end: 0 });
    const marks = "=".repeat(level);
    return `${marks} ${plain(words)} ${marks}`;
  },
  words: ({ words }, { plain }) => plain(words),
  text: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => lines.map((line) => itemOf(line, fragments)).join("\n"),
  facts: ({ facts }, { plain }) =>
    facts.flatMap(({ words, more }) => [`* ${plain(words)}`, ...more.map((each) => `** ${plain(each)}`)]).join("\n"),
  image: ({ name, address }, { tell }) => {
    const message = `Wiki text has images of the site alone; ${address} is a link now.`;
    tell({ code: "image-address", level: "loss", message, start: 0, end: 0 });
    return linkTo(address, name || WORD_FOR_IMAGES);
  },
  file: ({ name, address }) => linkTo(address, name),
};

const TOP = "A heading of level 1 is not known to exist on the site, which may show it as text.";

/** An item is one line. */
function itemOf({ level, bullet, text: words }: Line, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const written = fragments.wiki(words, "line").replaceAll("\n", " ");
  return `${"*".repeat(Math.max(0, level) + 1)} ${word === undefined ? "" : `'''${word}''' `}${written}`;
}

function linkTo(address: string, name: string): string {
  const label = [text(name === "" ? address : name)];
  const written = writableAddress(address);
  return plainWiki(written === undefined ? label : [addressLink(written, label, false)]);
}
