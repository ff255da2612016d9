import { type Key, kindOf, restOf } from "../../src/core/model/key.js";
import { wikiPath } from "../wiki/namespaces.js";
import { type Reference, textOf } from "./reference.js";
import type { SiteOptions } from "./rewrite-options.js";
import { originOf, type SiteAddresses } from "./site-addresses.js";

/**
 * The absolute address at the old site of what a macro or wiki link points to; undefined when none
 * is known.
 */
export function oldAddress(text: string, reference: Reference, options: SiteOptions): string | undefined {
  const { key } = reference;
  if (key === null || reference.form === "metadata") return undefined;
  const address = options.addressOf?.(key) ?? pageAddress(key, options.source);
  if (address === undefined || address.includes("#")) return address && speakable(address);
  return speakable(address + fragmentOf(text, reference));
}

/**
 * Blanks, brackets and pipes can't stand in an address in wiki syntax, which has no escape
 * (wiki-syntax 2.3).
 */
export function speakable(address: string): string {
  return address.replace(/[\s|[\]]/g, encodeURIComponent);
}

/** `#s38274` of a step, `#Section_X` of a wiki link. */
export function fragmentOf(text: string, reference: Reference): string {
  const [step] = reference.steps;
  if (step !== undefined) return `#s${restOf(step.key)}`;
  const written = textOf(text, reference.head);
  const hash = written.indexOf("#");
  return hash < 0 ? "" : written.slice(hash).trimEnd();
}

/**
 * Where the page of a guide, category or wiki is at a site; undefined for what has no page. The
 * title in a guide's path is decoration, its number decides (inf); `-` stands for a title that we
 * don't know.
 */
export function pageAddress(key: Key, site: SiteAddresses): string | undefined {
  return ADDRESSES.get(kindOf(key))?.(key, site);
}

type AddressWriter = (key: Key, site: SiteAddresses) => string;

const ADDRESSES: ReadonlyMap<string, AddressWriter> = new Map<string, AddressWriter>([
  ["guide", (key, site) => `${originOf(site)}/Guide/-/${restOf(key)}`],
  ["category", wikiAddress],
  ["wiki", wikiAddress],
]);

/** The address of a category or wiki at a site. */
export function wikiAddress(key: Key, site: SiteAddresses): string {
  return originOf(site) + wikiPath(key, site.dialect);
}
