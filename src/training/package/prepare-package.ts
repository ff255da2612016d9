import type { PreparedPackage } from "../package.js";
import { lookAtPackage } from "./look-at-package.js";
import { normalise } from "./normalise.js";
import type { PackageOptions } from "./package-options.js";

/**
 * Looks at a package as `openPackage` does, and says what its normalised form is (training modules, 6.2 and 6.3). Each content is read once for that, and
 * once more when it is written; `close` ends the reading. Throws as `openPackage` does.
 */
export async function preparePackage(path: string, options: PackageOptions = {}): Promise<PreparedPackage> {
  const looked = await lookAtPackage(path, { ...options, hashContents: true });
  const { checked, content, close } = looked;
  if (content === null) return { checked, normalised: null, close };
  try {
    const { entries: _entries, ...normalised } = await normalise(looked, content, options.signal);
    return { checked, normalised, close };
  } catch (error) {
    await close();
    throw error;
  }
}
