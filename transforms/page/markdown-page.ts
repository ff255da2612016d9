import type { Line } from "../../src/model/guide.js";
import type { PageBlock } from "./block.js";
import { type BlockWriters, writeBlocks } from "./block-writers.js";
import { bulletWord } from "./bullet-words.js";
import type { Fragments } from "./fragments.js";

/** A page as Markdown. */
export function markdownPage(blocks: readonly PageBlock[], fragments: Fragments): string {
  return `${writeBlocks(blocks, WRITERS, fragments).join("\n\n")}\n`;
}

const WRITERS: BlockWriters = {
  heading: ({ level, words }, { plain }) => `${"#".repeat(level)} ${plain(words)}`,
  words: ({ words }, { plain }) => plain(words),
  text: ({ wiki }, fragments) => fragments.wiki(wiki, "page"),
  lines: ({ lines }, fragments) => lines.map((line) => itemOf(line, fragments)).join("\n"),
  facts: ({ facts }, { plain }) => facts.map((fact) => `- ${plain(fact)}`).join("\n"),
  image: ({ name, address }, { plain }) => `![${plain(name)}](${goal(address)})`,
  file: ({ name, address }, { plain }) => `[${plain(name)}](${goal(address)})`,
};

function itemOf({ level, bullet, text }: Line, fragments: Fragments): string {
  const word = bulletWord(bullet);
  const indent = "  ".repeat(level);
  const words = fragments.wiki(text, "line").replaceAll("\n", `\n${indent}  `);
  return `${indent}- ${word === undefined ? "" : `**${word}** `}${words}`;
}

/** Blanks and brackets would end it. */
function goal(address: string): string {
  return address.replace(/[\s()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
