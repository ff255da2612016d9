import { decodeWindows1252 } from "../xml/decode-bytes.js";
import { shown } from "./findings.js";
import type { TrainingCode } from "./training-codes.js";
import { type Change, noteChange, type Validation } from "./validation.js";

export interface AddressUse {
  readonly written: string;
  readonly bases?: Bases;
  readonly place: string;
  /** For findings: `item "I1"`. */
  readonly owner: string;
  readonly missing: TrainingCode;
  readonly unsafe: TrainingCode;
  /** Changes the address where it is written. Absent: findings only. */
  readonly repair?: (change: Change) => void;
  /** Web addresses give no finding. */
  readonly isExternalFine?: boolean;
}

interface ResolvedAddress {
  /** As a browser requests it; null: unsafe. */
  readonly launch: string | null;
  /** The file in the archive; null: none. */
  readonly file: string | null;
}

export function resolveAddress(use: AddressUse, validation: Validation): ResolvedAddress {
  const address = readAddress(use.written, use.bases);
  if (address.hasBackslash) reportBackslash(use, validation);
  if (address.kind === "inside") return resolveInside(address, use, validation);
  if (address.kind === "external") {
    if (!validation.external.has(address.url) && use.isExternalFine !== true)
      validation.findings.add(
        "W_MAN_EXTERNAL_HREF",
        use.place,
        `${use.owner} leads to ${shown(address.url)}, which is not in the package`,
      );
    validation.external.add(address.url);
    return { launch: address.url, file: null };
  }
  validation.findings.add(use.unsafe, use.place, `${use.owner} leads to "${shown(use.written)}": ${address.why}`);
  return { launch: null, file: null };
}

function resolveInside(
  address: Extract<Address, { readonly kind: "inside" }>,
  use: AddressUse,
  validation: Validation,
): ResolvedAddress {
  const { files, findings } = validation;
  if (address.beginsAtRoot) reportRoot(use, validation);
  if (files === null) return { launch: address.launch, file: null };
  const found = files.find(address.paths);
  if (found === undefined) {
    findings.add(
      use.missing,
      use.place,
      `${use.owner} leads to "${shown(use.written)}", and no such file is in the package`,
    );
    return { launch: address.launch, file: null };
  }
  if (!found.isExact) reportCase(use, found.path, validation);
  if (use.repair !== undefined && changeForm(use.written) !== use.written)
    noteChange("W_ZIP_NAME_NFD", changeForm, use.repair, validation);
  return { launch: address.launch, file: found.path };
}

function reportBackslash(use: AddressUse, validation: Validation): void {
  validation.findings.add("W_MAN_HREF_BACKSLASH", use.place, `${use.owner} leads to "${shown(use.written)}"`);
  if (use.repair !== undefined) noteChange("W_MAN_HREF_BACKSLASH", changeSlashes, use.repair, validation);
}

function reportRoot(use: AddressUse, validation: Validation): void {
  validation.findings.add("W_MAN_HREF_ROOT", use.place, `${use.owner} leads to "${shown(use.written)}"`);
  if (use.repair !== undefined) noteChange("W_MAN_HREF_ROOT", changeRoot, use.repair, validation);
}

function reportCase(use: AddressUse, path: string, validation: Validation): void {
  validation.findings.add(
    "W_MAN_CASE_MISMATCH",
    use.place,
    `${use.owner} leads to "${shown(use.written)}", and the file is ${path}`,
  );
  if (validation.fixCase && use.repair !== undefined)
    noteChange("W_MAN_CASE_MISMATCH", (written) => changeCase(written, path), use.repair, validation);
}

type Address =
  | {
      readonly kind: "inside";
      /** Possible files, most likely first: decoded, and as written. */
      readonly paths: readonly string[];
      /** As a browser requests it, relative to the root, with query and fragment. */
      readonly launch: string;
      readonly hasBackslash: boolean;
      /** A leading slash means the package's root, as for common LMSs. */
      readonly beginsAtRoot: boolean;
    }
  | {
      readonly kind: "external" /** Without user and password. */;
      readonly url: string;
      readonly hasBackslash: boolean;
    }
  | { readonly kind: "unsafe"; readonly why: string; readonly hasBackslash: boolean };

/** `xml:base` from the outside in. */
export type Bases = readonly string[];

