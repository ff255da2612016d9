import { fromHtml } from "../../html/from-html.js";
import { plainText } from "../../html/plain-text.js";
import { print } from "../../wiki/print.js";
import type { TextContext } from "../../wiki/tree.js";
import type { ManualText } from "../manual.js";
import { type Converting, remark } from "./converting.js";
import { fileId } from "./pick-media.js";

/** The wiki text of a line: the raw one where there is one, since nothing of a single line gets lost in an attribute. */
export function lineText({ html, raw, at }: ManualText, path: string, converting: Converting): string {
  return raw?.trim() || convert(html, "line", path, converting, at).trim();
}

/**
 * The wiki text of a page. Attributes lose line ends, so the raw text counts only where it kept them or the HTML is one block
 * (omanual 9); otherwise the HTML is converted, and its empty boxes for videos are filled from the macros of the raw text.
 */
export function pageText(text: ManualText | null, path: string, converting: Converting): string {
  if (text === null) return "";
  const { html, raw, at } = text;
  if (raw !== null && (raw.includes("\n") || isOneBlock(html))) return raw;
  const boxed = html.replace(EMPTY_BOX, (whole, attributes: string) => (VIDEO_CLASS.test(attributes) ? BOX : whole));
  const pieces = boxed.split(BOX);
  const videos = [...(raw ?? "").matchAll(VIDEO_MACRO)].map(([macro]) => macro);
  if (pieces.length - 1 > videos.length) {
    const what = `${pieces.length - 1 - videos.length} videos in the text are empty boxes without an address; they are left out`;
    remark(converting, { code: "video-without-address", level: "loss", path, what }, at);
  }
  // Videos that have no box come last.
  const parts = pieces.flatMap((piece, index) => [convert(piece, "page", path, converting, at), videos[index] ?? ""]);
  return [...parts, ...videos.slice(pieces.length)]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

/** HTML as words alone: descriptions hold no markup at a site (omanual 11). */
export function plainWords(html: string): string {
  const { tree } = fromHtml(html, { context: "line" });
  return tree.type === "line" ? plainText(tree.children).trim() : "";
}

/** What sites print for a video whose address XML has no place for (omanual 8). */
const EMPTY_BOX = /<div(\s[^<>]{0,300})>\s*<\/div>/gi;
const VIDEO_CLASS = /\sclass\s*=\s*["'][^"']*videoBox/i;
/** No document has it: it is no character of XML. */
const BOX = "\uffff";
const VIDEO_MACRO = /\[video\|[^[\]\n]{1,2000}\]/g;
/**
 * Words that are no markup in either language and look like nothing that is: most lines are such, and parsing them as HTML
 * takes most of the time that a guide takes.
 */
function isPlain(html: string): boolean {
  return /^[A-Za-z0-9 .;:()%?!"'°×–—…-]*$/.test(html) && !/''|--| {2}|:[^ ]|www/i.test(html);
}

const BLOCK = /<(?:p|h[1-6]|ul|ol|li|pre|div|blockquote|table)[\s>]/gi;
const BREAK = /<br[\s/>]/i;

/** A break within a block is a line end too, which the raw text may have lost. */
function isOneBlock(html: string): boolean {
  return (html.match(BLOCK)?.length ?? 0) <= 1 && !BREAK.test(html);
}

function convert(
  html: string,
  context: TextContext,
  path: string,
  converting: Converting,
  at: ManualText["at"],
): string {
  if (html.trim() === "" || (context === "line" && isPlain(html))) return html.trim();
  const { site } = converting;
  const { tree, issues } = fromHtml(html, {
    context,
    mediaId: (kind, address) => fileId(kind, address, path, converting),
    ...(site === undefined ? {} : { site }),
  });
  for (const { code, level, message } of issues)
    remark(converting, { code, level, path, what: message.replace(/\.$/, "") }, at);
  return print(tree);
}
