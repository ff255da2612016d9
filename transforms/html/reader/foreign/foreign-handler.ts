import type { Element, ElementContent, Properties, RootContent } from "hast";
import { property } from "../../from/reading.js";
import type { ReaderContext } from "../reader-context.js";

/** Nodes of foreign HTML as nodes of the reader's. */
export type ReadNodes = (nodes: readonly RootContent[], context: ReaderContext) => readonly ElementContent[];

/** Makes the reader's nodes of an element that others made; `read` does what is in it. */
export type ForeignHandler = (element: Element, context: ReaderContext, read: ReadNodes) => readonly ElementContent[];

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;

/** In which language and direction an element's words are read, as far as it says so. */
export function tongueOf(element: Element): Properties {
  const lang = property(element, "lang");
  const dir = property(element, "dir").toLowerCase();
  return {
    ...(LANGUAGE.test(lang) ? { lang } : {}),
    ...(dir === "rtl" || dir === "ltr" || dir === "auto" ? { dir } : {}),
  };
}
