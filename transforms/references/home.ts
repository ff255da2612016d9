import { type Key, restOf, wikiKey, wikiOf } from "../../src/core/model/key.js";
import { encodeTitle } from "../wiki/namespaces.js";
import { type Edit, put } from "./edits.js";
import { linkEdits } from "./link-edits.js";
import { fragmentOf, speakable, wikiAddress } from "./old-address.js";
import type { Reference } from "./reference.js";
import type { SiteOptions } from "./rewrite-options.js";
import { originOf, sameSite } from "./site-addresses.js";

/** Points a reference to the id or title that its goal has at the target. Nothing else in it changes. */
export function home(text: string, reference: Reference, key: Key, id: string, options: SiteOptions): readonly Edit[] {
  const titled = reference.kind === "category" || reference.kind === "wiki";
  const goal = titled ? renamed(text, reference, key, id, options) : numbered(reference, key, id);
  return [...goal, ...moved(reference, options)];
}

function numbered(reference: Reference, key: Key, id: string): readonly Edit[] {
  return id === restOf(key) ? [] : [put(reference.goal, id)];
}

/** A title that wiki syntax can't say makes the wiki link a link to the page's address. */
function renamed(text: string, reference: Reference, key: Key, title: string, options: SiteOptions): readonly Edit[] {
  const { namespace, title: old } = wikiOf(key);
  if (title === old) return [];
  if (reference.origin !== null) return [put(reference.goal, encodeTitle(title))];
  if (!/[|[\]#\n]/.test(title)) return [put(reference.goal, title)];
  const address = wikiAddress(wikiKey(namespace, title), options.target) + fragmentOf(text, reference);
  return linkEdits(text, reference, speakable(address));
}

/** A site-relative address moves with its text. */
function moved({ origin }: Reference, { source, target }: SiteOptions): readonly Edit[] {
  if (origin === null || origin.start === origin.end || sameSite(source, target)) return [];
  return [put(origin, originOf(target))];
}
