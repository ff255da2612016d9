import { basename, resolve } from "node:path";

/** File name endings of packages and single documents, in lower case. */
export const PACKAGE_ENDINGS = [".omanual", ".zip"] as const;
export const DOCUMENT_ENDINGS = [".xml", ".oman"] as const;

const ENDING = new RegExp(`(?:${[...PACKAGE_ENDINGS, ...DOCUMENT_ENDINGS].join("|").replaceAll(".", "\\.")})$`, "i");

/** The file of a bundle, or a folder with a bundle for each category. */
export type BundlePlace = { readonly bundle: string } | { readonly bundles: string };

export function namesPackage(path: string): boolean {
  return PACKAGE_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending));
}

export function namesDocuments(path: string): boolean {
  return ENDING.test(path);
}

/** The file name without its ending, which identifies a package in any folder. */
export function packageName(path: string): string {
  const name = basename(resolve(path)).normalize("NFC");
  return name.replace(ENDING, "") || name || "documents";
}

/** The identity of a package, in place of the API root of a site: `documents:manual`. */
export function documentsRoot(path: string): string {
  return `documents:${encodeURIComponent(packageName(path))}`;
}
