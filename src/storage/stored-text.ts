/**
 * Text as SQLite can store it: it cuts at U+0000 and can't hold a lone surrogate. Both occur only
 * in broken content, so a visible replacement suffices. Keys are looked up and turned into file
 * names in this form too.
 */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\u2400").replace(/\p{Surrogate}/gu, "\uFFFD");
}
