import { showable } from "./node.js";

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/**
 * An address outside of the reader as the URL standard writes it, so that a browser reads just what was judged here; undefined for one that may do more than lead
 * to a page, a mail or a call, and for what is none. `origin` stands before addresses that are relative to the site; with an empty one they are none.
 */
export function safeAddress(address: string, origin: string): string | undefined {
  const whole = absolute(showable(address).trim(), origin);
  if (whole === undefined || !URL.canParse(whole)) return undefined;
  const { protocol, href } = new URL(whole);
  // Of a mail or a call the standard leaves some characters as they are.
  return SCHEMES.has(protocol) ? href.replace(/[\s"<>`]/gu, encodeURIComponent) : undefined;
}

function absolute(address: string, origin: string): string | undefined {
  if (address.startsWith("//")) return `https:${address}`;
  if (!address.startsWith("/")) return address;
  return origin === "" ? undefined : origin.replace(/\/$/, "") + address;
}
