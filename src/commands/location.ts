import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isLoopback } from "../api/address.js";
import { parseLocation } from "../api/location.js";
import type { SiteIdentity } from "../contracts.js";
import { UsageError } from "../errors.js";

/** Where content lies: a site by its API root, or a workspace by its folder. */
export type Place = { readonly site: string } | { readonly workspace: string };

/** Reads an argument that may be a site or a workspace; a site needs its `https://`. Throws UsageError. */
export function readPlace(text: string, insecureHttp: boolean): Place {
  return isAddress(text) ? { site: readSite(text, insecureHttp) } : { workspace: readFolder(text) };
}

/** Reads an argument that must be a site, to its API root. Throws UsageError. */
export function readSite(text: string, insecureHttp: boolean): string {
  if (!isAddress(text) && existsSync(text)) {
    throw new UsageError(`${text} is a folder, but the address of a site is needed here.`);
  }
  if (/^[./~]/.test(text)) {
    throw new UsageError(`${text} looks like a folder, but the address of a site is needed here: https://site.example`);
  }
  return parseLocation(text, { insecureHttp }).root;
}

/** Reads an argument that must be a workspace's folder. Throws UsageError. */
export function readFolder(text: string): string {
  if (isAddress(text)) {
    throw new UsageError(
      `A workspace folder is needed here, not a site. \`guideferry extract\` fills one from a site.`,
    );
  }
  if (!existsSync(text) && LIKE_A_HOST.test(text)) {
    throw new UsageError(`There is no folder ${text}. If a site is meant, write https://${text}.`);
  }
  return resolve(text);
}

/** Throws UsageError when source and target are one address; one site under two addresses is found out later. */
export function refuseSameSite(source: string, target: string): void {
  if (source.toLowerCase() !== target.toLowerCase()) return;
  throw new UsageError(`Source and target are the same site, ${source}. Name two.`);
}

/**
 * Throws UsageError when two sites are one under two addresses: they have one id and share a host name. Two ports of this
 * machine are two sandboxes, whatever content they were started with.
 */
export function refuseSameIdentity(source: SiteIdentity, target: SiteIdentity): void {
  const [one, other] = [new URL(source.origin), new URL(target.origin)];
  const local = isLoopback(one.hostname) && isLoopback(other.hostname) && one.port !== other.port;
  const shared = source.hosts.some((host) => target.hosts.includes(host));
  if (source.siteId === null || source.siteId !== target.siteId || !shared || local) return;
  throw new UsageError(
    `${source.root} and ${target.root} are two addresses of one site (${target.name}, id ${target.siteId}). Nothing was written.`,
  );
}

const LIKE_A_HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/api\/2\.0)?\/?$/;

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
