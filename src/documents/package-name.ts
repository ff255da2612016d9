import { basename, resolve } from "node:path";

/** What the names of packages and single documents end in, lower case. */
export const PACKAGE_ENDINGS = [".omanual", ".zip"] as const;
export const DOCUMENT_ENDINGS = [".xml", ".oman"] as const;

const ENDING = new RegExp(`(?:${[...PACKAGE_ENDINGS, ...DOCUMENT_ENDINGS].join("|").replaceAll(".", "\\.")})$`, "i");

/** A bundle by its file, or a folder of bundles, one for each category. */
export type BundlePlace = { readonly bundle: string } | { readonly bundles: string };

export function namesPackage(path: string): boolean {
  return PACKAGE_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending));
}

export function namesDocuments(path: string): boolean {
  return ENDING.test(path);
}

/**
 * What a package is called: its own name without its ending, wherever it lies and however it is
 * packed.
 */
export function packageName(path: string): string {
  const name = basename(resolve(path)).normalize("NFC");
  return name.replace(ENDING, "") || name || "documents";
}

/** What stands for a package where a site has its API root: `documents:manual`. */
export function documentsRoot(path: string): string {
  return `documents:${encodeURIComponent(packageName(path))}`;
}