/** Resolves an address on its bases by RFC 3986, without any lookup. */
export function readAddress(written: string, bases: Bases = []): Address {
  const texts = [...bases, written].map(trimmed);
  const hasBackslash = /^[^?#]*\\/.test(trimmed(written));
  const resolved = texts.map(slashed).map(parseReference).reduce(resolveReference, PACKAGE_ROOT);
  const { scheme, authority, path } = resolved;
  if (scheme !== null) {
    if (!WEB.has(scheme)) return { kind: "unsafe", why: whyScheme(scheme), hasBackslash };
    if (authority === null || authority === "") return { kind: "unsafe", why: "it does not name a host", hasBackslash };
    return { kind: "external", url: printReference({ ...resolved, authority: withoutUser(authority) }), hasBackslash };
  }
  if (authority !== null) {
    // `\\server\share` is a network path, and a host may be empty: neither is a web address.
    if (hasBackslash || authority === "")
      return { kind: "unsafe", why: "it does not name a host of the web", hasBackslash };
    const web = { ...resolved, scheme: "https", authority: withoutUser(authority) };
    return { kind: "external", url: printReference(web), hasBackslash };
  }
  if (!path.startsWith("/")) return insideOf(resolved, hasBackslash);
  if (bases.some((base) => trimmed(base) !== ""))
    return { kind: "unsafe", why: "it begins with / and has a base", hasBackslash };
  return insideOf({ ...resolved, path: path.replace(/^\/+/, "") }, hasBackslash, true);
}

const WEB: ReadonlySet<string> = new Set(["http", "https"]);

/** Like browsers: no line ends, tabs, outer spaces and control characters (WHATWG URL, 4.4). */
function trimmed(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  return written.replace(/[\t\n\r]/g, "").replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
}

/** Browsers read backslashes before the query as slashes. */
function slashed(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
}

function whyScheme(scheme: string): string {
  return scheme.length === 1 ? "it names a drive" : `it has the scheme ${scheme}:, and only http and https are allowed`;
}

/** Credentials are never printed. */
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

/** The five parts of a URI reference (RFC 3986, appendix B); null: absent, unlike empty. */
interface UriReference {
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly path: string;
  readonly query: string | null;
  readonly fragment: string | null;
}

const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;

export function parseReference(text: string): UriReference {
  const [, scheme, authority, path = "", query, fragment] = PARTS.exec(text) ?? [];
  if (scheme !== undefined && !SCHEME.test(scheme)) return withoutScheme(text);
  return {
    scheme: scheme?.toLowerCase() ?? null,
    authority: authority ?? null,
    path,
    query: query ?? null,
    fragment: fragment ?? null,
  };
}

function withoutScheme(text: string): UriReference {
  const [, path = "", query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/.exec(text) ?? [];
  return { scheme: null, authority: null, path, query: query ?? null, fragment: fragment ?? null };
}

/** RFC 3986, 5.2.2, except dot segments, which show whether an address leaves the package. */
export function resolveReference(base: UriReference, tail: UriReference): UriReference {
  if (tail.scheme !== null) return tail;
  if (tail.authority !== null) return { ...tail, scheme: base.scheme };
  const { scheme, authority } = base;
  if (tail.path === "") return { ...base, query: tail.query ?? base.query, fragment: tail.fragment };
  if (tail.path.startsWith("/")) return { ...tail, scheme, authority };
  return { ...tail, scheme, authority, path: mergePaths(base, tail.path) };
}

/** RFC 3986, 5.2.3. */
function mergePaths({ authority, path }: UriReference, tail: string): string {
  if (authority !== null && path === "") return `/${tail}`;
  return path.slice(0, path.lastIndexOf("/") + 1) + tail;
}

/** RFC 3986, 5.3. */
export function printReference({ scheme, authority, path, query, fragment }: UriReference): string {
  return [
    scheme === null ? "" : `${scheme}:`,
    authority === null ? "" : `//${authority}`,
    path,
    query === null ? "" : `?${query}`,
    fragment === null ? "" : `#${fragment}`,
  ].join("");
}

const PACKAGE_ROOT: UriReference = { scheme: null, authority: null, path: "", query: null, fragment: null };

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/**
 * `%XX` is UTF-8, else windows-1252 of old tools; other percent signs stay, since tools write
 * half-encoded addresses (training modules, 2.3).
 */
export function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ESCAPES, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split("%"), (hexadecimal) => Number.parseInt(hexadecimal, 16));
    return utf8(bytes) ?? decodeWindows1252(bytes);
  });
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** undefined: it leaves the package. */
export function withoutDots(path: string): string | undefined {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept.join("/");
}

export function changeSlashes(written: string): string {
  return written.replace(/^[^?#]*/, (path) => path.replaceAll("\\", "/"));
}

function changeRoot(written: string): string {
  return written.replace(/^[\s/\\]+/, "");
}

/** Unchanged where the path has escapes, references or dots. */
function changeCase(written: string, file: string): string {
  return written.replace(/^[^?#]*/, (path) => {
    const right = file.slice(-path.length);
    return right.toLowerCase() === path.toLowerCase() ? right : path;
  });
}

const ESCAPED = /(?:%[89a-f][0-9a-f])+/gi;

/** No escape can express half of a surrogate pair. */
const LONE = /\p{Cs}/u;

/** NFC, like names of files (training modules, 6.2); with escapes all beyond ASCII is escaped. */
function changeForm(written: string): string {
  return written.replace(/^[^?#]*/, (path) => {
    if (path.search(ESCAPED) < 0) return path.normalize("NFC");
    const decoded = path.replace(ESCAPED, (escapes) => decodePath(escapes));
    const composed = decoded.normalize("NFC");
    if (composed === decoded || LONE.test(composed)) return path;
    return composed.replace(/\P{ASCII}+/gu, encodeURIComponent);
  });
}

/**
 * SCORM 2004 CAM, 4.3.2.1.1: no leading `?` and `&`, a fragment only if the address has none, the
 * rest after `?` or `&` before the address' own fragment.
 */
export function addParameters(address: string, parameters: string): string {
  const bare = parameters.trim().replace(/^[?&]+/, "");
  if (bare === "") return address;
  const [, path = "", fragment = ""] = /^([^#]*)(#[\s\S]*)?$/.exec(address) ?? [];
  if (bare.startsWith("#")) return fragment === "" ? address + bare : address;
  return `${path}${path.includes("?") ? "&" : "?"}${bare}${fragment}`;
}
