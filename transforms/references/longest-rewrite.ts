import { type Key, type Kind, kindOf, restOf } from "../../src/core/model/key.js";
import type { Resolution, RewriteOptions } from "./rewrite-options.js";
import { rewriteReferences } from "./rewrite-references.js";

/**
 * The longest text that the last rewrite can give, when everything that is still to come has its id: each such id is as
 * many nines as its kind can have digits at the target, titles stay. What `resolve` answers with an id or `never` counts
 * as it is. So limits of length can be checked before the first write.
 *
 * @param digits how many digits an id of this kind can have at the target
 */
export function longestRewrite(text: string, options: RewriteOptions, digits: (kind: Kind) => number): string {
  const resolve = (key: Key): Resolution => {
    const resolution = options.resolve(key);
    return "later" in resolution ? { id: widest(key, digits) } : resolution;
  };
  return rewriteReferences(text, { ...options, resolve }).text;
}

/** Titles and guids are no numbers. */
function widest(key: Key, digits: (kind: Kind) => number): string {
  const name = restOf(key);
  if (kindOf(key) === "category") return name;
  if (kindOf(key) === "wiki") return name.slice(name.indexOf("/") + 1);
  return /^\d+$/.test(name) ? "9".repeat(digits(kindOf(key))) : name;
}
