import { escapeHtml } from "../../../../transforms/html/escape-html.js";

/** Foreign text inside of a page: letters that are written from right to left turn nothing around them, and what nobody sees is shown by its number. */
export function foreign(text: string): string {
  return `<bdi>${shown(text)}</bdi>`;
}

/** The same for several lines, of which each one may run the other way. */
export function foreignLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : foreign(line)))
    .join("\n");
}

/** Half of a pair of surrogates would be no text at all. */
function shown(text: string): string {
  return text
    .split(/([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/u)
    .map((part, at) => (at % 2 === 1 && part !== "\t" ? mark(part) : escapeHtml(part)))
    .join("");
}

function mark(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `<span class="mark">U+${number}</span>`;
}
