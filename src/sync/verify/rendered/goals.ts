import { keysOf, type Reference, textOf } from "../../../../transforms/references/reference.js";
import { sameSite } from "../../../../transforms/references/site-addresses.js";
import { addressReference } from "../../../../transforms/references/value.js";
import { titleAtTarget } from "../../../service/target/paths.js";
import type { Context, SiteIdentity } from "../../../core/contracts.js";
import { type Key, kindOf, wikiKey, wikiOf } from "../../../core/model/key.js";

/** The two sites that links may lead to, and who stands for whom. */
export interface LinkSites {
  readonly source: SiteIdentity;
  readonly target: SiteIdentity;
  readonly idOf: Context["idOf"];
}

/** What the goal of a link begins with that leads to something which is not at the target. */
export const OLD_SITE = "old site: ";

/** Where a link in rendered HTML leads, in words that are the same whichever of the two sites made the HTML. */
export async function goalOf(address: string, htmlOf: "source" | "target", sites: LinkSites): Promise<string> {
  const [near, far] = htmlOf === "target" ? (["target", "source"] as const) : (["source", "target"] as const);
  const own = addressReference(address, sites[near]);
  if (own !== undefined) return atSite(address, own, near, sites);
  const other = addressReference(address, sites[far]);
  return other === undefined ? elsewhere(address) : atSite(address, other, far, sites);
}

async function atSite(
  address: string,
  reference: Reference,
  site: "source" | "target",
  sites: LinkSites,
): Promise<string> {
  const isOne = sameSite(sites.source, sites.target);
  const name = site === "target" || isOne ? "" : OLD_SITE;
  const { key } = reference;
  if (key === null) return `${name}${textOf(address, reference.goal)}`;
  if (site === "target") return words(keysOf(reference));
  const moved = await atTarget(key, sites);
  if (moved === undefined) return `${name}${words(keysOf(reference))}`;
  const steps = await Promise.all(reference.steps.map((step) => atTarget(step.key, sites)));
  return words([moved, ...steps.flatMap((step) => step ?? [])]);
}

async function atTarget(key: Key, { idOf }: LinkSites): Promise<Key | undefined> {
  const id = await idOf(key);
  return id === undefined ? undefined : keyAtTarget(key, id);
}

/** The key that a thing of ours has as the target's own. */
export function keyAtTarget(key: Key, id: string): Key {
  if (kindOf(key) === "category" || kindOf(key) === "wiki")
    return wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
  return `${kindOf(key)}/${id}`;
}

function words(keys: readonly Key[]): string {
  return keys.join(" ");
}

function elsewhere(address: string): string {
  return URL.canParse(address) ? new URL(address).href : address;
}
