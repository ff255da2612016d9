import type { Line } from "../../src/core/model/guide.js";
import { element, voidElement } from "../html/escape-html.js";
import type { Fact, PageBlock } from "./block.js";
import { type BlockWriters, writeBlocks } from "./block-writers.js";
import { beginsLikeSign, bulletWord } from "./bullet-words.js";
import type { Fragments } from "./fragments.js";
import { fileTitle } from "./marks.js";
import { standsApart } from "./stands-apart.js";

/** A page as HTML: what stands in a body. */
export function htmlPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WRITERS, fragments).join("\n")}\n`;
}

const WRITERS: BlockWriters = {
  heading: ({ level, words }, { plain }) => element(`h${level}`, {}, plain(words)),
  words: ({ words }, { plain }) => element("p", {}, plain(words)),
  text: ({ field, wiki }, fragments) => {
    const written = fragments.wiki(wiki, "page");
    return standsApart(wiki) ? element("div", { class: field }, `\n${written}\n`) : written;
  },
  medium: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => listOf(lines, fragments),
  facts: ({ facts }, { plain }) => element("ul", {}, facts.map((fact) => factOf(fact, plain)).join("")),
  image: ({ name, address }) => element("p", {}, voidElement("img", { src: address, alt: name })),
  file: ({ role, name, address, id }, { plain }) =>
    element("p", {}, element("a", { href: address, title: fileTitle(role, id) }, plain(name))),
};

function factOf({ words, more }: Fact, plain: Fragments["plain"]): string {
  const below = more.length === 0 ? "" : element("ul", {}, more.map((each) => element("li", {}, plain(each))).join(""));
  return element("li", {}, plain(words) + below);
}

/** Lines below each other by their level; a level that is jumped over has a list, but no line. */
function listOf(lines: readonly Line[], fragments: Fragments): string {
  let html = "";
  let depth = 0;
  for (const line of lines) {
    const level = Math.max(0, line.level);
    html +=
      depth > level ? `${"</li></ul>".repeat(depth - level - 1)}</li>` : `<ul>${"<li><ul>".repeat(level - depth)}`;
    depth = level + 1;
    html += itemOf(line, fragments);
  }
  return html + "</li></ul>".repeat(depth);
}

/** Its end is written with what follows. The class is there where the words alone would be read as another bullet's, or as none. */
function itemOf({ bullet, text }: Line, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const words = fragments.wiki(text, "line");
  const isOdd = bullet !== "black" || words === "" || beginsLikeSign(words, "<strong>");
  return `<li${isOdd ? ` class="${bullet.replace(/[^\w-]/g, "")}"` : ""}>${word === undefined ? "" : `<strong>${word}</strong> `}${words}`;
}
