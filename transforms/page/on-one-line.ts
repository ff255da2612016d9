/** Words on one line: blanks in them stay, since names are spelled with them. */
export function onOneLine(words: string): string {
  return words.replace(/[^\S\n\r\u2028\u2029]*[\n\r\u2028\u2029]\s*/g, " ").trim();
}
