import type { Element } from "hast";
import { node, words } from "./node.js";

/** Code to the letter. */
export function codeNode(value: string): Element {
  return node("pre", [node("code", [words(value)])]);
}

/** Any text to the letter. HTML drops a line end right after the tag, so that one more is written. */
export function writtenNode(text: string): Element {
  return node("pre", [words(text.startsWith("\n") ? `\n${text}` : text)], { className: ["long"] });
}
