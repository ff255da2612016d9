/** A text as one part of an address. Half characters become U+FFFD, since no URL can hold them. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}
