const SCHEME = "bundle:/";

/** The address of a file in a package, as a media use has it: `bundle:/Loom-12/media/a%20b.jpg`. */
export function bundleAddress(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** The path in the package that an address means; undefined for addresses of anything else. */
export function pathOfAddress(url: string): string | undefined {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length).split("/").map(decodeURIComponent).join("/") : undefined;
}
