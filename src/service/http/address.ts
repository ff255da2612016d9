import { createRequire } from "node:module";
import { isIPv4 } from "node:net";
import { UsageError } from "../../core/errors.js";

interface Location {
  /** `https://site.example/api/2.0`, without a slash at its end. */
  readonly root: string;
  readonly origin: string;
}

const SUFFIX = "/api/2.0";
const EXAMPLE = `Write it as https://site.example${SUFFIX}`;

/**
 * Reads an API root: with or without `/api/2.0` or a slash at its end, or only the host. The
 * default scheme is https, and http for this machine.
 *
 * @throws UsageError for an invalid API root, for plain http to another machine without
 * `insecureHttp`, and for an address with a user name or password, which the message does not
 * repeat
 */
export function parseLocation(text: string, options: { readonly insecureHttp: boolean }): Location {
  const url = toUrl(text.trim());
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `The address of ${url.host} holds a user name or password, which other programs can see. Remove it and use the environment variables for the sign-in.`,
    );
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new UsageError(`"${url.protocol}//" is not a scheme that a site can have. ${EXAMPLE}.`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !options.insecureHttp) {
    throw new UsageError(
      `http://${url.host} would send tokens and content unencrypted. Use https://${url.host}, or allow it with --insecure-http.`,
    );
  }
  return { root: url.origin + rootPath(url), origin: url.origin };
}

function toUrl(text: string): URL {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const host = /^(\[[^\]]*\]|[^:/?#]*)/.exec(text)?.[0] ?? "";
  const address = scheme ? text : `${isLoopback(host.toLowerCase()) ? "http" : "https"}://${text}`;
  // The message does not repeat a text that may have a password.
  const shown = text.includes("@") ? "The address" : `"${text}"`;
  // A scheme alone would be a host of this name.
  if (text === "" || /\s|^https?:?$/i.test(text) || !URL.canParse(address)) {
    throw new UsageError(`${shown} is not the address of a site. ${EXAMPLE}.`);
  }
  return new URL(address);
}

function rootPath(url: URL): string {
  const path = url.pathname.replace(/\/+$/, "");
  if (url.search === "" && url.hash === "") {
    if (path === "" || path === "/api") return SUFFIX;
    if (path.endsWith(SUFFIX)) return path;
  }
  throw new UsageError(
    `${url.origin}${url.pathname} is not an API root of version 2.0. ${EXAMPLE}. For this site, try ${url.origin}${SUFFIX}.`,
  );
}

const require = createRequire(import.meta.url);
/** Loaded with the first address that is not a name, because it takes some 10 ms. */
const library = (): typeof import("ipaddr.js") => require("ipaddr.js");

/**
 * Is the host this machine? `localhost`, names below it (RFC 6761, 6.3), 127.0.0.0/8 and ::1.
 * `hostname`: as `URL.hostname` gives it, IPv6 in brackets.
 */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  if (isIPv4(name) && name.startsWith("127.")) return true;
  const address = literalAddress(hostname);
  return address !== undefined && rangeOf(address) === "loopback";
}

/** The address if the host is written as one; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  // An IPv6 address has a colon. The last part of an IPv4 address begins with a digit.
  if (!/:|(?:^|\.)\d[^.]*$/.test(bare)) return undefined;
  return library().isValid(bare) ? bare : undefined;
}

/** One spelling for each address: IPv4 in IPv6 (`::ffff:10.0.0.1`) becomes the IPv4 address. */
export function canonicalAddress(address: string): string {
  return library().process(address).toNormalizedString();
}

/** Only ordinary addresses of the public internet. */
export function isPublic(address: string): boolean {
  return rangeOf(address) === "unicast";
}

// IPv6 ranges with an IPv4 address: ::ffff:0:0/96 (RFC 4291), ::ffff:0:0:0/96 (RFC 6145),
// 64:ff9b::/96 (RFC 6052) at the end, 2002::/16 (6to4, RFC 3056) after the prefix.
const CARRIED_AT: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6145: 12, rfc6052: 12, "6to4": 2 };
const NAT64 = "64:ff9b::/96";

function rangeOf(text: string): string {
  // A zone (`fe80::1%eth0`) belongs to link-local addresses only.
  if (text.includes("%")) return "linkLocal";
  const address = library().parse(text);
  const range = address.range();
  const at = CARRIED_AT[range];
  if (at === undefined || address.kind() === "ipv4") return range;
  // Only the well-known prefix has the address at its end; 64:ff9b:1::/48 is local (RFC 8215).
  if (range === "rfc6052" && !address.match(library().parseCIDR(NAT64))) return "private";
  return library()
    .fromByteArray(address.toByteArray().slice(at, at + 4))
    .range();
}
