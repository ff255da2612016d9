/**
 * Text as the index can hold it: SQLite cuts at U+0000 and can't hold a lone surrogate. Both come
 * only from broken content, so a visible stand-in does; keys are looked up and turned into file
 * names in this form too, so that they stay the same key.
 */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\u2400").replace(/\p{Surrogate}/gu, "\uFFFD");
}
