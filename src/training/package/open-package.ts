import type { OpenPackage } from "../package.js";
import { lookAtPackage } from "./look-at-package.js";
import type { PackageOptions } from "./package-options.js";

/**
 * Looks at a package, as a zip archive, as an unpacked folder or as a manifest alone, and keeps it open when nothing speaks against
 * it: archive guard, recognition and meaning, all findings at the levels of the profile (training modules, 3.1 and 6.1). At most 16 MiB of a
 * manifest are read, nothing is written. A package that is bad in any way is refused, never thrown; throws ArchiveError for a path where
 * nothing can be read (not there, no permission, a pipe), and the reason of `signal`.
 */
export async function openPackage(path: string, options: PackageOptions = {}): Promise<OpenPackage> {
  const { checked, content, close } = await lookAtPackage(path, options);
  return { checked, content, close };
}
