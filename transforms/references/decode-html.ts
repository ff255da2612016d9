import type { Element } from "hast";
import { fromHtml } from "hast-util-from-html";

/** The value of an attribute without its character references. */
export function decodeHtml(written: string): string {
  if (!written.includes("&")) return written;
  const { children } = fromHtml(`<i title="${written.replaceAll('"', "&quot;")}">`, { fragment: true });
  return children
    .filter((child): child is Element => child.type === "element")
    .map(({ properties }) => String(properties["title"]))
    .join("");
}
