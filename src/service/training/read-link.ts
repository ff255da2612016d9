import { isObject } from "../wire/place.js";
import { fieldOf, firstOf, layersOf } from "./fields.js";
import { FIELDS, PLACES } from "./vocabulary.js";

/**
 * The address that an answer gives, absolute; null where there is none, and for one with a name or password in it, which would show
 * wherever the address is shown.
 * @param root addresses without a host are of this site
 */
export function readLink(answer: unknown, root: string): string | null {
  const link = (value: unknown): string | undefined =>
    webAddress(isObject(value) ? fieldOf(value, FIELDS.link) : value, root);
  return link(answer) ?? firstOf(layersOf(answer, PLACES.import), FIELDS.link, link) ?? null;
}

function webAddress(value: unknown, root: string): string | undefined {
  if (typeof value !== "string" || !/^(?:https?:)?\//i.test(value.trim())) return undefined;
  if (!URL.canParse(value.trim(), root)) return undefined;
  const url = new URL(value.trim(), root);
  return url.username === "" && url.password === "" ? url.href : undefined;
}
