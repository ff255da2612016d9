import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { findAssetFile } from "../components/asset-files.js";

interface Asset {
  readonly name: string;
  readonly file: string;
  readonly contentType: string;
}

/** Scripts of every page, in the order in which they run. */
export const PAGE_SCRIPTS: readonly string[] = [
  ...["zoom", "keyboard", "paper", "sections"],
  ...["search-words", "search-load", "search-index", "search-match", "search-near", "search-probes"],
  ...[
    "search-rank",
    "search-find",
    "search-list",
    "search-results",
    "search-note",
    "search",
    "pager",
    "search-page",
    "lists",
  ],
].map((name) => `${name}.js`);

/** Paths below `src/web` by name. */
const FILES: ReadonlyMap<string, string> = new Map([
  ...["style.css", "icon.svg"].map((name) => [name, `components/${name}`] as const),
  ...[...PAGE_SCRIPTS, "times.js"].map((name) => [name, `reader/browser/${name}`] as const),
]);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  js: "text/javascript; charset=utf-8",
};

export const ASSET_NAMES: readonly string[] = [...FILES.keys()];

/** undefined: no asset has this name, or sources run without a build and its browser scripts. */
export function assetOf(name: string): Asset | undefined {
  const path = FILES.get(name);
  const file = path === undefined ? undefined : findAssetFile(path);
  const contentType = CONTENT_TYPES[name.split(".").at(-1) ?? ""];
  return file === undefined || contentType === undefined ? undefined : { name, file, contentType };
}

const addresses = new Map<string, string>();

/**
 * `assets/zoom.js?1f2e3d4c`: the digest of the content keeps a browser from using a cached other
 * version.
 */
export function assetAddress(name: string): string {
  const known = addresses.get(name) ?? addressOf(name);
  addresses.set(name, known);
  return known;
}

function addressOf(name: string): string {
  const asset = assetOf(name);
  if (asset === undefined) return `assets/${name}`;
  const digits = createHash("sha256").update(readFileSync(asset.file)).digest("hex").slice(0, 8);
  return `assets/${name}?${digits}`;
}
