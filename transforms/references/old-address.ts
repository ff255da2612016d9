import { type Key, kindOf, restOf } from "../../src/core/model/key.js";
import { wikiPath } from "../wiki/namespaces.js";
import { type Reference, textOf } from "./reference.js";
import type { SiteOptions } from "./rewrite-options.js";
import { originOf, type SiteAddresses } from "./site-addresses.js";

/** The absolute address on the old site of a macro or wiki link; undefined: unknown. */
export function oldAddress(text: string, reference: Reference, options: SiteOptions): string | undefined {
  const { key } = reference;
  if (key === null || reference.form === "metadata") return undefined;
  const address = options.addressOf?.(key) ?? pageAddress(key, options.source);
  if (address === undefined || address.includes("#")) return address && speakable(address);
  return speakable(address + fragmentOf(text, reference));
}

/** Wiki syntax cannot escape spaces, brackets and pipes in an address (wiki-syntax 2.3). */
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
 * The page of a guide, category or wiki on a site; undefined: no page. The number in a guide's path
 * decides, not the title (inf); `-` replaces an unknown title.
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

export function wikiAddress(key: Key, site: SiteAddresses): string {
  return originOf(site) + wikiPath(key, site.dialect);
}
