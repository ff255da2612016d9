/** Where a site is reached; `SiteIdentity` fits. */
export interface SiteAddresses {
  /** Scheme, host and port: `https://site.example`. */
  readonly origin: string;
  /** Every host name that the site answers under, lower case, without port; its own need not be among them. */
  readonly hosts: readonly string[];
  /** Decides between `/c/Title` (default) and `/Device/Title` (iFixit) for categories. */
  readonly dialect?: "dozuki" | "ifixit" | "unknown";
}

const ORIGIN = /^(https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)(?::(\d*))?/i;

/**
 * The length of scheme and host when the address is on the site, 0 when it is site-relative (`/Guide/…`), undefined when
 * it is another site's. Scheme and port do not matter (`http://` and old ports live long in texts), except where the
 * site's own origin names a port: two sites on one host, as on loopback, are told apart by nothing else.
 */
export function originLength(address: string, site: SiteAddresses): number | undefined {
  const found = ORIGIN.exec(address);
  if (found === null) return address.startsWith("/") ? 0 : undefined;
  return owns(site, hostIn(found)) ? found[0].length : undefined;
}

/** Do both name one site? Then what is addressed in one is at home in the other. */
export function sameSite(source: SiteAddresses, target: SiteAddresses): boolean {
  return originLength(target.origin, source) !== undefined;
}

/** The origin without a path or a slash at its end. */
export function originOf(site: SiteAddresses): string {
  return ORIGIN.exec(site.origin)?.[0] ?? site.origin;
}

interface Host {
  readonly name: string;
  /** Empty when the address names none. */
  readonly port: string;
  readonly defaultPort: string;
}

function hostIn(found: RegExpExecArray): Host {
  const [, scheme = "https:", name = "", port = ""] = found;
  return { name: name.toLowerCase(), port, defaultPort: scheme.toLowerCase() === "http:" ? "80" : "443" };
}

function owns(site: SiteAddresses, host: Host): boolean {
  const found = ORIGIN.exec(site.origin);
  const own = found === null ? undefined : hostIn(found);
  if (own?.name !== host.name) return site.hosts.includes(host.name);
  return own.port === "" || own.port === (host.port || host.defaultPort);
}
