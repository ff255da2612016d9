import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FerryError } from "../../core/errors.js";

interface Asset {
  readonly name: string;
  readonly file: string;
  readonly contentType: string;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const SCRIPT = "text/javascript; charset=utf-8";

/** Candidate paths, tried in order: beside the running module, in the build, in the source. */
type Places = () => readonly string[];

const ASSETS: Readonly<Record<string, { readonly contentType: string; readonly places: Places }>> = {
  "style.css": { contentType: "text/css; charset=utf-8", places: () => ours("components/style.css") },
  "icon.svg": { contentType: "image/svg+xml", places: () => ours("components/icon.svg") },
  "zoom.js": { contentType: SCRIPT, places: () => ours("reader/browser/zoom.js") },
  "keyboard.js": { contentType: SCRIPT, places: () => ours("reader/browser/keyboard.js") },
  "paper.js": { contentType: SCRIPT, places: () => ours("reader/browser/paper.js") },
  "times.js": { contentType: SCRIPT, places: () => ours("reader/browser/times.js") },
  "search-words.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-words.js") },
  "search-load.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-load.js") },
  "search-index.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-index.js") },
  "search-match.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-match.js") },
  "search-near.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-near.js") },
  "search-probes.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-probes.js") },
  "search-rank.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-rank.js") },
  "search-find.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-find.js") },
  "search-list.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-list.js") },
  "search-results.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-results.js") },
  "search-note.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-note.js") },
  "search.js": { contentType: SCRIPT, places: () => ours("reader/browser/search.js") },
};

export const ASSET_NAMES: readonly string[] = Object.keys(ASSETS);

/**
 * undefined: no asset has this name, or the build has no browser scripts. Throws FerryError for a
 * broken installation.
 */
export function assetOf(name: string): Asset | undefined {
  const known = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  const file = known?.places().find((place) => existsSync(place));
  return known === undefined || file === undefined ? undefined : { name, file, contentType: known.contentType };
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

function ours(path: string): readonly string[] {
  const root = rootOf(HERE);
  return [join(HERE, "..", path), join(root, "dist", "src", "web", path), join(root, "src", "web", path)];
}

function rootOf(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above !== folder) return rootOf(above);
  throw new FerryError(`guideferry is not installed whole: no package.json lies above ${HERE}. Install it anew.`);
}
