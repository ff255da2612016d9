import { kindOf, restOf, wikiOf } from "../../src/core/model/key.js";
import { type Reference, textOf } from "./reference.js";

/** What a reader sees of a reference that has no label of its own: `guide 12`, a page's title, an address. */
export function defaultLabel(text: string, reference: Reference): string {
  if (reference.form === "metadata") return "";
  if (reference.origin !== null) return withoutScheme(textOf(text, reference.head));
  const { kind, key } = reference;
  if (key === null) return `${kind} ${textOf(text, reference.goal)}`;
  return kind === "category" || kind === "wiki" ? wikiOf(key).title : `${kindOf(key)} ${restOf(key)}`;
}

/** The words of an address without what makes a site turn it into a link. */
export function withoutScheme(address: string): string {
  return address.replace(/^(?:https?:)?\/\//i, "");
}
