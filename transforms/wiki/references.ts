import type { TextContext } from "./draft.js";
import type { Reference } from "./reference.js";
import { scan } from "./scan.js";
import type { SiteAddresses } from "./site-addresses.js";

/**
 * The references in a text, in order of appearance. Found by grammar in any text whatever: it never throws, and its time
 * grows with the length of the text only.
 *
 * A label ends where its bracket closes; brackets inside it are counted. Where one inside was never closed, the site may
 * end the label at the first `]`: such a reference has `close: null` and counts too, since its id must not stay. Only
 * what no `]` follows at all is plain text.
 *
 * @param site the site that the text comes from: addresses of other sites are no references
 */
export function references(text: string, site: SiteAddresses, context: TextContext): readonly Reference[] {
  return scan(text, site, context);
}
