import type { ManualEmbed } from "./manual.js";

/** The address in a frame, an old object or a player, and in `data` of the second. */
const FRAMED = /\s(?:src|data)\s*=\s*["']([^"']{1,2000})["']/i;

/**
 * What an embed shows: its `url`, else the address in its HTML, which is a fact (oEmbed) or, up to 0.3, its text; else the text
 * itself. Empty: nothing says.
 */
export function embedAddress({ facts, text }: ManualEmbed): string {
  const html = [facts["html"] ?? "", text].find((each) => each.includes("<")) ?? "";
  const words = text.includes("<") ? "" : text;
  const found = [facts["url"], FRAMED.exec(html)?.[1], words].map((address) => address?.trim() ?? "");
  return found.find((address) => address !== "") ?? "";
}
