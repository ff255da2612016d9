import type { Written } from "../../core/contracts.js";

/**
 * Was it at the target before we came? Adopted, or taken over and written over (`facts.existed`). What is foreign is never deleted for
 * having gone at the source.
 */
export function isForeign({ adopted, facts }: Written): boolean {
  return adopted || facts["existed"] === true;
}
