import type { RewriteOptions, Rewritten } from "./rewrite-options.js";
import { rewriteReferences } from "./rewrite-references.js";

/**
 * Rewrites a text for the time until all its goals have ids: waiting references are absolute links, or, where the text
 * with those is not accepted by `fits`, their labels, which are never longer than what the author wrote. Either form is
 * repaired by a later rewrite of the text with the source's ids, since `missing` is the same.
 */
export function rewriteToFit(text: string, options: RewriteOptions, fits: (text: string) => boolean): Rewritten {
  const linked = rewriteReferences(text, { ...options, later: "absolute" });
  return fits(linked.text) ? linked : rewriteReferences(text, { ...options, later: "label" });
}
