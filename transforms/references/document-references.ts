import type { Key } from "../../src/core/model/key.js";
import type { DocumentNode } from "../document-tree/document-node.js";
import { rewriteDocument } from "./rewrite-document.js";
import type { SiteAddresses } from "./site-addresses.js";

/** The keys that a document tree of either vocabulary refers to, each once: all that a rewrite would wait for. */
export function documentReferences(tree: DocumentNode, site: SiteAddresses): readonly Key[] {
  return rewriteDocument(tree, { source: site, target: site, resolve: () => ({ later: true }) }).missing;
}
