const ABSOLUTE = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]+$/iu;
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i;

/** Is it an absolute IRI (RFC 3987, 2.2), with a host where its scheme is of the web? */
export function isAbsoluteIri(text: string): boolean {
  if (!ABSOLUTE.test(text) || BAD_ESCAPE.test(text)) return false;
  return !/^https?:/i.test(text) || /^https?:\/\/[^/?#]/i.test(text);
}
