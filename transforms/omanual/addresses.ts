import { digest } from "../../src/core/util/json.js";

const SCHEME = "bundle:/";

/** `bundle:/Loom-12/media/a%20b.jpg`, the address of a package's file in a media use. */
export function bundleAddress(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** undefined: another kind of address. */
export function pathOfAddress(url: string): string | undefined {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length).split("/").map(decodeURIComponent).join("/") : undefined;
}

export interface PathSet {
  readonly paths: ReadonlySet<string>;
  /** The single folder of all files, with its slash; empty: none. */
  readonly top: string;
}

/**
 * undefined: not in this package. Tries (omanual 7): the document's folder, the package's root
 * (first with a leading slash), the single top folder added or removed.
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

/** undefined: not on the web. */
export function addressIn(reference: string): string | undefined {
  const trimmed = reference.trim();
  if (/^https?:\/\/[^\s/]/i.test(trimmed)) return trimmed;
  return /^\/\/[^\s/]+\.[^\s/]+\//.test(trimmed) ? `https:${trimmed}` : undefined;
}

export function topFolder(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return paths.every((path) => path.startsWith(top)) ? top : "";
}

/** As written and percent-encoded, with normal slashes, without query and fragment. */
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

/** Removes `.` and `..`; undefined: the path leaves the package. */
function normalise(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

/** Derived ids start above those of sites; integers are exact below 2^53. */
const FIRST_DERIVED = 2 ** 52;

export function derivedId(text: string): number {
  return FIRST_DERIVED + Number.parseInt(digest(text).slice(0, 12), 16);
}

/** A positive integer, else null. */
export function idOf(text: string | null | undefined): number | null {
  return text != null && /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null;
}
