import { digest } from "../../src/core/util/json.js";

const SCHEME = "bundle:/";

/** The address of a file in a package, as a media use has it: `bundle:/Loom-12/media/a%20b.jpg`. */
export function bundleAddress(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** The path in the package that an address means; undefined for addresses of anything else. */
export function pathOfAddress(url: string): string | undefined {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length).split("/").map(decodeURIComponent).join("/") : undefined;
}

/** The files that references in a document may mean. */
export interface PathSet {
  readonly paths: ReadonlySet<string>;
  /** The one folder that all of them lie in, with its slash; empty where there is none. */
  readonly top: string;
}

/**
 * The file that a path in a document means; undefined: none of this package. Three rules are about
 * (omanual 7) and are tried in this order: from the folder of the document (real files), from the
 * base of the package (documentation; a leading slash means it at once), from the base with the
 * single top folder added or taken off (packages that were packed anew).
 */
export function resolvePath(reference: string, from: string, { paths, top }: PathSet): string | undefined {
  for (const written of spellings(reference)) {
    const slash = written.startsWith("/");
    const folder = slash ? "" : from.slice(0, from.lastIndexOf("/") + 1);
    const bare = written.replace(/^\/+/, "");
    const bases = [folder + bare, bare, top + bare, bare.slice(bare.indexOf("/") + 1)];
    const found = bases.map(normalise).find((path) => path !== undefined && paths.has(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The address on the web that a reference is, or undefined. */
export function addressIn(reference: string): string | undefined {
  const trimmed = reference.trim();
  if (/^https?:\/\/[^\s/]/i.test(trimmed)) return trimmed;
  return /^\/\/[^\s/]+\.[^\s/]+\//.test(trimmed) ? `https:${trimmed}` : undefined;
}

/** The folder that every path begins with, with its slash, or an empty text. */
export function topFolder(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return paths.every((path) => path.startsWith(top)) ? top : "";
}

/**
 * As written, and as percent-encoding would have it; other slashes made ours, queries and fragments
 * left out.
 */
function spellings(reference: string): readonly string[] {
  const slashed = reference.trim().replaceAll("\\", "/").normalize("NFC");
  const [plain = ""] = slashed.split(/[?#]/, 1);
  return [...new Set([slashed, plain, decodePath(plain)])].filter(
    (spelling) => spelling !== "" && spelling.length < 4096,
  );
}

function decodePath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    const bytes = Uint8Array.from(escaped.slice(1).split("%"), (pair) => Number.parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** Without `.` and `..`; undefined for a path that climbs out of the package. */
function normalise(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

/**
 * Ids of sites are small; derived ones begin here, where every integer is still exact (below 2^53).
 */
const FIRST_DERIVED = 2 ** 52;

/**
 * A number that stands for a text, the same in every run, for things that have no id of their own.
 */
export function derivedId(text: string): number {
  return FIRST_DERIVED + Number.parseInt(digest(text).slice(0, 12), 16);
}

/** The id of a site in a text, or null: a positive whole number. */
export function idOf(text: string | null | undefined): number | null {
  return text != null && /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;
}
