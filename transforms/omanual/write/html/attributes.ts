import type { Element } from "hast";
import { SIMPLE_ATTRIBUTES } from "./simple.js";

/** The attributes of an element that oManual 1.0 has for it; only links lead somewhere. */
export function attributesOf(element: Element): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of SIMPLE_ATTRIBUTES) {
    const value = textOf(element.properties[name === "class" ? "className" : name]);
    if (value !== "" && (name !== "href" || element.tagName === "a")) found[name] = value;
  }
  return found;
}

/** A property as it is written: lists have blanks between their words. */
export function textOf(value: Element["properties"][string]): string {
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Addresses that a link may have: on the web, mail, or relative to the file; none that runs something. */
export function mayBeFollowed(address: string): boolean {
  return /^(?:https?:|ftps?:|mailto:)/i.test(address) || !/^[^/?#]*:/.test(address);
}
