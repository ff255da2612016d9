import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { EXIT, FerryError } from "../errors.js";
import { isLoopback, isPublic, literalAddress } from "./address.js";
import { type MediaWords, SITE_MEDIA } from "./media-words.js";

/**
 * Keeps a site's content from leading us into the network that we run in (server-side request forgery): addresses of media
 * come out of text that strangers write.
 */
export interface AddressGuard {
  /** @throws FerryError for an address that must not be asked, as far as the address itself shows it */
  check(url: URL): Promise<void>;
  /** For the connections to strangers' hosts: gives only addresses that may be asked, and these are what is connected to. */
  readonly lookup: LookupFunction;
  /** For the connections to the site itself: forbids nothing, but sees whether the site is on a private address. */
  readonly siteLookup: LookupFunction;
}

export interface GuardOptions {
  /** The site's API root. */
  readonly site: URL;
  /** Behind a proxy the proxy looks names up: then check asks the local resolver too, which may know nothing. */
  readonly proxied: boolean;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined;
  /** For messages. Default: media of a site. */
  readonly words?: MediaWords | undefined;
}

export function createAddressGuard(options: GuardOptions): AddressGuard {
  const { site, proxied, words = SITE_MEDIA } = options;
  const resolve = options.lookup ?? systemLookup;
  const literal = literalAddress(site.hostname);
  const surelyPrivate = isLoopback(site.hostname) || (literal !== undefined && !isPublic(literal));
  // Of every look-up for a connection so far. One public address settles it for good: whoever owns the site's name could
  // answer with a private address once, to open the way to others.
  let seen: "nothing" | "private" | "public" = "nothing";

  const siteLookup = filtered(resolve, (hostname, addresses) => {
    if (hostname === site.hostname && seen !== "public") {
      seen = addresses.some(({ address }) => isPublic(address)) ? "public" : "private";
    }
    return addresses;
  });

  // A name that nothing was connected to yet says nothing: the API is asked before its media are.
  const siteIsPrivate = () => surelyPrivate || seen === "private";

  const lookup = filtered(resolve, (hostname, addresses) => {
    if (siteIsPrivate()) return addresses;
    const allowed = addresses.filter(({ address }) => isPublic(address));
    if (allowed.length === 0) throw refusal(hostname, addresses[0]?.address ?? "no address", words);
    return allowed;
  });

  async function check(url: URL): Promise<void> {
    checkScheme(url, site, words);
    if (url.origin === site.origin || siteIsPrivate()) return;
    const address = literalAddress(url.hostname);
    if (address === undefined ? isLoopback(url.hostname) : !isPublic(address)) {
      throw refusal(url.hostname, address ?? "this machine", words);
    }
    if (address === undefined && proxied) await addressesOf(lookup, url.hostname);
  }

  return { check, lookup, siteLookup };
}

function checkScheme(url: URL, site: URL, words: MediaWords): void {
  if (url.username !== "" || url.password !== "") {
    throw new FerryError(
      `The address on ${url.host} holds a user name or password. ${words.what} are not fetched that way.`,
      {
        exitCode: EXIT.someFailed,
      },
    );
  }
  // No such host exists (RFC 6761, 6.4): one of these stands for the site where there is none, and no address may pass for that.
  if (/\.invalid\.?$/.test(url.hostname))
    throw new FerryError(`${url.hostname} is a name that never exists. ${words.remedy}`, { exitCode: EXIT.someFailed });
  const plainAllowed = site.protocol === "http:" || isLoopback(site.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && plainAllowed)) return;
  throw new FerryError(
    `${words.overHttps} are fetched over https only, and ${url.protocol}//${url.host} is not. ${words.remedy}`,
    { exitCode: EXIT.someFailed },
  );
}

function refusal(hostname: string, address: string, { leads, remedy }: MediaWords): FerryError {
  const what = hostname.replace(/^\[|\]$/g, "") === address ? address : `${hostname} (${address})`;
  return new FerryError(
    `${what} is not on the public internet. ${leads} must not make guideferry read from the network it runs in, so this is not fetched. ${remedy}`,
    { exitCode: EXIT.someFailed },
  );
}

type Choose = (hostname: string, addresses: readonly LookupAddress[]) => readonly LookupAddress[];

/** A look-up whose addresses pass through `choose` before anything is connected to them. */
function filtered(resolve: LookupFunction, choose: Choose): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found, family) => {
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

/** Looks a name up for its effect on the guard. A name that is unknown here is no reason to refuse: connecting will tell. */
function addressesOf(lookup: LookupFunction, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error) => {
      if (error instanceof FerryError) reject(error);
      else resolve();
    });
  });
}
