import type { TextContext } from "../../../wiki/tree.js";
import { mayBeFollowed } from "./attributes.js";
import { BLOCKS, SIMPLE_ATTRIBUTES, SIMPLE_ELEMENTS } from "./simple.js";

/** A tag, or words as they are written. */
const TOKEN =
  /<(?<end>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?: [a-z]+="[^"<>]*")*)(?<empty>\/?)>|(?<words>[^<>]+)/gy;
const WORDS = /^(?:[^&\r]|&(?:amp|lt|gt|#13);)*$/;
const VALUE = /^(?:[^&\r\n\t]|&(?:amp|lt|gt|quot|#13|#10|#9);)*$/;

/** HTML has no end of it, XML must have one. */
const OPEN_BREAK = /<br((?: [a-z]+="[^"<>]*")*)>/g;

/** Open elements; HTML's own reader goes no deeper. */
const DEEPEST = 100;

/**
 * The text as it is where it is simplified HTML already, as `printSimple` writes it or the reader gives it; else undefined. So
 * what is written once is written the same for ever, and is parsed only once.
 */
export function alreadySimple(html: string, context: TextContext): string | undefined {
  if (html.trim() !== html) return undefined;
  const open: string[] = [];
  let at = 0;
  for (const match of html.matchAll(TOKEN)) {
    if (match.index !== at || !fits(match.groups ?? {}, open, context)) return undefined;
    at += match[0].length;
  }
  return at === html.length && open.length === 0 ? html.replace(OPEN_BREAK, "<br$1/>") : undefined;
}

function fits(token: Readonly<Record<string, string | undefined>>, open: string[], context: TextContext): boolean {
  const { name, words = "", end, attributes = "", empty } = token;
  if (name === undefined) return WORDS.test(words);
  if (end === "/") return attributes === "" && empty === "" && open.pop() === name;
  if (!SIMPLE_ELEMENTS.has(name) || (context === "line" && BLOCKS.has(name)) || !areSimple(attributes, name))
    return false;
  if (name === "br") return true;
  open.push(name);
  return empty === "" && open.length <= DEEPEST;
}

function areSimple(attributes: string, element: string): boolean {
  const places = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => {
    const isWritable =
      VALUE.test(value) && value !== "" && (name !== "href" || (element === "a" && mayBeFollowed(value)));
    return isWritable ? SIMPLE_ATTRIBUTES.indexOf(name) : -1;
  });
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}
