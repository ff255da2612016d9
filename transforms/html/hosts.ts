import type { Resolver } from "./resolver.js";

const HOST = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i;

/** An address that a link may have: no scheme but these, so that no link runs a script. */
const SAFE = /^(?:https?:\/\/|ftp:\/\/|\/)/i;

/** The host of an address, lower case; undefined when it is relative to the site. */
export function hostOf(address: string): string | undefined {
  return HOST.exec(address)?.[1]?.toLowerCase();
}

/** Whether a link may go there: web, file transfer, or a place on the site. */
export function isSafe(address: string): boolean {
  return SAFE.test(address);
}

/** On the site's own host `http:` becomes `https:` (real, wiki-syntax 3.5). */
export function withOwnScheme(address: string, { ownHosts }: Resolver): string {
  const host = hostOf(address);
  return host !== undefined && ownHosts.includes(host) ? address.replace(/^http:/i, "https:") : address;
}

/** What Dozuki writes on links to hosts that are neither its own nor trusted (2026, wiki-syntax 3.5). */
export function relOf(address: string, { ownHosts, trustedHosts }: Resolver): string | undefined {
  const host = hostOf(address);
  if (host === undefined || ownHosts.includes(host) || trustedHosts.includes(host)) return undefined;
  return "nofollow noopener noreferrer";
}
