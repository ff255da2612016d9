import type { FromHtmlOptions } from "../html/from-html.js";
import { hostOf } from "../html/hosts.js";
import type { Resolver } from "../html/resolver.js";

/** What HTML is read with when its site is known: links to it become links by id or title. */
export function siteOf(origin: string | undefined): Pick<FromHtmlOptions, "site"> {
  return origin === undefined ? {} : { site: { origin, hosts: hostsOf(origin) } };
}

/** What HTML is written with when its site is known: links to it are no links to strangers. */
export function resolverOf(origin: string | undefined): Partial<Resolver> {
  return origin === undefined ? {} : { ownHosts: hostsOf(origin) };
}

function hostsOf(origin: string): readonly string[] {
  const host = hostOf(origin);
  return host === undefined ? [] : [host];
}
