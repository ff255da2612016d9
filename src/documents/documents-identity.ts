import type { SiteIdentity } from "../core/contracts.js";
import { documentsRoot, packageName } from "./package-name.js";

/**
 * Who content comes from that comes as documents: the package by its name. Moved to another folder or packed anew it stays the same
 * source; under another name it is another one. It has no address: what its texts refer to and does not move becomes its label.
 */
export function documentsIdentity(path: string): SiteIdentity {
  return {
    root: documentsRoot(path),
    origin: "",
    siteId: null,
    name: packageName(path),
    dialect: "unknown",
    hosts: [],
    language: "en",
    languages: [],
    account: null,
  };
}
