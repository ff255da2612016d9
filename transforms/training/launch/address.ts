import { decodePath, withoutDots } from "./decode-path.js";
import { PACKAGE_ROOT, parseReference, printReference, resolveReference, type UriReference } from "./uri.js";

/** What an address of a manifest stands for. */
export type Address =
  /** In the package. */
  | {
      readonly kind: "inside";
      /** Names that the file may have, most likely first: decoded, and as written. */
      readonly paths: readonly string[];
      /** As a learner's browser asks for it, below the root; with query and fragment. */
      readonly launch: string;
      readonly hasBackslash: boolean;
      /** Does it begin with a slash? It is then read from the top of the package, as common LMSs do. */
      readonly beginsAtRoot: boolean;
    }
  /** In the web. */
  | {
      readonly kind: "external" /** Without user and password. */;
      readonly url: string;
      readonly hasBackslash: boolean;
    }
  | { readonly kind: "unsafe"; readonly why: string; readonly hasBackslash: boolean };

/** `xml:base` from the outside in. */
export type Bases = readonly string[];

/** An address on top of its bases, by RFC 3986; nothing is looked up. */
export function readAddress(written: string, bases: Bases = []): Address {
  const texts = [...bases, written].map(tidy);
  const hasBackslash = /^[^?#]*\\/.test(tidy(written));
  const resolved = texts.map(slashed).map(parseReference).reduce(resolveReference, PACKAGE_ROOT);
  const { scheme, authority, path } = resolved;
  if (scheme !== null) {
    if (!WEB.has(scheme)) return { kind: "unsafe", why: whyScheme(scheme), hasBackslash };
    if (authority === null || authority === "") return { kind: "unsafe", why: "it names no host", hasBackslash };
    return { kind: "external", url: printReference({ ...resolved, authority: withoutUser(authority) }), hasBackslash };
  }
  if (authority !== null) {
    // `\\server\share` is a place in an office's network, and a host may be empty: neither is an address of the web.
    if (hasBackslash || authority === "") return { kind: "unsafe", why: "it names no host of the web", hasBackslash };
    const web = { ...resolved, scheme: "https", authority: withoutUser(authority) };
    return { kind: "external", url: printReference(web), hasBackslash };
  }
  if (!path.startsWith("/")) return insideOf(resolved, hasBackslash);
  if (bases.some((base) => tidy(base) !== ""))
    return { kind: "unsafe", why: "it begins at the root of a server, and has a base", hasBackslash };
  return insideOf({ ...resolved, path: path.replace(/^\/+/, "") }, hasBackslash, true);
}

const WEB: ReadonlySet<string> = new Set(["http", "https"]);

/** As browsers do: line ends and tabs are not there, spaces and control characters at both ends neither (WHATWG URL, 4.4). */
function tidy(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  return written.replace(/[\t\n\r]/g, "").replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
}

/** Back-slashes before the query count as slashes, to browsers too. */
function slashed(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
}

function whyScheme(scheme: string): string {
  return scheme.length === 1 ? "it names a drive" : `it has the scheme ${scheme}:, and only http and https are opened`;
}

/** Who signs in how is nobody's to print. */
function withoutUser(authority: string): string {
  const at = authority.lastIndexOf("@");
  return at < 0 ? authority : authority.slice(at + 1);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

function insideOf(resolved: UriReference, hasBackslash: boolean, beginsAtRoot = false): Address {
  const decoded = decodePath(resolved.path);
  if (CONTROL.test(decoded)) return { kind: "unsafe", why: "it has a control character", hasBackslash };
  const path = withoutDots(decoded.replaceAll("\\", "/"));
  if (path === undefined) return { kind: "unsafe", why: "it leaves the package", hasBackslash };
  const asWritten = withoutDots(resolved.path);
  if (asWritten === undefined) return { kind: "unsafe", why: "it leaves the package", hasBackslash };
  const isFolder = /(?:^|\/)\.{0,2}$/.test(decoded);
  const paths = isFolder ? [] : [...new Set([path.normalize("NFC"), asWritten.normalize("NFC")])];
  return {
    kind: "inside",
    paths,
    launch: printReference({ ...resolved, path: asWritten }),
    hasBackslash,
    beginsAtRoot,
  };
}
