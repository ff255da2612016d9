import { type Key, kindOf, restOf } from "../../../../src/core/model/key.js";
import { digest } from "../../../../src/core/util/digest.js";
import { slug } from "../bundle/names.js";

/** The sidecar beside a document. */
export const SIDECAR = "guideferry.json";

/** The sidecar of an item that has no document: `guideferry/wiki-ITEMShuttle-0a1b2c3d4e5f6071.json`. */
export function sidecarName(key: Key): string {
  return `guideferry/${kindOf(key)}-${slug(restOf(key))}-${digest(key).slice(0, 16)}.json`;
}

/** Whether a file is a sidecar of an item without a document. */
export function isOwnSidecar(path: string): boolean {
  return /(?:^|\/)guideferry\/[a-z]+-[A-Za-z0-9_-]*-[0-9a-f]{16}\.json$/.test(path);
}

/** With its slash, or an empty text. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
