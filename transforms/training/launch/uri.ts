/** A URI reference in its five parts (RFC 3986, appendix B); null: the part is absent, which is not the same as empty. */
export interface UriReference {
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly path: string;
  /** Without `?`. */
  readonly query: string | null;
  /** Without `#`. */
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

/** A colon in a first segment that is no scheme: browsers read it as a part of the path. */
function withoutScheme(text: string): UriReference {
  const [, path = "", query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/.exec(text) ?? [];
  return { scheme: null, authority: null, path, query: query ?? null, fragment: fragment ?? null };
}

/** `tail` on top of `base` (RFC 3986, 5.2.2), except that dot segments stay: who looks the path up has to see whether they climb out. */
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

export const PACKAGE_ROOT: UriReference = { scheme: null, authority: null, path: "", query: null, fragment: null };
