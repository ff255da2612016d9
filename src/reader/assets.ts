import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FerryError } from "../errors.js";

/** A file of the reader itself, below `assets/`. */
export interface Asset {
  readonly name: string;
  /** Where it lies. */
  readonly file: string;
  readonly contentType: string;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const SCRIPT = "text/javascript; charset=utf-8";

/** Places, the first that is there counts: beside the running module, where the build puts it, and in the source. */
type Places = () => readonly string[];

const ASSETS: Readonly<Record<string, { readonly contentType: string; readonly places: Places }>> = {
  "style.css": { contentType: "text/css; charset=utf-8", places: () => ours("pages/style.css") },
  "icon.svg": { contentType: "image/svg+xml", places: () => ours("pages/icon.svg") },
  "zoom.js": { contentType: SCRIPT, places: () => ours("reader/browser/zoom.js") },
  "keyboard.js": { contentType: SCRIPT, places: () => ours("reader/browser/keyboard.js") },
  "search-words.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-words.js") },
  "search-shards.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-shards.js") },
  "search-find.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-find.js") },
  "search-list.js": { contentType: SCRIPT, places: () => ours("reader/browser/search-list.js") },
  "search.js": { contentType: SCRIPT, places: () => ours("reader/browser/search.js") },
  "minisearch.js": { contentType: SCRIPT, places: () => [miniSearch()] },
};

/** Every file that pages may link. */
export const ASSET_NAMES: readonly string[] = Object.keys(ASSETS);

/** undefined: no asset has this name, or a build without browser scripts runs. Throws FerryError when the installation is broken. */
export function assetOf(name: string): Asset | undefined {
  const known = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  const file = known?.places().find((place) => existsSync(place));
  return known === undefined || file === undefined ? undefined : { name, file, contentType: known.contentType };
}

function ours(path: string): readonly string[] {
  const root = rootOf(HERE);
  return [join(HERE, "..", path), join(root, "dist", "src", path), join(root, "src", path)];
}

/** The build of MiniSearch that is a plain script lies beside the one that Node loads. */
function miniSearch(): string {
  return join(dirname(createRequire(import.meta.url).resolve("minisearch")), "..", "umd", "index.js");
}

/** The folder with package.json. */
function rootOf(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above !== folder) return rootOf(above);
  throw new FerryError(`guideferry is not installed whole: no package.json lies above ${HERE}. Install it anew.`);
}
