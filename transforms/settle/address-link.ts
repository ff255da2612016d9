import { link } from "../wiki/build-inlines.js";
import type { Inline, Link } from "../wiki/tree.js";

/** Schemes that run code, or read a disk, where the link is followed: no text may carry them to a site. */
const DANGEROUS = /^(?:javascript|vbscript|data|file|blob):/i;

/**
 * An address as it can stand in wiki text, undefined for one that must not. What would end the macro is percent-encoded, which
 * leaves the address the same; control characters, which browsers skip and which could hide a scheme, go.
 */
export function writableAddress(address: string): string | undefined {
  const written = address
    .replaceAll(CONTROL_CHARACTERS, "")
    .trim()
    .replaceAll(/[[\]| ]/g, (unsafe) => `%${unsafe.charCodeAt(0).toString(16).toUpperCase()}`);
  return written === "" || DANGEROUS.test(written) ? undefined : written;
}

const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Addresses that the site reads in brackets as they are. Others (site-relative, anchors) take the form with the keyword. */
const ABSOLUTE = /^(?:https?|ftps?):\/\//i;

/** A link to a writable address, in the form in which the site surely reads it (wiki-syntax 2.3). */
export function addressLink(address: string, label: readonly Inline[], newWindow: boolean): Link {
  const options = { label, newWindow };
  if (/^mailto:[^?]/i.test(address)) return link("mailto", address.slice("mailto:".length), options);
  if (ABSOLUTE.test(address)) return link("url", address, options);
  return { ...link("url", address, options), open: "[link|" };
}
