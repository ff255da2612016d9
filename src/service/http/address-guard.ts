import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ConnectionError, FerryError, RefusedAddressError } from "../../core/errors.js";
import { canonicalAddress, isLoopback, isPublic, literalAddress } from "./address.js";

/**
 * Protects against server-side request forgery: the addresses of media come from texts of
 * strangers. An address off the public internet is allowed only where the site itself is, or if a
 * person allows its host.
 */
export interface AddressGuard {
  /** Throws RefusedAddressError for what the address itself shows. */
  check(url: URL): Promise<void>;
  /**
   * For hosts other than the site: returns only allowed addresses, which are then connected to.
   * Hosts that are written as an address are checked too.
   */
  readonly lookup: LookupFunction;
  /** For the site itself: notes its addresses. A site on the public internet stays there. */
  readonly siteLookup: LookupFunction;
}

interface GuardOptions {
  readonly site: URL;
  /** A proxy resolves names itself, so `check` asks the local resolver too. */
  readonly proxied: boolean;
  readonly lookup?: LookupFunction | undefined;
  /** `--allow-private-media`, as `URL.hostname` gives them. Default: none. */
  readonly allowed?: ReadonlySet<string> | undefined;
  readonly words?: MediaWords | undefined;
}

export function createAddressGuard(options: GuardOptions): AddressGuard {
  const { site, proxied, allowed = NOBODY, words = SITE_MEDIA } = options;
  const resolve = options.lookup ?? systemLookup;
  const place = createSitePlace(site);

  const mayAsk = (address: string): boolean => isPublic(address) || place.includes(address);

  const siteLookup = filtered(resolve, (hostname, addresses) => {
    if (hostname === site.hostname) place.see(addresses);
    if (hostname !== site.hostname || !place.isPublic()) return addresses;
    const there = addresses.filter(({ address }) => isPublic(address));
    if (there.length === 0) throw movedInside(hostname, addresses[0]?.address ?? "no address");
    return there;
  });

  const lookup = filtered(resolve, (hostname, addresses) => {
    if (allowed.has(hostname)) return addresses;
    const good = addresses.filter(({ address }) => mayAsk(address));
    if (good.length === 0) throw refusal(hostname, addresses[0]?.address ?? "no address", words);
    return good;
  });

  async function check(url: URL): Promise<void> {
    checkScheme(url, { site, allowed, words });
    if (url.origin === site.origin || allowed.has(url.hostname)) return;
    const address = literalAddress(url.hostname);
    if (address !== undefined) {
      if (!mayAsk(address)) throw refusal(url.hostname, address, words);
    } else if (isLoopback(url.hostname)) {
      if (!place.isLoopback()) throw refusal(url.hostname, "this machine", words);
    } else if (proxied) await addressesOf(lookup, url.hostname);
  }

  return { check, lookup, siteLookup };
}

const NOBODY: ReadonlySet<string> = new Set();

/** The addresses of the site, by its name and the look-ups for its connections. */
function createSitePlace({ hostname }: URL) {
  const literal = literalAddress(hostname);
  const addresses = new Set(literal === undefined ? [] : [canonicalAddress(literal)]);
  // One public address decides, or the owner of the name could switch to a private one later.
  let seenPublic = literal !== undefined && isPublic(literal);
  const onLoopback = (): boolean =>
    isLoopback(hostname) || (!seenPublic && [...addresses].some((address) => isLoopback(address)));
  return {
    see(found: readonly LookupAddress[]): void {
      seenPublic ||= found.some(({ address }) => isPublic(address));
      for (const { address } of found) addresses.add(canonicalAddress(address));
    },
    isPublic: () => seenPublic,
    isLoopback: onLoopback,
    /** The same address, or any port of this machine if the site is on it. */
    includes(address: string): boolean {
      if (seenPublic) return false;
      return addresses.has(canonicalAddress(address)) || (onLoopback() && isLoopback(address));
    },
  };
}

