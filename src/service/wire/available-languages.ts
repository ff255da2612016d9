import { isObject } from "./place.js";

/** The languages that a page's own answer says it is there in; `raw` as an item keeps it. undefined: it doesn't say. */
export function availableLanguages(raw: unknown): readonly string[] | undefined {
  const json = isObject(raw) ? raw["json"] : undefined;
  const named = isObject(json) ? json["available_langids"] : undefined;
  return Array.isArray(named) ? named.map(String) : undefined;
}
