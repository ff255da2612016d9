import { basename } from "node:path";
import type { Module } from "../../core/model/module.js";

/** Digits of a digest that stand for it in a file's name. */
const DIGITS = 12;
const LONGEST = 60;
const NO_TITLE = "training-module";

/** What a module is called at a site: the package's own title, else the name of its file without the extension. */
export function titleOf(module: Module, source: string): string {
  const own = module.title.trim();
  if (own !== "") return own;
  const name = basename(source)
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .trim();
  return name === "" ? NO_TITLE : name;
}

/**
 * The name that a package is sent under: `safe-lifting-0123456789ab.zip`. Plain letters, since servers change or refuse others
 * (training modules, 3.2), and the digits, by which any machine knows it again where the site tells the names of files.
 */
export function uploadName(title: string, digest: string): string {
  const plain = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return `${plain === "" ? NO_TITLE : plain}-${marker(digest)}.zip`;
}

/** What is looked for in the names of files that a site tells. */
export function marker(digest: string): string {
  return digest.slice(0, DIGITS);
}
