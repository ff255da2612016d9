import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FerryError } from "../../core/errors.js";

const HERE = dirname(fileURLToPath(import.meta.url));

/** Folders that stand for `src/web`: for a module of the bundle, the build, the sources. */
const PLACES = [join(HERE, "web"), join(HERE, ".."), join(HERE, "../../../dist/src/web")];

/**
 * The file of a style sheet, picture or browser script.
 *
 * @param path below `src/web`, as the build leaves it: `reader/browser/zoom.js`
 * @returns undefined: sources run without a build, so there are no browser scripts
 */
export function findAssetFile(path: string): string | undefined {
  return PLACES.map((place) => join(place, path)).find((file) => existsSync(file));
}

/** Like `findAssetFile`. Throws FerryError if the installation lacks the file. */
export function assetFile(path: string): string {
  const file = findAssetFile(path);
  if (file !== undefined) return file;
  throw new FerryError(`The installation of guideferry is incomplete: ${path} is missing. Install guideferry again.`);
}