function movedInside(hostname: string, address: string): ConnectionError {
  return new ConnectionError(
    `The name ${hostname} first resolved to an address on the public internet in this run. Now it resolves to ${address}, which is not on the public internet. Nothing was sent there. Check the name servers of this network, then run the same command again.`,
    { unsent: true },
  );
}

interface SchemeRules {
  readonly site: URL;
  readonly allowed: ReadonlySet<string>;
  readonly words: MediaWords;
}

function checkScheme(url: URL, { site, allowed, words }: SchemeRules): void {
  if (url.username !== "" || url.password !== "") {
    throw new RefusedAddressError(
      `The address on ${url.host} holds a user name or password. ${words.what} are not fetched that way.`,
    );
  }
  // No such host exists (RFC 6761, 6.4): such a name replaces a missing site and matches none.
  if (/\.invalid\.?$/.test(url.hostname))
    throw new RefusedAddressError(`${url.hostname} is a reserved name that never exists. ${words.remedy}`);
  const plainAllowed = site.protocol === "http:" || isLoopback(site.hostname) || allowed.has(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && plainAllowed)) return;
  throw new RefusedAddressError(
    `${words.overHttps} are fetched over https only, and ${url.protocol}//${url.host} is not. ${words.remedy}`,
  );
}

function refusal(hostname: string, address: string, { leads, remedy, allow }: MediaWords): RefusedAddressError {
  const host = hostname.replace(/^\[|\]$/g, "");
  const what = host === address ? address : `${hostname} (${address})`;
  const way = allow === null ? "" : ` ${allow.replace("HOST", hostname)}`;
  return new RefusedAddressError(
    `${what} is not on the public internet. ${leads} must not make guideferry read from its own network, so guideferry does not fetch it. ${remedy}${way}`,
  );
}

type Choose = (hostname: string, addresses: readonly LookupAddress[]) => readonly LookupAddress[];

/** Filters the addresses of a look-up with `choose`. */
function filtered(resolve: LookupFunction, choose: Choose): LookupFunction {
  return (hostname, options, callback) => {
    const literal = literalAddress(hostname);
    const find: LookupFunction =
      literal === undefined ? resolve : (_name, _options, give) => give(null, literal, isIP(literal));
    find(hostname, { ...options, all: true }, (error, found, family) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      try {
        const list = typeof found === "string" ? [{ address: found, family: family ?? 4 }] : found;
        const chosen = choose(hostname, list);
        if (options.all === true) callback(null, [...chosen]);
        else callback(null, chosen[0]?.address ?? "", chosen[0]?.family ?? 4);
      } catch (refused) {
        callback(refused instanceof Error ? refused : new Error(String(refused)), "");
      }
    });
  };
}

/** Shows the addresses to the guard. The connection refuses an unknown name later. */
function addressesOf(lookup: LookupFunction, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error) => {
      if (error instanceof FerryError) reject(error);
      else resolve();
    });
  });
}

export interface MediaWords {
  /** `Media`. */
  readonly what: string;
  readonly overHttps: string;
  /** The origin of the address, which must not reach guideferry's own network. */
  readonly leads: string;
  readonly remedy: string;
  /** How to allow a private host, with HOST as placeholder; null: not possible. */
  readonly allow: string | null;
  /** The reason for a web page instead of the file, one sentence. */
  readonly page: string;
  /** Without query and fragment, since anybody can open the file with a signed link. */
  readonly hidesQueries: boolean;
}

export const SITE_MEDIA: MediaWords = {
  what: "Media",
  overHttps: "Media of a site with https",
  leads: "Content of a site",
  remedy: "Correct the address on the site.",
  allow: "If guideferry may read from that host, allow it with --allow-private-media HOST.",
  page: "Does the site require a sign-in for it?",
  hidesQueries: false,
};

/** Training packages with an address from the command line. */
export const WEB_PACKAGES: MediaWords = {
  what: "Packages",
  overHttps: "Packages",
  leads: "The address of a package",
  remedy: "Use another address, or download the package and use the file.",
  allow: null,
  page: "Has the link expired, or does the host require a sign-in?",
  hidesQueries: true,
};
